/** A line in words, for descriptions. */
import type { Period } from '../../model/window.ts';
import { formatExact } from '../format.ts';
import { type NewestTime, rangeWords, timeWords } from '../range.ts';
import type { LineShape } from './line-shape.ts';

/** The period that a line shows, and the time of its reader. */
export interface DescribedPeriod extends Pick<NewestTime, 'nowMs'> {
  readonly range: Period;
}

/** The newest value of a line, the lowest and the highest: `3,883 now, between 2,950 and 4,659 in the last 30 days`. */
export function lineInWords(
  { low, high, latestValue, latestTimestamp: timestamp }: LineShape,
  { range, nowMs }: DescribedPeriod,
): string {
  const period = rangeWords(range, { timestamp, nowMs }, 'before');
  const between = `, between ${formatExact(low)} and ${formatExact(high)} ${period}`;
  return `${formatExact(latestValue)} ${timeWords({ timestamp, nowMs })}${low === high ? '' : between}`;
}
