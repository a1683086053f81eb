/** A picture of one line: the area under it, the latest value, the lowest and the highest. */
import { formatExact } from '../format.ts';
import { drawMessage, sentences } from '../message.ts';
import { type Note, type PictureOptions, sizesOf } from '../picture.ts';
import { type Range, rangeWords } from '../range.ts';
import type { LineColumns } from './line-columns.ts';
import type { LinesLayout } from './line-layout.ts';
import { plotBox } from './plot-box.ts';
import { renderLines } from './render-lines.ts';
import { timeAxis } from './time-axis.ts';
import { hasZero, valueAxis } from './value-axis.ts';

/** A line with its title and range. */
interface LinePicture {
  /** The title of the chart. */
  readonly title: string;
  readonly columns: LineColumns;
  readonly range: Range;
}

/** Draws one line, or a sentence if it has no point. */
export function drawLine(picture: LinePicture, options: PictureOptions): string {
  const title = options.title ?? picture.title;
  if (picture.columns.pointCount === 0) return drawMessage(sentences.none, { ...options, title });
  return renderLines(layoutLine(picture, options));
}

/** Places one line that has at least one point. */
export function layoutLine({ title, columns, range }: LinePicture, options: PictureOptions): LinesLayout {
  const sizes = sizesOf(options);
  const { low, high, latestValue } = columns;
  const shownTitle = options.title ?? title;
  const between =
    low === high ? '' : `between ${formatExact(low)} and ${formatExact(high)} ${rangeWords(range)}`;
  const notes: Note[] = [{ text: formatExact(latestValue), ink: 'series0', isBold: true }];
  notes.push({ text: between === '' ? ' now' : ` now, ${between}`, ink: 'muted' });
  const { box, axes } = plotBox({
    options,
    hasNotes: true,
    axesFor: (place) => [{ ...valueAxis(low, high, place), side: 'left', ink: 'muted' }],
  });
  return {
    options,
    sizes,
    title: shownTitle,
    description: `${shownTitle}: ${formatExact(latestValue)} now${between === '' ? '' : `, ${between}`}`,
    notes,
    box,
    time: timeAxis(columns.from, columns.to, { ...box, labelEnd: options.width - 4, textSize: sizes.text }),
    axes,
    lines: axes.map((axis) => ({
      name: shownTitle,
      columns,
      ink: 'series0',
      hasArea: hasZero(axis),
      yAt: axis.yAt,
    })),
  };
}
