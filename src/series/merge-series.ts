/** Aligns series that have different times. */
import type { Columns } from '../model/columns.ts';
import type { SeriesOfChart } from '../model/series-source.ts';
import { nextTurn } from '../runtime/next-turn.ts';
import { free } from '../runtime/releasable-memory.ts';

/** Number of columns that a series takes in a response. */
export function columnCountOf({ lows }: SeriesOfChart): number {
  return lows === undefined ? 1 : 3;
}

/** Series of one chart, over the same times. */
export interface ChartColumns extends Columns {
  readonly series: readonly SeriesOfChart[];
}

/** Merges two ascending arrays of times, without duplicates. */
export function mergeTimes(a: Float64Array, b: Float64Array): Float64Array {
  if (a.length === 0 || isSame(a, b)) return b;
  const merged = new Float64Array(a.length + b.length);
  let [count, atA, atB] = [0, 0, 0];
  while (atA < a.length || atB < b.length) {
    const timeA = a[atA] ?? Number.POSITIVE_INFINITY;
    const timeB = b[atB] ?? Number.POSITIVE_INFINITY;
    merged[count++] = Math.min(timeA, timeB);
    if (timeA <= timeB) atA++;
    if (timeB <= timeA) atB++;
  }
  return merged.subarray(0, count);
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** Reuses the times of other columns if they are equal, and frees the duplicate. */
export function overSameTimes(columns: ChartColumns, others: ChartColumns | undefined): ChartColumns {
  if (others === undefined || !isSame(columns.times, others.times)) return columns;
  free(columns.times.buffer);
  return { ...columns, times: others.times };
}

/**
 * Adds up columns that have the same series. The sum has the times at which at least one of them has a value.
 * Floating-point sums depend on the order, so columns must be added in the order of their charts.
 */
export class SeriesSum {
  #times: Float64Array = new Float64Array(0);
  #sums: readonly Float64Array[] = [];

  get times(): Float64Array {
    return this.#times;
  }

  /** Adds columns to the sums, and frees their values. */
  add({ times, series }: Columns): void {
    const merged = mergeTimes(this.#times, times);
    const before = isSame(merged, this.#times) ? undefined : indexesIn(merged, this.#times);
    const indexes = isSame(merged, times) ? undefined : indexesIn(merged, times);
    this.#times = merged;
    this.#sums = series.map(({ values }, rank) => {
      const known = this.#sums[rank] ?? new Float64Array(0);
      const sum = before === undefined ? known : spread(known, before, merged.length);
      if (sum !== known) free(known.buffer);
      addTo(sum, values, indexes);
      return sum;
    });
    // The counts of several series may share one buffer, which is then already freed and empty.
    for (const { values } of series) if (values.length > 0) free(values.buffer);
  }

  /** Returns the sums. @param about describes the series. */
  columns(about: ReadonlyArray<Omit<SeriesOfChart, 'values'>>): ChartColumns {
    const series = about.map((one, rank) => ({ ...one, values: this.#sums[rank] ?? new Float64Array(0) }));
    return { times: this.#times, series };
  }
}

/** Aligns the series of all charts to the merged times. */
export async function seriesOver(
  times: Float64Array,
  columns: readonly ChartColumns[],
): Promise<readonly SeriesOfChart[]> {
  const all: SeriesOfChart[] = [];
  for (const { times: ownTimes, series } of columns) {
    const indexes = isSame(times, ownTimes) ? undefined : indexesIn(times, ownTimes);
    for (const one of series) {
      all.push(indexes === undefined ? one : spreadSeries(one, indexes, times.length));
      await nextTurn();
    }
  }
  return all;
}

function spreadSeries(one: SeriesOfChart, indexes: Int32Array, length: number): SeriesOfChart {
  const { values, lows, highs } = one;
  return {
    ...one,
    values: spread(values, indexes, length),
    ...(lows && { lows: spread(lows, indexes, length) }),
    ...(highs && { highs: spread(highs, indexes, length) }),
  };
}

/** Finds the indexes of some times within all times. */
function indexesIn(times: Float64Array, some: Float64Array): Int32Array {
  const indexes = new Int32Array(some.length);
  let own = 0;
  for (let index = 0; own < some.length && index < times.length; index++)
    if (times[index] === some[own]) indexes[own++] = index;
  return indexes;
}

/** Moves values to the given indexes; NaN elsewhere. */
function spread(values: Float64Array, indexes: Int32Array, length: number): Float64Array {
  const all = new Float64Array(length).fill(Number.NaN);
  for (let own = 0; own < values.length; own++) all[indexes[own] ?? 0] = values[own] ?? Number.NaN;
  return all;
}

function addTo(sum: Float64Array, values: Float64Array, indexes: Int32Array | undefined): void {
  for (let own = 0; own < values.length; own++) {
    const index = indexes === undefined ? own : (indexes[own] ?? 0);
    const before = sum[index] ?? Number.NaN;
    sum[index] = (Number.isNaN(before) ? 0 : before) + (values[own] ?? 0);
  }
}
