/** The clock of a collector: it opens slots, notes which times were covered, and closes slots that have ended. */
import { AppError } from '../model/app-error.ts';
import type { ReportStore } from '../model/report-store.ts';
import type { Store } from '../model/store.ts';
import { type ClosedSlot, closeSlot } from './close-slot.ts';

/** A slot that takes reports. */
export interface CurrentSlot {
  readonly start: number;
  /** Time at which the next one begins, in Unix milliseconds. */
  readonly end: number;
  /** The key of its hashes. */
  readonly key: Uint8Array;
}

/** Options of {@link SlotClock}. */
export interface SlotClockOptions {
  readonly store: Store;
  readonly reports: ReportStore;
  readonly slotMs: number;
  /** As in `closeSlot`. */
  readonly historyMs: number | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Milliseconds that never jump. */
  readonly monotonicNow: () => number;
  readonly onClosed: (start: number, closed: ClosedSlot, tookMs: number) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Time after the end of a slot in which other collectors, and reports on their way to the disk, still reach it. */
const graceMs = 3000;

/** The most that the clock may differ from the time that has passed, before the time between counts as not covered. */
const maxDriftMs = 5000;

/** The slots of one collector. */
export class SlotClock {
  readonly #options: SlotClockOptions;
  #opening: { readonly start: number; readonly slot: Promise<CurrentSlot> } | undefined;
  /** The beginning of the time that is covered without a break, and the latest note of it; undefined while nothing is. */
  #covered: { readonly slot: number; readonly from: number } | undefined;
  #notedAt: { readonly wall: number; readonly monotonic: number } | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: SlotClockOptions) {
    this.#options = options;
  }

  /**
   * Returns the slot of this moment, and opens it if it is new.
   * @throws AppError as `openSlot`: also `conflict`, where the clock has been put back into a slot that is closed.
   */
  current(): Promise<CurrentSlot> {
    const { now, slotMs, reports } = this.#options;
    const start = Math.floor(now() / slotMs) * slotMs;
    if (this.#opening?.start !== start) {
      const slot = reports.openSlot(start).then((key): CurrentSlot => ({ start, end: start + slotMs, key }));
      const opening = { start, slot };
      this.#opening = opening;
      slot.catch(() => {
        // The next report tries again.
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return this.#opening.slot;
  }

  /** Does what is due: to be called every second or so. Never rejects. */
  async tick(): Promise<void> {
    try {
      await this.#cover();
    } catch (error) {
      this.breakCoverage();
      this.#options.onFailure(error);
    }
    this.#closing ??= this.#closeEnded()
      .catch((error) => this.#options.onFailure(error))
      .finally(() => {
        this.#closing = undefined;
      });
  }

  /** Ends the time that is covered, as reports could not be kept; it begins again with the next tick. */
  breakCoverage(): void {
    this.#covered = undefined;
    this.#notedAt = undefined;
  }

  /** Waits for a slot that is being closed, and notes the time that was covered. */
  async stop(): Promise<void> {
    try {
      if (this.#covered !== undefined) await this.#cover();
    } catch (error) {
      this.#options.onFailure(error);
    }
    await this.#closing;
  }

  async #cover(): Promise<void> {
    const { reports, slotMs } = this.#options;
    const { start } = await this.current();
    const [wall, monotonic] = [this.#options.now(), this.#options.monotonicNow()];
    if (this.#notedAt !== undefined) {
      const drift = wall - this.#notedAt.wall - (monotonic - this.#notedAt.monotonic);
      if (Math.abs(drift) > maxDriftMs) this.breakCoverage();
    }
    if (this.#covered !== undefined && this.#covered.slot !== start) {
      const { slot, from } = this.#covered;
      await reports.noteCoverage(slot, { from, until: slot + slotMs });
      this.#covered = slot + slotMs === start ? { slot: start, from: start } : undefined;
    }
    this.#covered ??= { slot: start, from: wall };
    await reports.noteCoverage(start, {
      from: this.#covered.from,
      until: Math.max(this.#covered.from, wall),
    });
    this.#notedAt = { wall, monotonic };
  }

  async #closeEnded(): Promise<void> {
    const { reports, slotMs, now, monotonicNow, onClosed } = this.#options;
    for (const slot of await reports.listSlots()) {
      if (slot.start + slotMs + graceMs > now()) continue;
      const startedAt = monotonicNow();
      const closed = await closeSlot(slot, this.#options);
      onClosed(slot.start, closed, monotonicNow() - startedAt);
    }
  }
}

/** True for the error of a slot that is closed already. */
export function isClosedSlot(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'slot-closed';
}
