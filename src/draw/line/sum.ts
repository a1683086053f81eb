/** Several lines added into one: the same plugin on several platforms. */
import type { Points } from '../../model/points.ts';
import { gapLimitMs } from './line-columns.ts';

/** The values that lines add to their sum: a column for each line. */
interface StackedLines {
  readonly times: Float64Array;
  readonly columns: readonly Float64Array[];
}

/**
 * Adds lines. The sum has a time wherever a line has one, at which each line adds its latest value:
 *
 * - A line adds nothing before its first point, and nothing once its last one is older than the longest gap that it bridges: it has ended.
 * - Inside a longer gap of a line the sum has no time: its value is not known.
 */
export function stackLines(lines: readonly Points[]): StackedLines {
  const all = [...new Set(lines.flatMap(({ timestamps }) => [...timestamps]))].sort((a, b) => a - b);
  const filled = lines.map((line) => filledOver(line, all));
  const known = all.flatMap((_, index) =>
    filled.some((column) => Number.isNaN(column[index])) ? [] : [index],
  );
  return {
    times: Float64Array.from(known, (index) => all[index] ?? 0),
    columns: filled.map((column) => Float64Array.from(known, (index) => column[index] ?? 0)),
  };
}

/** The values of a line at other times; NaN inside a gap. */
function filledOver({ timestamps, values }: Points, times: readonly number[]): readonly number[] {
  const maxGapMs = gapLimitMs(timestamps);
  let next = 0;
  return times.map((time) => {
    while (next < timestamps.length && (timestamps[next] ?? 0) <= time) next++;
    if (next === 0) return 0;
    if (time - (timestamps[next - 1] ?? 0) <= maxGapMs) return values[next - 1] ?? 0;
    return next === timestamps.length ? 0 : Number.NaN;
  });
}
