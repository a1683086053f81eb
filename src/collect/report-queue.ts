/** Adds reports to the log of their slot in batches: a commit costs the same for one and for a thousand, and each report waits for the one that has it. */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../model/app-error.ts';
import { maxAppendBytes, type ReportStore } from '../model/report-store.ts';
import { type PluginText, parseLines, type ReportHashes, renderLine } from './report-line.ts';
import { type KeepOutcome, SlotReporters } from './slot-reporters.ts';

/** While a commit takes longer than this, reports are refused at once instead of waiting for it. */
const defaultMaxCommitMs = 10_000;

/** A report that is to be kept. */
export interface Submission extends ReportHashes {
  readonly plugins: readonly PluginText[];
  /** The part for the global plugin. It counts, once for a server, if one of the plugins does. */
  readonly globalPlugin: PluginText | undefined;
}

interface Pending {
  readonly submission: Submission;
  /** Bytes of its line with all of its parts. */
  readonly sizeBytes: number;
  readonly resolve: (outcomes: readonly KeepOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The reporters of a slot, and how many reports of it were kept since the start. */
interface LatestSlot {
  readonly slot: number;
  readonly reporters: SlotReporters;
  keptCount: number;
}

/** The part of the port that the queue uses. */
type Log = Pick<ReportStore, 'append' | 'readLog'>;

/** The reports that wait for their commit. Those that come while one runs share the next. */
export class ReportQueue {
  readonly #log: Log;
  readonly #maxPerAddress: number;
  readonly #maxCommitMs: number;
  /** By slot. */
  #pending = new Map<number, Pending[]>();
  #flushing: Promise<void> | undefined;
  #commitStartedAt: number | undefined;
  /** Of the slot that took the last report. */
  #latest: LatestSlot | undefined;

  constructor(log: Log, maxPerAddress: number, { maxCommitMs = defaultMaxCommitMs } = {}) {
    this.#log = log;
    this.#maxPerAddress = maxPerAddress;
    this.#maxCommitMs = maxCommitMs;
  }

  /**
   * Keeps a report in an open slot.
   * @returns the fate of its plugins, when it is on disk.
   * @throws AppError `unavailable` if it cannot be kept, `overloaded` while a commit takes too long, `body-too-large`.
   */
  async add(slot: number, submission: Submission): Promise<readonly KeepOutcome[]> {
    if (this.isStalled)
      throw new AppError('unavailable', 'too many reports wait to be written', { kind: 'overloaded' });
    const sizeBytes = Buffer.byteLength(
      this.#lineOf(submission, submission.plugins, submission.globalPlugin),
    );
    if (sizeBytes > maxAppendBytes) {
      const message = `a report may have ${maxAppendBytes} bytes as it is kept, with all digits of its numbers`;
      throw new AppError('invalid', message, { kind: 'body-too-large' });
    }
    const { promise, resolve, reject } = Promise.withResolvers<readonly KeepOutcome[]>();
    const ofSlot = this.#pending.get(slot) ?? [];
    this.#pending.set(slot, ofSlot);
    ofSlot.push({ submission, sizeBytes, resolve, reject });
    void this.flush();
    return promise;
  }

  /** True if a server is known to have reported for a plugin in a slot. */
  hasReported(slot: number, hashes: ReportHashes, pluginId: number): boolean {
    return this.#latest?.slot === slot && this.#latest.reporters.has(hashes, pluginId);
  }

  /** Counts the reports of a slot that were kept since the start, those of the latest slot alone. */
  keptCount(slot: number): number {
    return this.#latest?.slot === slot ? this.#latest.keptCount : 0;
  }

  /** True while a commit takes too long. */
  get isStalled(): boolean {
    const since = this.#commitStartedAt;
    return since !== undefined && performance.now() - since > this.#maxCommitMs;
  }

  /** Commits what waits, until nothing does. Never rejects: each report gets the error. */
  flush(): Promise<void> {
    this.#flushing ??= this.#commitAll();
    return this.#flushing;
  }

  async #commitAll(): Promise<void> {
    do {
      // All requests that have arrived are read first, and share this commit.
      await setImmediate();
      const slots = this.#pending;
      this.#pending = new Map();
      for (const [slot, pending] of slots)
        for (const batch of batchesOf(pending)) await this.#commit(slot, batch);
    } while (this.#pending.size > 0);
    // At once: a report that comes now begins the next.
    this.#flushing = undefined;
  }

  async #commit(slot: number, pending: readonly Pending[]): Promise<void> {
    try {
      if (this.#latest?.slot !== slot) this.#latest = await this.#begin(slot);
      this.#commitStartedAt = performance.now();
      const outcomes = await this.#append(this.#latest, pending);
      for (const [index, { resolve }] of pending.entries()) resolve(outcomes[index] ?? []);
    } catch (error) {
      for (const { reject } of pending) reject(error);
    } finally {
      this.#commitStartedAt = undefined;
    }
  }

  #lineOf(
    hashes: ReportHashes,
    plugins: readonly PluginText[],
    globalPlugin: PluginText | undefined,
  ): string {
    const { server, address } = hashes;
    return renderLine({ server, address, maxPerAddress: this.#maxPerAddress }, plugins, globalPlugin);
  }

  /** Learns who has reported in a slot before this start. */
  async #begin(slot: number): Promise<LatestSlot> {
    const reporters = new SlotReporters(this.#maxPerAddress);
    for await (const text of this.#log.readLog(slot)) {
      for (const report of parseLines(text)) reporters.addLogged(report);
      await setImmediate();
    }
    return { slot, reporters, keptCount: 0 };
  }

  async #append(
    latest: LatestSlot,
    pending: readonly Pending[],
  ): Promise<readonly (readonly KeepOutcome[])[]> {
    const { slot, reporters } = latest;
    let text = '';
    let keptCount = 0;
    const added: (readonly [ReportHashes, number])[] = [];
    const outcomes = pending.map(({ submission }) => {
      const fates = submission.plugins.map(({ pluginId }) => reporters.judge(submission, pluginId));
      const kept = submission.plugins.filter((_, index) => fates[index] === 'kept');
      if (kept.length === 0) return fates;
      const { globalPlugin } = submission;
      const isGlobalNew = globalPlugin !== undefined && !reporters.has(submission, globalPlugin.pluginId);
      if (isGlobalNew) reporters.add(submission, globalPlugin.pluginId);
      for (const { pluginId } of isGlobalNew ? [...kept, globalPlugin] : kept)
        added.push([submission, pluginId]);
      text += this.#lineOf(submission, kept, isGlobalNew ? globalPlugin : undefined);
      keptCount++;
      return fates;
    });
    try {
      if (text !== '') await this.#log.append(slot, text);
    } catch (error) {
      for (const [hashes, pluginId] of added) reporters.add(hashes, pluginId, -1);
      throw error;
    }
    latest.keptCount += keptCount;
    return outcomes;
  }
}

/** Cuts reports into batches, each of which is one commit. */
function* batchesOf(pending: readonly Pending[]): Generator<readonly Pending[]> {
  let batch: Pending[] = [];
  let sizeBytes = 0;
  for (const one of pending) {
    if (batch.length > 0 && sizeBytes + one.sizeBytes > maxAppendBytes) {
      yield batch;
      batch = [];
      sizeBytes = 0;
    }
    batch.push(one);
    sizeBytes += one.sizeBytes;
  }
  if (batch.length > 0) yield batch;
}
