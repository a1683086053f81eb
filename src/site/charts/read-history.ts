/** Reads the history of a chart within bounds: backwards from its newest time, and then again in the order of time. */
import type { Turns } from '../../http/turns.ts';
import type { MetricsView, TimeWindow } from '../../model/metrics-reader.ts';
import type { ShareHistory } from '../../model/share-history.ts';
import { outerShares } from '../../series/share-steps.ts';

/** Limits of what is read for a picture. */
export interface HistoryBounds {
  /** Values at all times; about a second of work. */
  readonly maxCells: number;
  /** Different shares at all times: some 30 MB. */
  readonly maxShares: number;
  /** Values that are kept decoded, 4 MB; those of a larger history are decoded twice. */
  readonly maxKeptCells: number;
}

/** The limits of pictures. */
export const pictureBounds: HistoryBounds = {
  maxCells: 10_000_000,
  maxShares: 100_000,
  maxKeptCells: 500_000,
};

/** Values to read at once: about a megabyte. */
const cellsPerSlice = 500_000;

const growth = 4;

/** A chart of shares, and how it is read. */
interface HistorySource {
  readonly view: MetricsView;
  readonly uid: number;
  readonly turns: Turns;
  readonly bounds: HistoryBounds;
}

/** One reading of a history. Its parts have outer shares alone. */
export class HistoryReading {
  readonly #source: HistorySource;
  /** The windows that were read, in ascending order. */
  readonly #slices: TimeWindow[] = [];
  #kept: ShareHistory[] | undefined = [];
  #cellCount = 0;

  constructor(source: HistorySource) {
    this.#source = source;
  }

  /** The beginning of what was read; later than the window's where it is more than the bounds allow. */
  get from(): number {
    return this.#slices[0]?.from ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Reads slices of a window, the newest first, until the bounds are reached. It ends with the newest time of the history.
   * @param shareCount gives the number of different shares in what was taken.
   */
  async *takeSlices(window: TimeWindow, shareCount: () => number): AsyncGenerator<readonly ShareHistory[]> {
    const { maxCells, maxShares, maxKeptCells } = this.#source.bounds;
    // The first slice is the newest part, whose density is not known yet.
    let lengthMs = 1;
    for (let end = window.to; end > window.from; ) {
      if (this.#cellCount > maxCells || shareCount() > maxShares) return;
      const from = Math.max(window.from, end - lengthMs);
      const parts: ShareHistory[] = [];
      for await (const part of this.#partsIn({ from, to: end })) parts.push(part);
      const cells = parts.reduce((sum, { times, shares }) => sum + times.length * shares.length, 0);
      this.#cellCount += cells;
      if (this.#cellCount > maxKeptCells) this.#kept = undefined;
      this.#kept?.unshift(...parts);
      // A part is read whole, so the next slice ends where it begins.
      const start = Math.min(from, parts[0]?.times[0] ?? from);
      this.#slices.unshift({ from: Math.max(window.from, start), to: end });
      yield parts;
      lengthMs = (end - start) * (cells * growth > cellsPerSlice ? 1 : growth);
      end = start;
    }
  }

  /** The parts of all slices in ascending order. */
  async *takeAgain(): AsyncGenerator<ShareHistory> {
    if (this.#kept !== undefined) yield* this.#kept;
    else for (const slice of this.#slices) yield* this.#partsIn(slice);
  }

  async *#partsIn(slice: TimeWindow): AsyncGenerator<ShareHistory> {
    const { view, uid, turns } = this.#source;
    for await (const part of view.readHistory(uid, slice)) {
      yield part.shares.some(({ group }) => group !== null) ? outerShares(part) : part;
      await turns.next();
    }
  }
}
