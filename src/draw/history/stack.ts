/** Shares stacked on each other: the upper edge of each at every time, as counts or as parts of the whole. */
import { clamp } from '../clamp.ts';
import { type IndexRange, intervalOf, runsOfTimes } from '../time-step.ts';
import { allShares, type HistoryToDraw, type HistoryUnit } from './history-to-draw.ts';

/** Times without a gap between them. */
interface StackRun extends IndexRange {
  /** The times from which on and up to which it is drawn. */
  readonly from: number;
  readonly to: number;
}

/** Stacked shares. */
export interface Stack {
  /** The upper edge of each area, the uppermost first; each ends at the next one, the last at 0. */
  readonly edges: readonly Float64Array[];
  /** The times at which the edges are: the middle of each step. */
  readonly middles: Float64Array;
  readonly runs: readonly StackRun[];
  readonly high: number;
}

/** Stacks the shares, the largest at the top, and the others at the bottom. In percent there is a gap where all are 0. */
export function stackHistory(history: HistoryToDraw, unit: HistoryUnit): Stack {
  const { times, step, from, to } = history;
  const columns = allShares(history).map(({ values }) => values);
  const edges: Float64Array[] = [];
  let edge = new Float64Array(times.length);
  for (const column of columns.toReversed()) {
    edge = edge.map((below, index) => below + Math.max(0, clamp(column[index] ?? 0)));
    edges.unshift(edge);
  }
  const totals = edge;
  // A step lasts until the next one.
  const startOf = (index: number) => Math.max(from, times[index] ?? from);
  const endOf = (index: number) => Math.min(to, (times[index] ?? to) + step.ms);
  const isDrawn = (index: number) => unit === 'count' || (totals[index] ?? 0) > 0;
  const runs = runsOfTimes(times, intervalOf(times, step.ms))
    .flatMap((run) => partsOf(run, isDrawn))
    .map((range) => ({ ...range, from: startOf(range.start), to: endOf(range.end - 1) }));
  const isPercent = unit === 'percent';
  return {
    edges: edges.map((each) => (isPercent ? percentOf(each, totals) : each)),
    middles: times.map((_, index) => (startOf(index) + endOf(index)) / 2),
    runs,
    high: isPercent ? 100 : totals.reduce((high, total) => Math.max(high, total), 0),
  };
}

/** Divides a run into the parts whose indexes are all drawn. */
function partsOf(run: IndexRange, isDrawn: (index: number) => boolean): IndexRange[] {
  const parts: IndexRange[] = [];
  let { start } = run;
  for (let index = start; index <= run.end; index++) {
    if (index < run.end && isDrawn(index)) continue;
    if (start < index) parts.push({ start, end: index });
    start = index + 1;
  }
  return parts;
}

function percentOf(edge: Float64Array, totals: Float64Array): Float64Array {
  return edge.map((value, index) => {
    const total = totals[index] ?? 0;
    return total > 0 ? (value / total) * 100 : 0;
  });
}
