/** Reads a line over a long window: as means in a band from the lowest to the highest values. */

import { LineBand } from '../../../draw/line/line-band.ts';
import { longestRangeOfPoints, stepFor } from '../../../draw/time-step.ts';
import { dayMs } from '../../../model/window.ts';
import { type BandPlace, countBefore, type LineData, type LineReading } from './line-data.ts';

/** Reads a line as means; undefined where its points are to be drawn: in a short window, and if there is about one for each step. */
export function readBand(line: LineData, { from, to, width }: BandPlace): LineReading | undefined {
  const { span, points, summaries } = line;
  if (summaries === undefined && to - from <= longestRangeOfPoints) return undefined;
  const leastMs = summaries?.stepMs ?? dayMs;
  const means = new LineBand({ from, to, step: stepFor(to - from, { maxCount: width * 0.7, leastMs }) });
  if (summaries === undefined) means.add(points);
  else means.addSummaries(withinWindow(summaries, from, to));
  const { starts, means: values, lows, highs } = means.drawn;
  if (summaries === undefined && means.isSparse) return undefined;
  if (to >= span.last) means.setLatest(span.last, line.latestValue);
  else if (summaries !== undefined) means.setLatest(starts.at(-1) ?? 0, values.at(-1) ?? Number.NaN);
  return { shape: means, points: { timestamps: starts, values }, band: { step: means.step, lows, highs } };
}

type Summaries = NonNullable<LineData['summaries']>;

/** The steps that touch a window, both of its ends included; each counts as one. */
function withinWindow({ stepMs, times, means, lows, highs }: Summaries, from: number, to: number) {
  const start = countBefore(times, from - stepMs + 1);
  const end = countBefore(times, to + 1);
  const cut = (column: Float64Array) => column.subarray(start, end);
  const counts = new Float64Array(end - start).fill(1);
  return { times: cut(times), counts, sums: cut(means), lows: cut(lows), highs: cut(highs) };
}
