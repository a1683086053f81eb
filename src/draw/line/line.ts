/** A picture of one line: the area under it, the latest value, the lowest and the highest. */
import type { Period } from '../../model/window.ts';
import type { EventColumns } from '../event-columns.ts';
import { formatExact } from '../format.ts';
import { drawMessage, noPointsIn } from '../message.ts';
import { type Note, type PictureOptions, sizesOf } from '../picture.ts';
import { rangeWords, timeWords } from '../range.ts';
import type { LinesLayout } from './line-layout.ts';
import type { LineShape } from './line-shape.ts';
import { fittingNotes, meansPhrases, placeMeansWords } from './means-words.ts';
import { axisBounds, withCutWords } from './outliers.ts';
import { plotBox } from './plot-box.ts';
import { renderLines } from './render-lines.ts';
import { timeAxis } from './time-axis.ts';
import { hasZero, valueAxis } from './value-axis.ts';
import { withMarks } from './with-marks.ts';

/** A line with its title and range. */
interface LinePicture {
  /** The title of the chart. */
  readonly title: string;
  readonly shape: LineShape;
  readonly range: Period;
  /** Marks on the line. */
  readonly events?: EventColumns | undefined;
}

/** Draws one line, or a sentence if it has no point. */
export function drawLine(picture: LinePicture, options: PictureOptions): string {
  const title = options.title ?? picture.title;
  if (picture.shape.pointCount === 0) return drawMessage(noPointsIn(picture.range), { ...options, title });
  return renderLines(withMarks(layoutLine(picture, options), picture.events));
}

/** Places one line that has at least one point. */
export function layoutLine({ title, shape, range }: LinePicture, options: PictureOptions): LinesLayout {
  const sizes = sizesOf(options);
  const { from, to } = shape;
  const bounds = axisBounds([{ values: shape }]);
  const shownTitle = options.title ?? title;
  const choices = notesOf(shape, range, options);
  const [notes = []] = choices;
  const phrases = withCutWords(meansPhrases(shape, true), [bounds]);
  const words = placeMeansWords({ words: phrases, notes: fittingNotes(choices, options), options });
  const { box, axes } = plotBox({
    options,
    hasNotes: true,
    rowsHeight: words.rowHeight,
    axesFor: (place) => [{ ...valueAxis(bounds.low, bounds.high, place), side: 'left', ink: 'muted' }],
  });
  const time = timeAxis(from, to, { ...box, labelEnd: options.width - sizes.padding, textSize: sizes.text });
  return {
    options,
    sizes,
    title: shownTitle,
    description: [`${shownTitle}: ${notes.map(({ text }) => text).join('')}`, ...phrases.slice(0, 1)].join(
      '; ',
    ),
    notes: words.notes,
    legend: { entries: [], draw: words.drawRow },
    box,
    time,
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

/** The latest value, and the lowest and the highest one of the period; then without the period, for a narrow picture. */
function notesOf(shape: LineShape, range: Period, { nowMs }: PictureOptions): ReadonlyArray<readonly Note[]> {
  const { low, high, latestValue, latestTimestamp } = shape;
  const newest = { timestamp: latestTimestamp, nowMs };
  const words = rangeWords(range, newest, 'before');
  const between = `, between ${formatExact(low)} and ${formatExact(high)}`;
  const endings = low === high ? [''] : [`${between} ${words}`, between];
  return endings.map((ending) => [
    { text: formatExact(latestValue), ink: 'series0', isBold: true },
    { text: ` ${timeWords(newest)}${ending}`, ink: 'muted' },
  ]);
}
