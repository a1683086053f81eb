/** Reads the history of a chart within bounds: backwards from its newest time, and then again in the order of time. */

import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../model/next-turn.ts';
import type { ShareHistory } from '../../model/share-history.ts';
import type { TimeWindow } from '../../model/window.ts';
import { outerShares } from '../../series/share-steps.ts';

/** Limits of what is read for a picture. */
export interface HistoryBounds {
  /** Weight of all parts: about a second of work. */
  readonly maxWeight: number;
  /** Different shares at all times: some 20 MB. */
  readonly maxShares: number;
  /** Weight of parts that are kept decoded: 4 MB. Those of a larger history are decoded twice. */
  readonly maxKeptWeight: number;
}

/** The limits of pictures. */
export const pictureBounds: HistoryBounds = {
  maxWeight: 10_000_000,
  maxShares: 50_000,
  maxKeptWeight: 500_000,
};

/** Weight of the parts of a slice: about a megabyte to read. */
const sliceWeight = 250_000;

const growth = 4;

/** A chart of shares, and how it is read. */
interface HistorySource {
  readonly view: MetricsView;
  readonly uid: number;
  readonly bounds: HistoryBounds;
}

/** One reading of a history. Its parts have outer shares alone. */
export class HistoryReading {
  readonly #source: HistorySource;
  /** The windows that were read, in ascending order. */
  readonly #slices: TimeWindow[] = [];
  #kept: ShareHistory[] | undefined = [];
  #weight = 0;

  constructor(source: HistorySource) {
    this.#source = source;
  }

  /** The beginning of what was read; later than that of the window if it is more than the bounds allow. */
  get from(): number {
    return this.#slices[0]?.from ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Reads slices of a window, the newest first, until the bounds are reached; the parts of a slice ascend. The window ends with the newest time
   * of the history.
   * @param shareCount gives the number of different shares in what was taken.
   */
  async *takeBackwards(window: TimeWindow, shareCount: () => number): AsyncGenerator<ShareHistory> {
    const { maxWeight, maxShares, maxKeptWeight } = this.#source.bounds;
    // The first slice is the newest part, whose density is not known yet.
    let lengthMs = 1;
    for (let end = window.to; end > window.from; ) {
      if (this.#weight > maxWeight || shareCount() > maxShares) return;
      const from = Math.max(window.from, end - lengthMs);
      const before = this.#weight;
      const kept: ShareHistory[] = [];
      let start = from;
      for await (const part of this.#partsIn({ from, to: end })) {
        // A part is read whole, so the next slice ends where the first one begins.
        start = Math.min(start, part.times[0] ?? start);
        this.#weight += weightOf(part);
        if (this.#weight > maxKeptWeight) this.#kept = undefined;
        if (this.#kept !== undefined) kept.push(part);
        yield part;
      }
      this.#kept?.unshift(...kept);
      this.#slices.unshift({ from: Math.max(window.from, start), to: end });
      lengthMs = (end - start) * ((this.#weight - before) * growth > sliceWeight ? 1 : growth);
      end = start;
    }
  }

  /** Takes the same parts in ascending order. */
  async *takeAgain(): AsyncGenerator<ShareHistory> {
    if (this.#kept === undefined) for (const slice of this.#slices) yield* this.#partsIn(slice);
    else
      for (const part of this.#kept) {
        yield part;
        await nextTurn();
      }
  }

  async *#partsIn(slice: TimeWindow): AsyncGenerator<ShareHistory> {
    const { view, uid } = this.#source;
    for await (const part of view.readHistory(uid, slice)) {
      yield part.shares.some(({ group }) => group !== null) ? outerShares(part) : part;
      await nextTurn();
    }
  }
}

/** The number of values, and for each share as much as 16 of them. */
function weightOf({ times, shares }: ShareHistory): number {
  return (times.length + 16) * shares.length;
}
