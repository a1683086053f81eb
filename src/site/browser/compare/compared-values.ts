/** The values of a comparison at a time, fetched for the cursor. */

import { gapLimitMs } from '../../../draw/line/line-columns.ts';
import { nearestIndex } from '../../../draw/line/line-layout.ts';
import { longestRangeOfPoints } from '../../../draw/time-step.ts';
import { dayMs } from '../../../model/window.ts';
import type { ComparedLineState, ComparedLinesState, PlotState } from '../../state/compared-lines.ts';
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

/** A week for each step of longer windows than these. */
const longestRangeOfDays = 3 * 366 * dayMs;

/** Fetches the lines of a comparison over its window; rejects as `fetch` does. */
export async function fetchComparedValues(
  { lines }: ComparedLinesState,
  { from, to }: PlotState,
): Promise<ComparedValues> {
  const lengthMs = to - from;
  const step = lengthMs <= longestRangeOfPoints ? undefined : lengthMs <= longestRangeOfDays ? '1d' : '7d';
  const answer = await getJson(
    `/api/v2/series?charts=${lines.map(({ chart }) => chart).join(',')}&from=${from}&to=${to + 1}${step === undefined ? '' : `&step=${step}`}`,
  );
  const times = numbersOf(memberOf(answer, 'times'));
  const series = listOf(memberOf(answer, 'series')).map((each) => listOf(memberOf(each, 'values')));
  const stepMs = step === undefined ? 0 : step === '1d' ? dayMs : 7 * dayMs;
  const columns = lines.map((line, index) => ({ line, points: pointsOfLine(times, series[index] ?? []) }));
  return {
    times: Float64Array.from(times),
    stepMs,
    valuesAt: (index) => {
      const time = times[index] ?? Number.NaN;
      return columns.flatMap(({ line, points }) => {
        const near = nearestIndex(points.times, time);
        const isNear = Math.abs((points.times[near] ?? Number.NaN) - time) <= points.maxDistanceMs;
        return isNear ? [{ ...line, value: points.values[near] ?? 0 }] : [];
      });
    },
  };
}

/** The points of one line. */
function pointsOfLine(times: readonly number[], values: readonly unknown[]) {
  const indexes = [...times.keys()].filter((index) => typeof values[index] === 'number');
  const own = Float64Array.from(indexes, (index) => times[index] ?? 0);
  return {
    times: own,
    values: Float64Array.from(indexes, (index) => Number(values[index])),
    maxDistanceMs: gapLimitMs(own) / 2,
  };
}

function numbersOf(value: unknown): number[] {
  return listOf(value).filter((each): each is number => typeof each === 'number');
}
