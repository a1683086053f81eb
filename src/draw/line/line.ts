/** A picture of one line: the area under it, the latest value, the lowest and the highest. */
import { formatExact } from '../format.ts';
import { drawMessage, sentences } from '../message.ts';
import { type Note, type PictureOptions, sizesOf } from '../picture.ts';
import { type Range, rangeWords } from '../range.ts';
import type { LinesLayout } from './line-layout.ts';
import type { LineShape } from './line-shape.ts';
import { type MeansWords, meansPhrases, placeMeansWords } from './means-words.ts';
import { plotBox } from './plot-box.ts';
import { renderLines } from './render-lines.ts';
import { timeAxis } from './time-axis.ts';
import { hasZero, valueAxis } from './value-axis.ts';

/** A line with its title and range. */
interface LinePicture {
  /** The title of the chart. */
  readonly title: string;
  readonly shape: LineShape;
  readonly range: Range;
}

/** Draws one line, or a sentence if it has no point. */
export function drawLine(picture: LinePicture, options: PictureOptions): string {
  const { shape, range } = picture;
  const title = options.title ?? picture.title;
  if (shape.pointCount === 0) return drawMessage(sentences.none, { ...options, title });
  const words = meansPhrases(shape, true);
  const placed = placeMeansWords({ words, notes: notesOf(shape, range), options });
  const layout = layoutLine(picture, options, placed);
  const description = [layout.description, ...words.slice(0, 1)].join('; ');
  return renderLines({ ...layout, description });
}

/** Places one line that has at least one point. */
export function layoutLine(
  { title, shape, range }: LinePicture,
  options: PictureOptions,
  words?: MeansWords,
): LinesLayout {
  const sizes = sizesOf(options);
  const { low, high, from, to } = shape;
  const shownTitle = options.title ?? title;
  const notes = notesOf(shape, range);
  const { box, axes } = plotBox({
    options,
    hasNotes: true,
    rowsHeight: words?.rowHeight,
    axesFor: (place) => [{ ...valueAxis(low, high, place), side: 'left', ink: 'muted' }],
  });
  return {
    options,
    sizes,
    title: shownTitle,
    description: `${shownTitle}: ${notes.map(({ text }) => text).join('')}`,
    notes: words?.notes ?? notes,
    ...(words && { legend: { entries: [], draw: words.drawRow } }),
    box,
    time: timeAxis(from, to, { ...box, labelEnd: options.width - 4, textSize: sizes.text }),
    axes,
    lines: axes.map((axis) => ({
      name: shownTitle,
      shape,
      ink: 'series0',
      hasArea: hasZero(axis),
      yAt: axis.yAt,
    })),
  };
}

/** The latest value, and the lowest and the highest one. */
function notesOf({ low, high, latestValue }: LineShape, range: Range): readonly Note[] {
  const between =
    low === high ? '' : `, between ${formatExact(low)} and ${formatExact(high)} ${rangeWords(range)}`;
  return [
    { text: formatExact(latestValue), ink: 'series0', isBold: true },
    { text: ` now${between}`, ink: 'muted' },
  ];
}
