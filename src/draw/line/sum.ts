/** Adds several lines, such as those of one plugin on several platforms. */
import { type Columns, valuesOf } from '../../model/columns.ts';
import { dayMs, type StepName, steps } from '../../model/window.ts';
import type { HistoryToDraw } from '../history/history-to-draw.ts';
import { gapLimitMs, timeStep } from '../time-step.ts';
import { wholeSteps } from './line-band.ts';
import type { LineToDraw } from './line-to-draw.ts';

/** A line by step, to be added. */
interface Summand extends Pick<LineToDraw, 'points' | 'newest'> {
  readonly name: string;
  /** True for a line that is excluded from the sum, but keeps its place. */
  readonly isHidden?: boolean;
}

/** Adds up lines, as a history in which each line is a share. */
export function sumToDraw(
  lines: readonly Summand[],
  { step, ...about }: Pick<HistoryToDraw, 'title' | 'window' | 'newest'> & { readonly step: StepName },
): HistoryToDraw {
  const shown = lines.filter(({ isHidden }) => isHidden !== true);
  const { times, columns, gapEnds } = stackLines(shown.map(({ points }) => points));
  const end = times.at(-1) ?? 0;
  // Shorter steps may hold a single point each, of which the newest is as good as any.
  const stepMs = steps[step];
  const whole = stepMs < dayMs ? undefined : wholeSteps(times, { window: about.window, stepMs });
  const wholeOf = (column: Float64Array) => column.subarray(whole?.start, whole?.end);
  return {
    ...about,
    pluginName: '',
    isDefault: false,
    times: wholeOf(times),
    gapEnds,
    step: timeStep(step),
    shares: lines.map((line, colour) => {
      const at = shown.indexOf(line);
      const values = columns[at] ?? new Float64Array(times.length);
      // A mean reveals neither the time nor the value of the newest point.
      const last = at === -1 || hasEnded(line.points.times, end) ? 0 : line.newest.value;
      return { name: line.name, colour, values: wholeOf(values), last, isHidden: at === -1 };
    }),
    other: undefined,
  };
}

/** True if a line has ended before a time: from then on it contributes nothing. */
function hasEnded(times: Float64Array, time: number): boolean {
  const last = times.at(-1);
  return last === undefined || time - last > gapLimitMs(times, times.length);
}

/** The contributions of lines to their sum, one column per line. */
interface StackedLines {
  readonly times: Float64Array;
  readonly columns: readonly Float64Array[];
  /** Times at which gaps of the sum end. */
  readonly gapEnds: ReadonlySet<number>;
}

/**
 * Adds lines. The sum has every time of every line, and each line contributes its latest value there:
 * - Before its first point, a line contributes nothing. It also contributes nothing once its last point is
 *   older than the longest gap that it bridges, because the line has ended.
 * - Inside a longer gap of a line the sum has no times, because its value is unknown.
 * - Two times are joined if at least one line joins them and no line has a gap there.
 */
export function stackLines(lines: readonly Columns[]): StackedLines {
  const all = [...new Set(lines.flatMap(({ times }) => [...times]))].sort((a, b) => a - b);
  const joined = new Set<number>();
  const broken = new Set<number>();
  const filled = lines.map((line) => {
    const [timestamps, values] = [line.times, valuesOf(line)];
    let next = 0;
    return all.map((time) => {
      // The interval of the line that contains the time.
      if (next > 0 && next < timestamps.length) {
        const interval = (timestamps[next] ?? 0) - (timestamps[next - 1] ?? 0);
        if (interval > gapLimitMs(timestamps, next)) broken.add(time);
        else if (interval <= gapLimitMs(timestamps, next, true)) joined.add(time);
      }
      while (next < timestamps.length && (timestamps[next] ?? 0) <= time) next++;
      if (next === 0) return 0;
      const last = timestamps[next - 1] ?? 0;
      if (time === last || time - last <= gapLimitMs(timestamps, next)) return values[next - 1] ?? 0;
      return next === timestamps.length ? 0 : Number.NaN;
    });
  });
  const known = all.flatMap((_, index) =>
    filled.some((column) => Number.isNaN(column[index])) ? [] : [index],
  );
  return {
    times: Float64Array.from(known, (index) => all[index] ?? 0),
    columns: filled.map((column) => Float64Array.from(known, (index) => column[index] ?? 0)),
    gapEnds: new Set(all.filter((time) => broken.has(time) || !joined.has(time))),
  };
}
