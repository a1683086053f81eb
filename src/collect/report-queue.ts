/** Keeps reports in batches: a commit costs the same for one and for a thousand, and each report waits for the commit that has it. */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../model/app-error.ts';
import type { KeepOutcome, ReportStore, Submission } from '../model/report-store.ts';

/** Limits of a queue. */
interface QueueLimits {
  /** The most reports that wait; more are refused. */
  readonly maxPending: number;
  /** The most bytes of the reports that wait, and of those that are being committed; beyond that, more are refused. */
  readonly maxHeldBytes: number;
  /** While a commit takes longer than this, reports are refused at once instead of waiting for it. */
  readonly maxCommitMs: number;
}

const defaultQueueLimits: QueueLimits = {
  maxPending: 20_000,
  // A second of usual reports. Parsed, a hostile one takes twenty times its bytes.
  maxHeldBytes: 8 * 1024 * 1024,
  maxCommitMs: 3000,
};

interface Pending {
  readonly submission: Submission;
  readonly sizeBytes: number;
  readonly resolve: (outcomes: readonly KeepOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The reports that wait for their commit. Those that come while one runs share the next. */
export class ReportQueue {
  readonly #reports: Pick<ReportStore, 'keep'>;
  readonly #maxPerAddress: number;
  readonly #limits: QueueLimits;
  /** By slot. */
  #pending = new Map<number, Pending[]>();
  #pendingCount = 0;
  #heldBytes = 0;
  #flushing: Promise<void> | undefined;
  #commitStartedAt: number | undefined;
  #kept = { slot: 0, count: 0 };

  constructor(reports: Pick<ReportStore, 'keep'>, maxPerAddress: number, limits: Partial<QueueLimits> = {}) {
    this.#reports = reports;
    this.#maxPerAddress = maxPerAddress;
    this.#limits = { ...defaultQueueLimits, ...limits };
  }

  /**
   * Keeps a report in an open slot.
   * @param sizeBytes the size of the report as text.
   * @returns the fate of its plugins, when it is on disk.
   * @throws AppError `unavailable` if it cannot be kept, or too many wait.
   */
  add(slot: number, submission: Submission, sizeBytes: number): Promise<readonly KeepOutcome[]> {
    const { maxPending, maxHeldBytes } = this.#limits;
    if (this.isStalled || this.#pendingCount >= maxPending || this.#heldBytes >= maxHeldBytes)
      return Promise.reject(
        new AppError('unavailable', 'too many reports wait to be written', { kind: 'overloaded' }),
      );
    const { promise, resolve, reject } = Promise.withResolvers<readonly KeepOutcome[]>();
    const ofSlot = this.#pending.get(slot) ?? [];
    this.#pending.set(slot, ofSlot);
    ofSlot.push({ submission, sizeBytes, resolve, reject });
    this.#pendingCount++;
    this.#heldBytes += sizeBytes;
    void this.flush();
    return promise;
  }

  /** Counts the reports of a slot that were kept, those of the latest slot alone. */
  keptCount(slot: number): number {
    return this.#kept.slot === slot ? this.#kept.count : 0;
  }

  /** True while a commit takes too long. */
  get isStalled(): boolean {
    const since = this.#commitStartedAt;
    return since !== undefined && performance.now() - since > this.#limits.maxCommitMs;
  }

  /** Commits what waits, until nothing does. Never rejects: each report gets the error. */
  flush(): Promise<void> {
    this.#flushing ??= this.#commitAll().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #commitAll(): Promise<void> {
    while (this.#pendingCount > 0) {
      // All requests that have arrived are read first, and share this commit.
      await setImmediate();
      const slots = this.#pending;
      this.#pending = new Map();
      this.#pendingCount = 0;
      for (const [slot, pending] of slots) await this.#commit(slot, pending);
    }
  }

  async #commit(slot: number, pending: readonly Pending[]): Promise<void> {
    this.#commitStartedAt = performance.now();
    try {
      const submissions = pending.map(({ submission }) => submission);
      const outcomes = await this.#reports.keep(slot, submissions, this.#maxPerAddress);
      if (slot > this.#kept.slot) this.#kept = { slot, count: 0 };
      if (slot === this.#kept.slot) this.#kept.count += outcomes.filter((one) => one.includes('kept')).length;
      for (const [index, { resolve }] of pending.entries()) resolve(outcomes[index] ?? []);
    } catch (error) {
      for (const { reject } of pending) reject(error);
    } finally {
      for (const { sizeBytes } of pending) this.#heldBytes -= sizeBytes;
      this.#commitStartedAt = undefined;
    }
  }
}
