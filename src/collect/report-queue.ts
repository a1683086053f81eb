/** Keeps reports in batches: a commit costs the same for one and for a thousand, and each report waits for the commit that has it. */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../model/app-error.ts';
import type { KeepOutcome, ReportStore, Submission } from '../model/report-store.ts';

/** While a commit takes longer than this, reports are refused at once instead of waiting for it. */
const defaultMaxCommitMs = 10_000;

/** Size of the reports at which a commit is full: a larger one would hold up others, and its row would be hard to read again. */
const maxCommitBytes = 1024 * 1024;

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
  readonly #maxCommitMs: number;
  /** By slot. */
  #pending = new Map<number, Pending[]>();
  #flushing: Promise<void> | undefined;
  #commitStartedAt: number | undefined;
  #kept = { slot: 0, count: 0 };

  constructor(
    reports: Pick<ReportStore, 'keep'>,
    maxPerAddress: number,
    { maxCommitMs = defaultMaxCommitMs } = {},
  ) {
    this.#reports = reports;
    this.#maxPerAddress = maxPerAddress;
    this.#maxCommitMs = maxCommitMs;
  }

  /**
   * Keeps a report in an open slot.
   * @param sizeBytes the size of the report as text.
   * @returns the fate of its plugins, when it is on disk.
   * @throws AppError `unavailable` if it cannot be kept, `overloaded` while a commit takes too long.
   */
  add(slot: number, submission: Submission, sizeBytes: number): Promise<readonly KeepOutcome[]> {
    if (this.isStalled)
      return Promise.reject(
        new AppError('unavailable', 'too many reports wait to be written', { kind: 'overloaded' }),
      );
    const { promise, resolve, reject } = Promise.withResolvers<readonly KeepOutcome[]>();
    const ofSlot = this.#pending.get(slot) ?? [];
    this.#pending.set(slot, ofSlot);
    ofSlot.push({ submission, sizeBytes, resolve, reject });
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
    return since !== undefined && performance.now() - since > this.#maxCommitMs;
  }

  /** Commits what waits, until nothing does. Never rejects: each report gets the error. */
  flush(): Promise<void> {
    this.#flushing ??= this.#commitAll().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #commitAll(): Promise<void> {
    while (this.#pending.size > 0) {
      // All requests that have arrived are read first, and share this commit.
      await setImmediate();
      const slots = this.#pending;
      this.#pending = new Map();
      for (const [slot, pending] of slots)
        for (const batch of batchesOf(pending)) await this.#commit(slot, batch);
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
      this.#commitStartedAt = undefined;
    }
  }
}

/** Cuts reports into batches, each of which is one commit. */
function* batchesOf(pending: readonly Pending[]): Generator<readonly Pending[]> {
  let batch: Pending[] = [];
  let sizeBytes = 0;
  for (const one of pending) {
    batch.push(one);
    sizeBytes += one.sizeBytes;
    if (sizeBytes < maxCommitBytes) continue;
    yield batch;
    batch = [];
    sizeBytes = 0;
  }
  if (batch.length > 0) yield batch;
}
