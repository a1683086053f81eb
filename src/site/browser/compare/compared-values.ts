/** The values of a comparison at a time, fetched for the cursor. */

import { gapLimitMs } from '../../../draw/line/line-columns.ts';
import { nearestIndex } from '../../../draw/line/line-layout.ts';
import { stackLines } from '../../../draw/line/sum.ts';
import { steps } from '../../../model/window.ts';
import type { ComparedLineState, ComparedLinesState, PlotState } from '../../state/compared-lines.ts';
import { pointsOfSeries } from '../element/fetch-line.ts';
import { listOf, memberOf } from '../element/known-plugin.ts';
import { getJson } from '../element/shared-requests.ts';

/** A value of a line at the cursor. */
export interface ComparedValue extends ComparedLineState {
  readonly value: number;
}

/** All lines by time. */
export interface ComparedValues {
  /** Ascending. */
  readonly times: Float64Array;
  /** The length of a step in milliseconds; 0 for points as they are stored. */
  readonly stepMs: number;
  /** The values at a time, in the order of the lines; a line in a gap is left out. */
  readonly valuesAt: (index: number) => readonly ComparedValue[];
}

/** Fetches the lines of a comparison over its window; rejects as `fetch` does. */
export async function fetchComparedValues(
  { lines, mode, step }: ComparedLinesState,
  { from, to }: PlotState,
): Promise<ComparedValues> {
  const charts = lines.map(({ chart }) => chart).join(',');
  const answer = await getJson(
    `/api/v2/series?charts=${charts}&from=${from}&to=${to + 1}${step === null ? '' : `&step=${step}`}`,
  );
  const answered = listOf(memberOf(answer, 'times'));
  const series = listOf(memberOf(answer, 'series'));
  const points = lines.map((_, index) => pointsOfSeries(answered, series[index]));
  const stepMs = step === null ? 0 : steps[step];
  if (mode === 'sum') {
    const { times, columns } = stackLines(points);
    const valuesAt = (index: number) =>
      lines.map((line, place) => ({ ...line, value: columns[place]?.[index] ?? 0 }));
    return { times, stepMs, valuesAt };
  }
  const times = Float64Array.from(answered, Number);
  return {
    times,
    stepMs,
    valuesAt: (index) => {
      const time = times[index] ?? Number.NaN;
      return lines.flatMap((line, place) => {
        const { timestamps = times, values = times } = points[place] ?? {};
        const near = nearestIndex(timestamps, time);
        const isNear = Math.abs((timestamps[near] ?? Number.NaN) - time) <= gapLimitMs(timestamps) / 2;
        return isNear ? [{ ...line, value: values[near] ?? 0 }] : [];
      });
    },
  };
}
