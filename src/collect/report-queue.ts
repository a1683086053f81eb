/**
 * Adds reports to the log of their slot in batches, because a commit costs the same for one report and for a
 * thousand. Each report waits for its commit.
 */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../model/app-error.ts';
import { maxAppendBytes, type ReportStore } from '../model/report-store.ts';
import { openSlotReports } from './metrics.ts';
import {
  keyFor,
  type LoggedReport,
  parseLines,
  type ReportHashes,
  renderLine,
  type Submission,
} from './report-line.ts';

interface Pending {
  readonly slot: number;
  readonly submission: Submission;
  /** Bytes of its line with all of its parts. */
  readonly sizeBytes: number;
  readonly resolve: (outcomes: readonly KeepOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The part of the port that the queue uses. */
type Log = Pick<ReportStore, 'append' | 'readLog'>;

/** The reports that wait for their commit. Reports that arrive during a commit share the next one. */
export class ReportQueue {
  /** The most servers of an address that count for a plugin in a slot. */
  readonly maxPerAddress: number;
  readonly #log: Log;
  #pending: Pending[] = [];
  #flushing: Promise<void> | undefined;
  /** The reporters of the slot of the last report. */
  #latest: SlotReporters | undefined;

  constructor(log: Log, maxPerAddress: number) {
    this.#log = log;
    this.maxPerAddress = maxPerAddress;
  }

  /**
   * Keeps a report in an open slot.
   * @returns the outcomes of its plugins, when it is on disk.
   * @throws AppError `unavailable` if it cannot be kept, `body-too-large`.
   */
  async add(slot: number, submission: Submission): Promise<readonly KeepOutcome[]> {
    const sizeBytes = Buffer.byteLength(renderLine(submission, this.maxPerAddress));
    if (sizeBytes > maxAppendBytes) {
      const message = `a report may have at most ${maxAppendBytes} bytes in the log, with all digits of its numbers`;
      throw new AppError('body-too-large', message);
    }
    const { promise, resolve, reject } = Promise.withResolvers<readonly KeepOutcome[]>();
    this.#pending.push({ slot, submission, sizeBytes, resolve, reject });
    void this.flush();
    return promise;
  }

  /** Commits until nothing waits. Never rejects: each report gets the error. */
  flush(): Promise<void> {
    this.#flushing ??= this.#commitAll();
    return this.#flushing;
  }

  async #commitAll(): Promise<void> {
    do {
      // All requests that have arrived are read first, and share this commit.
      await setImmediate();
      await this.#commit(this.#takeBatch());
    } while (this.#pending.length > 0);
    // At once: a report that arrives now begins the next commit.
    this.#flushing = undefined;
  }

  /** Takes as many reports of one slot as fit into one commit. */
  #takeBatch(): readonly Pending[] {
    const [first] = this.#pending;
    let sizeBytes = 0;
    const { batch = [], rest = [] } = Object.groupBy(this.#pending, (one) => {
      if (one.slot !== first?.slot) return 'rest';
      sizeBytes += one.sizeBytes;
      return sizeBytes <= maxAppendBytes ? 'batch' : 'rest';
    });
    this.#pending = rest;
    return batch;
  }

  async #commit(batch: readonly Pending[]): Promise<void> {
    try {
      for (const answer of await this.#append(batch)) answer();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Appends the reports that count. @returns the answers to them. */
  async #append(batch: readonly Pending[]): Promise<readonly (() => void)[]> {
    const kept: Submission[] = [];
    const [{ slot }] = batch as readonly [Pending];
    const reporters = this.#latest?.slot === slot ? this.#latest : await this.#begin(slot);
    this.#latest = reporters;
    const answers = batch.map(({ submission, resolve }) => {
      const fates = submission.plugins.map(([pluginId]) => reporters.judge(submission, pluginId));
      const plugins = submission.plugins.filter((_, index) => fates[index] === 'kept');
      if (plugins.length > 0) {
        let { globalPlugin } = submission;
        if (globalPlugin && reporters.judge(submission, globalPlugin[0]) === 'repeated') globalPlugin = null;
        const report = { ...submission, plugins, globalPlugin };
        reporters.count(report, 1);
        kept.push(report);
      }
      return () => resolve(fates);
    });
    try {
      const lines = kept.map((report) => renderLine(report, this.maxPerAddress));
      if (lines.length > 0) await this.#log.append(slot, lines.join(''));
    } catch (error) {
      for (const report of kept) reporters.count(report, -1);
      throw error;
    }
    openSlotReports.inc(kept.length);
    return answers;
  }

  /** Learns who has reported in a slot before this start. */
  async #begin(slot: number): Promise<SlotReporters> {
    const reporters = new SlotReporters(slot, this.maxPerAddress);
    for await (const text of this.#log.readLog(slot)) {
      for (const report of parseLines(text)) reporters.count(report, 1);
      await setImmediate();
    }
    return reporters;
  }
}

/**
 * Decides about one plugin of a report. A server counts once for a plugin, and only a limited number of
 * servers of one address.
 */
export type KeepOutcome = 'kept' | 'repeated' | 'address_limit';

/** The number of maps for the counts: several, because a growing map is copied in one step. */
const mapCount = 64;

/**
 * The most keys of a map: all together take some 300 MB. Reports beyond them are accepted again, and dropped
 * when the slot is closed.
 */
const maxKeys = 48_000;

/** The reporters of one slot. */
class SlotReporters {
  readonly slot: number;
  readonly #maxPerAddress: number;
  /** The number of reports of a server, and of an address, by their keys for a plugin. */
  readonly #counts = Array.from({ length: mapCount }, () => new Map<number, number>());

  constructor(slot: number, maxPerAddress: number) {
    this.slot = slot;
    this.#maxPerAddress = maxPerAddress;
  }

  /** Judges a report for a plugin. */
  judge({ server, address }: ReportHashes, pluginId: number): KeepOutcome {
    if (this.#countOf(server, pluginId) > 0) return 'repeated';
    return this.#countOf(address, pluginId) < this.#maxPerAddress ? 'kept' : 'address_limit';
  }

  /** Remembers a report for all of its plugins, or with -1 forgets it. */
  count({ server, address, plugins, globalPlugin }: Submission | LoggedReport, change: 1 | -1): void {
    for (const [pluginId] of globalPlugin === null ? plugins : [...plugins, globalPlugin])
      for (const key of [keyFor(server, pluginId), keyFor(address, pluginId)]) {
        const counts = this.#countsWith(key);
        const count = counts.get(key);
        if (count !== undefined || counts.size < maxKeys) counts.set(key, (count ?? 0) + change);
      }
  }

  #countOf(hash: number, pluginId: number): number {
    const key = keyFor(hash, pluginId);
    return this.#countsWith(key).get(key) ?? 0;
  }

  #countsWith(key: number): Map<number, number> {
    return this.#counts[key % mapCount] as Map<number, number>;
  }
}
