/** Computes the history of a chart of shares over a window, by step. */

import {
  type Columns,
  compareShares,
  type Series,
  type ShareName,
  shareKey,
  unnamed,
} from '../model/columns.ts';
import type { SeriesOfChart, Stepping } from '../model/series-source.ts';
import { minorLine } from '../model/versions.ts';
import { type DataWindow, firstFrom } from '../model/window.ts';
import { nextTurn } from '../runtime/next-turn.ts';
import { free } from '../runtime/releasable-memory.ts';
import { StepTimes, StepValues } from './steps.ts';

/** The largest shares of a chart within a window. */
export interface LargestShares {
  /** Largest first. */
  readonly shares: readonly ShareName[];
  /** Number of all other shares. */
  readonly otherCount: number;
}

/** Collects the values of the shares that {@link ShareSums} has found. */
export class ShareSteps {
  readonly #times: StepTimes;
  readonly #chosen: ReadonlyMap<number, number>;
  readonly #largest: LargestShares;
  readonly #values: readonly StepValues[];
  readonly #others: StepValues;

  constructor(stepping: Stepping, largest: LargestShares) {
    this.#times = new StepTimes(stepping);
    this.#largest = largest;
    this.#chosen = new Map(largest.shares.map((share, rank) => [hashOf(share), rank]));
    this.#values = largest.shares.map(() => new StepValues(stepping));
    this.#others = new StepValues(stepping);
  }

  /** Adds a part, which must be later than all parts before. */
  add({ times, series }: Columns): void {
    const range = this.#times.add(times);
    if (range.start === range.end) return;
    const found: (Float64Array | undefined)[] = [];
    let rest: Float64Array | undefined;
    for (const share of series) {
      const rank = this.#chosen.get(hashOf(share));
      if (rank !== undefined) found[rank] = share.values;
      else {
        rest ??= new Float64Array(times.length);
        addTo(rest, share.values);
      }
    }
    for (const [rank, values] of this.#values.entries()) values.add(range, found[rank]);
    if (this.#largest.otherCount > 0) this.#others.add(range, rest);
  }

  /** Returns the times, a series for each of the largest shares, and one for the sum of all others. */
  finish(): { readonly times: Float64Array; readonly series: readonly SeriesOfChart[] } {
    const { shares, otherCount } = this.#largest;
    const series: SeriesOfChart[] = shares.map(({ group, name }, rank) => ({
      group,
      name,
      values: this.#values[rank]?.finish(this.#times) ?? noValues,
    }));
    if (otherCount > 0) {
      const values = this.#others.finish(this.#times);
      series.push({ group: null, name: 'Other', isOther: true, otherCount, values });
    }
    return { times: this.#times.times.take(), series };
  }
}

const noValues = new Float64Array(0);

function addTo(sums: Float64Array, values: Float64Array): void {
  for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (values[at] ?? 0);
}

type ShareSum = readonly [share: ShareName, sum: number];

function compareSums([shareA, a]: ShareSum, [shareB, b]: ShareSum): number {
  return b - a || compareShares(shareA, shareB);
}

/**
 * Finds the largest shares of a history within a window, in two passes: `add` sums up all parts, then `look`
 * finds the names. A chart may have a million names, which would take hundreds of megabytes, so the first
 * pass keeps only a 53-bit hash of each.
 */
export class ShareSums implements Disposable {
  readonly #window: DataWindow;
  /**
   * Open-addressing hash table of the shares, probed from the lowest bits of the hash; 0 marks a free slot.
   */
  #hashes = new Float64Array(1);
  /** Sums, at the same indexes as the hashes. */
  #sums = new Float64Array(1);
  #count = 0;
  readonly #largest: ShareSum[] = [];

  constructor(window: DataWindow) {
    this.#window = window;
  }

  /** Makes room for the shares of a part, in turns. */
  async makeRoom({ series }: Columns): Promise<void> {
    const [hashes, sums] = [this.#hashes, this.#sums];
    if ((this.#count + series.length) * 2 <= hashes.length) return;
    const placeCount = 2 ** Math.ceil(Math.log2((this.#count + series.length) * 4));
    this.#hashes = new Float64Array(placeCount);
    this.#sums = new Float64Array(placeCount);
    for (let place = 0; place < hashes.length; place++) {
      if (place % placesPerTurn === 0) await nextTurn();
      const hash = hashes[place] ?? 0;
      if (hash === 0) continue;
      const moved = this.#placeOf(hash);
      this.#hashes[moved] = hash;
      this.#sums[moved] = sums[place] ?? 0;
    }
    free(hashes.buffer);
    free(sums.buffer);
  }

  /** Adds a part; `makeRoom` must have been called for it. */
  add({ times, series }: Columns): void {
    const start = firstFrom(times, this.#window.from);
    const end = firstFrom(times, this.#window.to);
    for (const share of series) {
      const { values } = share;
      let at = start;
      while (at < end && values[at] === 0) at++;
      if (at >= end) continue;
      const hash = hashOf(share);
      const place = this.#placeOf(hash);
      let sum = this.#sums[place] ?? 0;
      for (; at < end; at++) sum += values[at] ?? 0;
      this.#sums[place] = sum;
      if (this.#hashes[place] === hash) continue;
      this.#hashes[place] = hash;
      this.#count++;
    }
  }

  /** Number of shares that are not always 0. */
  get shareCount(): number {
    return this.#count;
  }

  /** Second pass: looks for the `top` largest shares in a part, after all parts have been added. */
  look({ series }: Columns, top: number): void {
    for (const share of series) {
      const hash = hashOf(share);
      const place = this.#placeOf(hash);
      if (this.#hashes[place] === hash)
        keepFirst(this.#largest, [share, this.#sums[place] ?? 0], { top, compare: compareSums });
    }
  }

  /** Largest shares in the parts passed to `look`, by size, then by name. */
  get largest(): LargestShares {
    return {
      shares: this.#largest.map(([{ group, name }]) => ({ group, name })),
      otherCount: this.#count - this.#largest.length,
    };
  }

  [Symbol.dispose](): void {
    free(this.#hashes.buffer);
    free(this.#sums.buffer);
  }

  /** Finds the slot of a hash, or the free slot where it belongs. */
  #placeOf(hash: number): number {
    const last = this.#hashes.length - 1;
    let place = hash & last;
    while (this.#hashes[place] !== hash && this.#hashes[place] !== 0) place = (place + 1) & last;
    return place;
  }
}

const placesPerTurn = 4096;

/** Differs in each process, so that an attacker cannot choose names with colliding hashes. */
const seed = Math.random() * 2 ** 32;

/**
 * Hashes a share to 53 bits (cyrb53), never 0. With a million shares, one chart in 10,000 has a collision.
 */
function hashOf({ group, name }: ShareName): number {
  let [high, low] = [seed ^ 0xdeadbeef, seed ^ 0x41c6ce57];
  const add = (unit: number) => {
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  };
  if (group !== null) {
    for (let at = 0; at < group.length; at++) add(group.charCodeAt(at));
    add(0x10000);
  }
  for (let at = 0; at < name.length; at++) add(name.charCodeAt(at));
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (low & 0x1fffff) * 2 ** 32 + (high >>> 0) || 1;
}

/** Inserts an entry if it is new and among the first `top` in the order. */
function keepFirst<Entry>(
  first: Entry[],
  entry: Entry,
  { top, compare }: { readonly top: number; readonly compare: (a: Entry, b: Entry) => number },
): void {
  const last = first[top - 1];
  if (last !== undefined && compare(last, entry) <= 0) return;
  const found = first.findIndex((one) => compare(entry, one) <= 0);
  const rank = found === -1 ? first.length : found;
  const same = first[rank];
  if (same !== undefined && compare(entry, same) === 0) return;
  first.splice(rank, 0, entry);
  if (first.length > top) first.pop();
}

/**
 * Finds the first `top` distinct entries in the order, without sorting all of them, which could take too long
 * for a turn.
 */
export function largestSums<Entry>(
  entries: Iterable<Entry>,
  top: number,
  compare: (a: Entry, b: Entry) => number,
): readonly Entry[] {
  const largest: Entry[] = [];
  for (const entry of entries) keepFirst(largest, entry, { top, compare });
  return largest;
}

/**
 * Adds up the inner shares of each group, which gives the outer shares of a drilldown pie. Input and result
 * are in the order of `compareShares`, as in every chunk. The numbers of the result share one buffer.
 */
export function outerShares(columns: Columns): Columns {
  const outer: ShareName[] = [];
  const ranks = Uint32Array.from(columns.series, ({ group, name: inner }) => {
    const name = group ?? inner;
    return (name === outer.at(-1)?.name ? outer.length : outer.push({ group: null, name })) - 1;
  });
  return addUp(columns, outer, ranks);
}

/**
 * Adds up the versions of each minor line, in names and in groups. The numbers of the result share one
 * buffer.
 */
export function minorShares(columns: Columns): Columns {
  const places = new Map<string, number>();
  const shares: ShareName[] = [];
  const ranks = Uint32Array.from(columns.series, ({ group, name }) => {
    const share = { group: group === null ? null : minorLine(group), name: minorLine(name) };
    const key = shareKey(share);
    const place = places.get(key) ?? shares.push(share) - 1;
    places.set(key, place);
    return place;
  });
  return addUp(columns, shares, ranks);
}

/** Adds up series. @param ranks maps each series to the index of its sum. */
function addUp({ times, series }: Columns, names: readonly ShareName[], ranks: Uint32Array): Columns {
  const numbers = new Float64Array((1 + names.length) * times.length);
  const [ownTimes = numbers, ...sums] = Array.from({ length: 1 + names.length }, (_, rank) =>
    numbers.subarray(rank * times.length, (rank + 1) * times.length),
  );
  ownTimes.set(times);
  for (let index = 0; index < ranks.length; index++) {
    const [sum, one] = [sums[ranks[index] ?? 0], series[index]];
    if (sum !== undefined && one !== undefined) addTo(sum, one.values);
  }
  const added = names.map((name, rank): Series => ({ ...unnamed, ...name, values: sums[rank] ?? noValues }));
  return { times: ownTimes, series: added };
}
