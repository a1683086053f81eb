/** Keeps reports in batches: a commit costs the same for one and for a thousand, and each report waits for the commit that has it. */
import { AppError } from '../model/app-error.ts';
import type { KeepOutcome, ReportStore, Submission } from '../model/report-store.ts';

/** Time that a report waits for others to share its commit. While a commit runs, all that come share the next. */
const gatherMs = 3;

/** The most reports of a batch, which then does not wait. */
const maxBatch = 2000;

/** The most reports that wait; more are refused. */
const maxPending = 20_000;

/** With a commit that takes longer than this, reports are refused at once instead of waiting for it. */
const maxCommitMs = 3000;

interface Pending {
  readonly submission: Submission;
  readonly resolve: (outcomes: readonly KeepOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The reports that wait for their commit. */
export class ReportQueue {
  readonly #reports: ReportStore;
  readonly #maxPerAddress: number;
  /** By slot. */
  #pending = new Map<number, Pending[]>();
  #pendingCount = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #commitStartedAt: number | undefined;

  constructor(reports: ReportStore, maxPerAddress: number) {
    this.#reports = reports;
    this.#maxPerAddress = maxPerAddress;
  }

  /**
   * Keeps a report in an open slot.
   * @returns the fate of its plugins, when it is on disk.
   * @throws AppError `unavailable` if it cannot be kept, or too many wait.
   */
  add(slot: number, submission: Submission): Promise<readonly KeepOutcome[]> {
    const isStalled =
      this.#commitStartedAt !== undefined && performance.now() - this.#commitStartedAt > maxCommitMs;
    if (isStalled || this.#pendingCount >= maxPending)
      return Promise.reject(
        new AppError('unavailable', 'too many reports wait to be written', { kind: 'overloaded' }),
      );
    const { promise, resolve, reject } = Promise.withResolvers<readonly KeepOutcome[]>();
    const ofSlot = this.#pending.get(slot) ?? [];
    this.#pending.set(slot, ofSlot);
    ofSlot.push({ submission, resolve, reject });
    this.#pendingCount++;
    if (this.#pendingCount >= maxBatch) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), gatherMs);
    return promise;
  }

  /** Commits what waits. Never rejects: each report gets the error. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // One commit at a time; what comes meanwhile is in the next.
    while (this.#flushing !== undefined) await this.#flushing;
    if (this.#pendingCount === 0) return;
    this.#flushing = this.#commitAll().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async #commitAll(): Promise<void> {
    const slots = this.#pending;
    this.#pending = new Map();
    this.#pendingCount = 0;
    for (const [slot, pending] of slots) {
      this.#commitStartedAt = performance.now();
      try {
        const submissions = pending.map(({ submission }) => submission);
        const outcomes = await this.#reports.keep(slot, submissions, this.#maxPerAddress);
        for (const [index, { resolve }] of pending.entries()) resolve(outcomes[index] ?? []);
      } catch (error) {
        for (const { reject } of pending) reject(error);
      } finally {
        this.#commitStartedAt = undefined;
      }
    }
  }
}
