/** The history of a chart of shares over a window, by step. */

import {
  compareShares,
  type ShareHistory,
  type ShareName,
  shareKey,
  shareOfKey,
} from '../model/share-history.ts';
import { firstFrom, type TimeWindow } from '../model/window.ts';
import type { Series } from './merge-series.ts';
import { StepTimes, StepValues, type Window } from './steps.ts';

/** The largest shares of a chart in a window. */
export interface LargestShares {
  /** The largest first. */
  readonly shares: readonly ShareName[];
  /** The number of the others. */
  readonly otherCount: number;
}

/** Gathers the history of a chart in a window, of the shares that {@link ShareSums} found. */
export class ShareSteps {
  readonly #times: StepTimes;
  readonly #chosen: ReadonlyMap<string, number>;
  readonly #largest: LargestShares;
  readonly #values: readonly StepValues[];
  readonly #others: StepValues;

  constructor(window: Window, largest: LargestShares) {
    this.#times = new StepTimes(window);
    this.#largest = largest;
    this.#chosen = new Map(largest.shares.map((share, rank) => [shareKey(share), rank]));
    this.#values = largest.shares.map(() => new StepValues(window));
    this.#others = new StepValues(window);
  }

  /** Adds a part that is later than those before. */
  add({ times, shares, columns }: ShareHistory): void {
    const range = this.#times.add(times);
    if (range.start === range.end) return;
    const found: (Float64Array | undefined)[] = [];
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
    if (this.#largest.otherCount > 0) this.#others.add(range, rest);
  }

  /** The times, and a series for each of the largest shares, with one for the sum of the others. */
  finish(): { readonly times: Float64Array; readonly series: readonly Series[] } {
    const { shares, otherCount } = this.#largest;
    const series: Series[] = shares.map(({ group, name }, rank) => ({
      ...(group === null ? {} : { group }),
      name,
      values: this.#values[rank]?.finish(this.#times) ?? noValues,
    }));
    if (otherCount > 0)
      series.push({ name: 'Other', isOther: true, otherCount, values: this.#others.finish(this.#times) });
    return { times: this.#times.times.take(), series };
  }
}

const noValues = new Float64Array(0);

/** Adds up the shares of a history in a window, to find the largest. */
export class ShareSums {
  /** By key alone: a chart may have hundreds of thousands of names. */
  readonly #sums = new Map<string, number>();
  readonly #window: TimeWindow;
  #isGrouped = false;

  constructor(window: TimeWindow) {
    this.#window = window;
  }

  add({ times, shares, columns }: ShareHistory): void {
    const start = firstFrom(times, this.#window.from);
    const end = firstFrom(times, this.#window.to);
    for (const [index, share] of shares.entries()) {
      const column = columns[index] ?? noValues;
      const key = shareKey(share);
      const known = this.#sums.get(key);
      let sum = known ?? 0;
      let isPresent = known !== undefined;
      for (let at = start; at < end; at++) {
        const value = column[at] ?? 0;
        sum += value;
        isPresent ||= value !== 0;
      }
      if (isPresent) this.#sums.set(key, sum);
      this.#isGrouped = share.group !== null;
    }
  }

  /** The number of shares that are not 0 at every time. */
  get shareCount(): number {
    return this.#sums.size;
  }

  /** The `top` largest shares, the largest first, then by name. */
  finish(top: number): LargestShares {
    const shareOf = (key: string) => shareOfKey(key, this.#isGrouped);
    const largest = largestSums(
      this.#sums,
      top,
      ([keyA, a], [keyB, b]) => b - a || compareShares(shareOf(keyA), shareOf(keyB)),
    );
    return {
      shares: largest.map(([key]) => shareOf(key)),
      otherCount: this.shareCount - largest.length,
    };
  }
}

/** Finds the first `top` entries in an order. There may be more than can be sorted in a turn. */
export function largestSums<Entry>(
  entries: Iterable<Entry>,
  top: number,
  compare: (a: Entry, b: Entry) => number,
): readonly Entry[] {
  const largest: Entry[] = [];
  for (const entry of entries) {
    const last = largest[top - 1];
    if (last !== undefined && compare(last, entry) <= 0) continue;
    const rank = largest.findIndex((one) => compare(entry, one) < 0);
    largest.splice(rank === -1 ? largest.length : rank, 0, entry);
    if (largest.length > top) largest.pop();
  }
  return largest;
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
