/** A picture of one line: the area under it, the latest value, the lowest and the highest. */
import type { Period } from '../../model/window.ts';
import type { EventColumns } from '../events.ts';
import { formatExact } from '../format.ts';
import { drawMessage, noPointsIn } from '../message.ts';
import type { Note, PictureOptions } from '../picture.ts';
import { type NewestTime, rangeWords, timeWords } from '../range.ts';
import { layoutLines } from './layout-lines.ts';
import type { LinesLayout } from './line-layout.ts';
import type { LineShape } from './line-shape.ts';

/** A line with its title and range. */
interface LinePicture {
  /** The title of the chart. */
  readonly title: string;
  /** The beginning of the description; the title unless given. */
  readonly subject?: string;
  readonly shape: LineShape;
  readonly range: Period;
  readonly events?: EventColumns | undefined;
}

/** Draws one line, or a sentence if it has no point. */
export function drawLine(picture: LinePicture, options: PictureOptions): string {
  const title = options.title ?? picture.title;
  if (picture.shape.pointCount === 0) return drawMessage(noPointsIn(picture.range), { ...options, title });
  return layoutLine(picture, options).draw();
}

/** Places one line that has at least one point. */
export function layoutLine(picture: LinePicture, options: PictureOptions): LinesLayout {
  const { shape, range, events } = picture;
  const title = options.title ?? picture.title;
  const { subject = title } = picture;
  const { latest, between, period } = partsOf(shape, { range, nowMs: options.nowMs });
  const value: Note = { text: formatExact(shape.latestValue), ink: 'series0', isBold: true };
  // Without the period in a narrow picture.
  const notes = [between + period, between].map((words) => [
    value,
    { text: latest + words, ink: 'muted' } as const,
  ]);
  const lines = [{ name: title, shape, ink: 'series0' }] as const;
  return layoutLines(
    { title, lines, notes, description: `${subject}: ${value.text}${latest}${between}${period}`, events },
    options,
  );
}

/** The period that a line shows, and the time of its reader. */
export interface DescribedPeriod extends Pick<NewestTime, 'nowMs'> {
  readonly range: Period;
}

/** The newest value of a line, the lowest and the highest: `3,883 now, between 2,950 and 4,659 in the last 30 days`. */
export function lineInWords(shape: LineShape, period: DescribedPeriod): string {
  const parts = partsOf(shape, period);
  return formatExact(shape.latestValue) + parts.latest + parts.between + parts.period;
}

function partsOf({ low, high, latestTimestamp: timestamp }: LineShape, { range, nowMs }: DescribedPeriod) {
  const latest = ` ${timeWords({ timestamp, nowMs })}`;
  if (low === high) return { latest, between: '', period: '' };
  const period = ` ${rangeWords(range, { timestamp, nowMs }, 'before')}`;
  return { latest, between: `, between ${formatExact(low)} and ${formatExact(high)}`, period };
}
