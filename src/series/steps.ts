/** Steps of a window: points and shares over time become one value for each step. */
import type { TimeWindow } from '../model/metrics-reader.ts';
import type { Points } from '../model/points.ts';
import { compareShares, type ShareHistory, type ShareName, shareKey } from '../model/share-history.ts';

/** The way in which several values become one. */
export type Aggregate = 'mean' | 'min' | 'max' | 'last' | 'count';

/** A window of time, divided into steps or not. */
export interface Window extends TimeWindow {
  /** Length of a step in milliseconds; null for times as they are stored. */
  readonly step: number | null;
  readonly aggregate: Aggregate;
}

/** Values at ascending times. */
export interface Column {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

const dayMs = 24 * 60 * 60 * 1000;
const weekMs = 7 * dayMs;
/** 5 January 1970 was a Monday. */
const firstMonday = 4 * dayMs;

/** Finds the beginning of the step with a time. Steps are those of UTC; weeks begin on Monday. */
export function stepAt(time: number, step: number | null): number {
  if (step === null) return time;
  const offset = step === weekMs ? firstMonday : 0;
  return Math.floor((time - offset) / step) * step + offset;
}

/** The times of a window as they come, in ascending parts: each belongs to a step. */
class StepTimes {
  readonly times: number[] = [];
  /** Number of times in each step. */
  readonly counts: number[] = [];
  readonly #window: Window;
  #end = Number.NEGATIVE_INFINITY;

  constructor(window: Window) {
    this.#window = window;
  }

  /** Adds times; returns the part of them that lies in the window, with the index of the step of each. */
  add(times: Float64Array): StepRange {
    const { from, to, step } = this.#window;
    const start = firstFrom(times, from);
    const end = firstFrom(times, to);
    const indexes = new Int32Array(Math.max(0, end - start));
    for (let at = start; at < end; at++) {
      const time = times[at] ?? 0;
      if (time >= this.#end) {
        const begin = stepAt(time, step);
        this.times.push(begin);
        this.counts.push(0);
        // Without steps, each time is one of its own.
        this.#end = step === null ? Number.NEGATIVE_INFINITY : begin + step;
      }
      const index = this.times.length - 1;
      this.counts[index] = (this.counts[index] ?? 0) + 1;
      indexes[at - start] = index;
    }
    return { start, end, indexes };
  }
}

/** A part of some times, and the index of the step of each. */
interface StepRange {
  readonly start: number;
  readonly end: number;
  readonly indexes: Int32Array;
}

/** Finds the index of the first time that is not before `time`. */
function firstFrom(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const initialValues: Readonly<Record<Aggregate, number>> = {
  mean: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  last: 0,
  count: 0,
};

/** The values of one series, a value for each step. */
class StepValues {
  readonly #aggregate: Aggregate;
  #values = new Float64Array(64);
  #stepCount = 0;

  constructor(aggregate: Aggregate) {
    this.#aggregate = aggregate;
  }

  /** Adds the values at some times; undefined stands for zeros. */
  add({ start, end, indexes }: StepRange, column: Float64Array | undefined): void {
    this.#grow((indexes.at(-1) ?? -1) + 1);
    const values = this.#values;
    const count = end - start;
    switch (this.#aggregate) {
      case 'mean':
        if (column === undefined) break;
        for (let at = 0; at < count; at++) {
          const index = indexes[at] ?? 0;
          values[index] = (values[index] ?? 0) + (column[start + at] ?? 0);
        }
        break;
      case 'min':
      case 'max': {
        const choose = this.#aggregate === 'min' ? Math.min : Math.max;
        for (let at = 0; at < count; at++) {
          const index = indexes[at] ?? 0;
          values[index] = choose(values[index] ?? 0, column?.[start + at] ?? 0);
        }
        break;
      }
      case 'last':
        for (let at = 0; at < count; at++) values[indexes[at] ?? 0] = column?.[start + at] ?? 0;
        break;
      default:
        break;
    }
  }

  finish({ times, counts }: StepTimes): Float64Array {
    this.#grow(times.length);
    const values = this.#values.slice(0, times.length);
    if (this.#aggregate === 'count') return Float64Array.from(counts);
    if (this.#aggregate === 'mean')
      for (let index = 0; index < values.length; index++)
        values[index] = (values[index] ?? 0) / (counts[index] ?? 1);
    return values;
  }

  #grow(stepCount: number): void {
    if (stepCount > this.#values.length) {
      const larger = new Float64Array(2 * stepCount);
      larger.set(this.#values);
      this.#values = larger;
    }
    if (stepCount > this.#stepCount)
      this.#values.fill(initialValues[this.#aggregate], this.#stepCount, stepCount);
    this.#stepCount = Math.max(this.#stepCount, stepCount);
  }
}

/** Gathers the points of a line in a window. */
export class LineSteps {
  readonly #times: StepTimes;
  readonly #values: StepValues;

  constructor(window: Window) {
    this.#times = new StepTimes(window);
    this.#values = new StepValues(window.aggregate);
  }

  /** Adds points that are later than those before. */
  add({ timestamps, values }: Points): void {
    this.#values.add(this.#times.add(timestamps), values);
  }

  finish(): Column {
    return { times: Float64Array.from(this.#times.times), values: this.#values.finish(this.#times) };
  }
}

/** A series of a chart of shares. */
export interface ShareSeries {
  readonly share: ShareName;
  /** True for the sum of the shares that are not among the largest. */
  readonly isOther: boolean;
  readonly values: Float64Array;
}

/** The shares of a chart over a window: every series has a value at every time. */
export interface ShareColumns {
  readonly times: Float64Array;
  readonly series: readonly ShareSeries[];
}

const other: ShareName = { group: null, name: 'Other' };

/** Gathers the history of a chart in a window, of the shares that {@link largestShares} chose. */
export class ShareSteps {
  readonly #times: StepTimes;
  readonly #chosen: ReadonlyMap<string, number>;
  readonly #shares: readonly ShareName[];
  readonly #values: readonly StepValues[];
  readonly #others: StepValues | undefined;

  /** @param hasOther true if there are shares that were not chosen. */
  constructor(window: Window, chosen: readonly ShareName[], hasOther: boolean) {
    this.#times = new StepTimes(window);
    this.#shares = chosen;
    this.#chosen = new Map(chosen.map((share, rank) => [shareKey(share), rank]));
    this.#values = chosen.map(() => new StepValues(window.aggregate));
    this.#others = hasOther ? new StepValues(window.aggregate) : undefined;
  }

  /** Adds a part that is later than those before. */
  add({ times, shares, columns }: ShareHistory): void {
    const range = this.#times.add(times);
    if (range.indexes.length === 0) return;
    const found: (Float64Array | undefined)[] = this.#shares.map(() => undefined);
    let rest: Float64Array | undefined;
    for (const [index, share] of shares.entries()) {
      const column = columns[index];
      const rank = this.#chosen.get(shareKey(share));
      if (column === undefined) continue;
      if (rank !== undefined) found[rank] = column;
      else {
        rest ??= new Float64Array(times.length);
        for (let at = 0; at < rest.length; at++) rest[at] = (rest[at] ?? 0) + (column[at] ?? 0);
      }
    }
    for (const [rank, values] of this.#values.entries()) values.add(range, found[rank]);
    this.#others?.add(range, rest);
  }

  finish(): ShareColumns {
    const series = this.#shares.map((share, rank) => ({
      share,
      isOther: false,
      values: this.#values[rank]?.finish(this.#times) ?? new Float64Array(0),
    }));
    if (this.#others !== undefined)
      series.push({ share: other, isOther: true, values: this.#others.finish(this.#times) });
    return { times: Float64Array.from(this.#times.times), series };
  }
}

/** Adds up the shares of a history in a window, to find the largest. */
export class ShareSums {
  readonly #sums = new Map<string, { readonly share: ShareName; sum: number }>();
  readonly #window: Window;

  constructor(window: Window) {
    this.#window = window;
  }

  add({ times, shares, columns }: ShareHistory): void {
    const start = firstFrom(times, this.#window.from);
    const end = firstFrom(times, this.#window.to);
    for (const [index, share] of shares.entries()) {
      const column = columns[index];
      let sum = 0;
      let isPresent = false;
      for (let at = start; at < end; at++) {
        const value = column?.[at] ?? 0;
        sum += value;
        isPresent ||= value !== 0;
      }
      if (!isPresent) continue;
      const key = shareKey(share);
      const known = this.#sums.get(key);
      if (known === undefined) this.#sums.set(key, { share, sum });
      else known.sum += sum;
    }
  }

  /** The `top` largest shares, the largest first, then by name; and whether there are others. */
  finish(top: number): { readonly shares: readonly ShareName[]; readonly hasOther: boolean } {
    const sorted = [...this.#sums.values()].sort((a, b) => b.sum - a.sum || compareShares(a.share, b.share));
    return { shares: sorted.slice(0, top).map(({ share }) => share), hasOther: sorted.length > top };
  }
}

/** Adds up the inner shares of each group: the outer shares of a drilldown pie. */
export function outerShares({ times, shares, columns }: ShareHistory): ShareHistory {
  const sums = new Map<string, Float64Array>();
  for (const [index, { group, name }] of shares.entries()) {
    const sum = sums.get(group ?? name) ?? new Float64Array(times.length);
    sums.set(group ?? name, sum);
    for (const [at, value] of (columns[index] ?? []).entries()) sum[at] = (sum[at] ?? 0) + value;
  }
  return {
    times,
    shares: Array.from(sums.keys(), (name) => ({ group: null, name })),
    columns: [...sums.values()],
  };
}
