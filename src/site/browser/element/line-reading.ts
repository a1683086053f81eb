/** A line as a chart shows it: the shape that is drawn, and the values that are read from it point by point. */
import { LineBand, longestRangeOfPoints } from '../../../draw/line/line-band.ts';
import { columnCountFor, gapLimitMs, LineColumns } from '../../../draw/line/line-columns.ts';
import type { LineShape } from '../../../draw/line/line-shape.ts';
import { dayMs, stepFor, type TimeStep } from '../../../draw/time-step.ts';
import { type Points, slicePoints } from '../../../model/points.ts';
import { windowEnds } from '../../state/shown-window.ts';
import type { LineData, WantedLine } from './fetch-line.ts';

/** A line in a window. */
export interface LineReading {
  readonly shape: LineShape;
  /** The points of the window, or the means of its steps at their beginnings. */
  readonly points: Points;
  /** Of means: their step, and the lowest and the highest value of each. */
  readonly band?: { readonly step: TimeStep; readonly lows: Float64Array; readonly highs: Float64Array };
}

/** Reads the data of a line for a drawing: over a long window as means in a band, unless there is about one point for each step. */
export function readLine(line: LineData, { window, width }: WantedLine): LineReading {
  const { span, points, summaries } = line;
  const ends = windowEnds(window, span);
  const [from, to] = [ends.from, ends.to - 1];
  if (summaries !== undefined || to - from > longestRangeOfPoints) {
    const leastMs = summaries?.stepMs ?? dayMs;
    const means = new LineBand({ from, to, step: stepFor(to - from, { maxCount: width * 0.7, leastMs }) });
    if (summaries === undefined) means.add(points);
    else {
      means.addSummaries(withinWindow(summaries, from, to));
      const { starts, means: values } = means.drawn;
      const isNewest = to >= span.last;
      means.setLatest(
        isNewest ? span.last : (starts.at(-1) ?? 0),
        isNewest ? line.latestValue : (values.at(-1) ?? Number.NaN),
      );
    }
    if (summaries !== undefined || !means.isSparse) {
      const { starts, means: values, lows, highs } = means.drawn;
      return {
        shape: means,
        points: { timestamps: starts, values },
        band: { step: means.step, lows, highs },
      };
    }
  }
  const columns = new LineColumns({
    from,
    to,
    columnCount: columnCountFor(width),
    maxGapMs: gapLimitMs(points.timestamps),
  });
  columns.add(points);
  const start = countBefore(points.timestamps, from);
  return { shape: columns, points: slicePoints(points, start, countBefore(points.timestamps, to + 1)) };
}

type Summaries = NonNullable<LineData['summaries']>;

/** The steps that touch a window, both of its ends included; each counts as one. */
function withinWindow({ stepMs, times, means, lows, highs }: Summaries, from: number, to: number) {
  const start = countBefore(times, from - stepMs + 1);
  const end = countBefore(times, to + 1);
  const cut = (column: Float64Array) => column.subarray(start, end);
  const counts = new Float64Array(end - start).fill(1);
  return { times: cut(times), counts, means: cut(means), lows: cut(lows), highs: cut(highs) };
}

/** The number of ascending times before a time. */
function countBefore(times: Float64Array, time: number): number {
  let start = 0;
  let end = times.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((times[middle] ?? 0) < time) start = middle + 1;
    else end = middle;
  }
  return start;
}
