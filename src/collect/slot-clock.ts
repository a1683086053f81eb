/**
 * The clock of a collector: it opens slots, notes which parts of them are covered, and closes slots that have
 * ended.
 */
import { isAppError } from '../model/app-error.ts';
import { type ReportStore, slotParts } from '../model/report-store.ts';
import type { ClosedSlot, CloseSlot } from './close-slot.ts';
import { openSlotReports } from './metrics.ts';

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
  readonly reports: ReportStore;
  /** Finds the reason not to count for the store, such as another version; undefined if there is none. */
  readonly findRefusal?: () => unknown;
  readonly slotMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Milliseconds that never jump. */
  readonly monotonicNow: () => number;
  readonly closeSlot: CloseSlot;
  readonly onClosed: (start: number, closed: ClosedSlot, tookMs: number) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Time after the end of a slot in which other collectors, and reports on their way to the disk, can still
 * reach it.
 */
const graceMs = 3000;

/** Time for which a stop waits for a slot that is being closed. Otherwise the next start finishes it. */
const stopMs = 5000;

/** Time after a failure until slots are closed again. */
const retryMs = 3000;

/** Time without a successful write after which reports count as unwritable. */
const maxSilenceMs = 10_000;

/** Failures in a row after which the collector is not ready. */
const maxFailures = 3;

/** The slots of one collector. */
export class SlotClock {
  readonly #options: SlotClockOptions;
  #opening: { readonly start: number; readonly slot: Promise<CurrentSlot> } | undefined;
  /** True after a failure: the slot may be missing in the place that the next report is written to. */
  #isStale = false;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #refusal: unknown;
  #closing: Promise<void> | undefined;
  #closingFailedAt = Number.NEGATIVE_INFINITY;
  /** The slot whose last closing failed, and how often in a row. */
  #failing = { start: 0, count: 0 };
  readonly #abort = new AbortController();

  constructor(options: SlotClockOptions) {
    this.#options = options;
  }

  /**
   * Returns the slot of this moment, and opens it if it is new.
   * @throws the last refusal, and AppError as `openSlot`, such as `conflict` if the clock has been put back
   * into a closed slot.
   */
  current(): Promise<CurrentSlot> {
    const { slotMs, reports } = this.#options;
    const { start } = this;
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (this.#opening?.start !== start) openSlotReports.set(0);
    if (this.#opening?.start !== start || this.#isStale) {
      this.#isStale = false;
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

  /**
   * Opens the slot of this moment before the first report comes.
   * @throws AppError as `openSlot`, except for a closed slot.
   */
  async begin(): Promise<void> {
    await this.current().catch((error) => {
      if (!isAppError(error, 'slot-closed')) throw error;
    });
  }

  /** Does what is due; to be called about every second. Never rejects. */
  async tick(): Promise<void> {
    try {
      await this.#cover();
    } catch (error) {
      this.noteFailure();
      this.#options.onFailure(error);
    }
    const { onFailure, monotonicNow } = this.#options;
    if (monotonicNow() - this.#closingFailedAt < retryMs) return;
    this.#closing ??= this.#closeEnded()
      .catch((error) => {
        this.#closingFailedAt = monotonicNow();
        this.#isStale = true;
        onFailure(error);
      })
      .finally(() => {
        this.#closing = undefined;
      });
  }

  /** Beginning of the slot of this moment. */
  get start(): number {
    const { now, slotMs } = this.#options;
    return Math.floor(now() / slotMs) * slotMs;
  }

  /**
   * Finds why this collector is not ready: reports cannot be written, or closing a slot failed three times in
   * a row.
   */
  findReason(): string | undefined {
    if (this.#options.monotonicNow() - this.#writtenAt >= maxSilenceMs)
      return 'the reports cannot be written';
    const { start, count } = this.#failing;
    return count < maxFailures ? undefined : `the slot of ${new Date(start).toISOString()} cannot be closed`;
  }

  /** Notes that reports could not be written; the next tick tries again, and opens the slot again. */
  noteFailure(): void {
    this.#writtenAt = Number.NEGATIVE_INFINITY;
    this.#isStale = true;
  }

  /** Waits a while for a slot that is being closed. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#abort.abort(), stopMs);
    await this.#closing;
    clearTimeout(timer);
  }

  /** Marks the present part of the slot as covered, because the log can be written. */
  async #cover(): Promise<void> {
    const { reports, slotMs, now, monotonicNow, findRefusal } = this.#options;
    this.#refusal = findRefusal?.();
    const time = now();
    const { start } = await this.current();
    const part = Math.floor(((time - start) * slotParts) / slotMs);
    // Otherwise another slot has just begun.
    if (part >= 0 && part < slotParts) await reports.cover(start, 2 ** part);
    this.#writtenAt = monotonicNow();
  }

  async #closeEnded(): Promise<void> {
    const { reports, slotMs, now, monotonicNow, closeSlot, onClosed } = this.#options;
    for (const slot of await reports.listSlots()) {
      const { start } = slot;
      if (start + slotMs + graceMs > now()) continue;
      const startedAt = monotonicNow();
      try {
        onClosed(start, await closeSlot(slot, this.#abort.signal), monotonicNow() - startedAt);
      } catch (error) {
        if (this.#failing.start !== start) this.#failing = { start, count: 0 };
        this.#failing.count++;
        throw error;
      }
    }
    // Another collector may have closed the failed slot.
    this.#failing.count = 0;
  }
}
