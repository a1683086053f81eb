/** Adds reports to the log of their slot in batches: a commit costs the same for one and for a thousand, and each report waits for the one that has it. */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../model/app-error.ts';
import { maxAppendBytes, type ReportStore } from '../model/report-store.ts';
import { openSlotReports } from './metrics.ts';
import {
  keyFor,
  type LoggedReport,
  type PluginText,
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

/** The reports that wait for their commit. Those that come while one runs share the next. */
export class ReportQueue {
  readonly #log: Log;
  readonly #maxPerAddress: number;
  #pending: Pending[] = [];
  #flushing: Promise<void> | undefined;
  /** Of the slot that took the last report. */
  #latest: SlotReporters | undefined;

  constructor(log: Log, maxPerAddress: number) {
    this.#log = log;
    this.#maxPerAddress = maxPerAddress;
  }

  /**
   * Keeps a report in an open slot.
   * @returns the fate of its plugins, when it is on disk.
   * @throws AppError `unavailable` if it cannot be kept, `body-too-large`.
   */
  async add(slot: number, submission: Submission): Promise<readonly KeepOutcome[]> {
    const sizeBytes = Buffer.byteLength(renderLine(submission, this.#maxPerAddress));
    if (sizeBytes > maxAppendBytes) {
      const message = `a report may have ${maxAppendBytes} bytes as it is kept, with all digits of its numbers`;
      throw new AppError('invalid', message, { kind: 'body-too-large' });
    }
    const { promise, resolve, reject } = Promise.withResolvers<readonly KeepOutcome[]>();
    this.#pending.push({ slot, submission, sizeBytes, resolve, reject });
    void this.flush();
    return promise;
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
      const pending = this.#pending;
      this.#pending = [];
      for (const [slot, batch] of batchesOf(pending)) await this.#commit(slot, batch);
    } while (this.#pending.length > 0);
    // At once: a report that comes now begins the next.
    this.#flushing = undefined;
  }

  async #commit(slot: number, pending: readonly Pending[]): Promise<void> {
    try {
      if (this.#latest?.slot !== slot) this.#latest = await this.#begin(slot);
      for (const answer of await this.#append(this.#latest, pending)) answer();
    } catch (error) {
      for (const { reject } of pending) reject(error);
    }
  }

  /** Learns who has reported in a slot before this start. */
  async #begin(slot: number): Promise<SlotReporters> {
    const reporters = new SlotReporters(slot, this.#maxPerAddress);
    for await (const text of this.#log.readLog(slot)) {
      for (const report of parseLines(text)) reporters.addLogged(report);
      await setImmediate();
    }
    return reporters;
  }

  /** Appends the reports that count. @returns what answers each of them. */
  async #append(reporters: SlotReporters, pending: readonly Pending[]): Promise<readonly (() => void)[]> {
    let text = '';
    let keptCount = 0;
    const added: (readonly [ReportHashes, number])[] = [];
    const answers = pending.map(({ submission, resolve }) => {
      const add = ({ pluginId }: PluginText) => {
        reporters.add(submission, pluginId);
        added.push([submission, pluginId]);
      };
      const fates = submission.plugins.map((plugin) => {
        const fate = reporters.judge(submission, plugin.pluginId);
        if (fate === 'kept') add(plugin);
        return fate;
      });
      const plugins = submission.plugins.filter((_, index) => fates[index] === 'kept');
      const answer = () => resolve(fates);
      if (plugins.length === 0) return answer;
      let { globalPlugin } = submission;
      if (globalPlugin && reporters.has(submission, globalPlugin.pluginId)) globalPlugin = undefined;
      if (globalPlugin) add(globalPlugin);
      text += renderLine({ ...submission, plugins, globalPlugin }, this.#maxPerAddress);
      keptCount++;
      return answer;
    });
    try {
      if (text !== '') await this.#log.append(reporters.slot, text);
    } catch (error) {
      for (const [hashes, pluginId] of added) reporters.add(hashes, pluginId, -1);
      throw error;
    }
    openSlotReports.inc(keptCount);
    return answers;
  }
}

/** Cuts reports into batches of one slot, each of which is one commit. */
function* batchesOf(pending: readonly Pending[]): Generator<readonly [slot: number, readonly Pending[]]> {
  for (const [slot, all] of Map.groupBy(pending, ({ slot }) => slot)) {
    let batch: Pending[] = [];
    let sizeBytes = 0;
    for (const one of all) {
      sizeBytes += one.sizeBytes;
      if (sizeBytes > maxAppendBytes) {
        yield [slot, batch];
        batch = [];
        sizeBytes = one.sizeBytes;
      }
      batch.push(one);
    }
    yield [slot, batch];
  }
}

/** The fate of one plugin of a report. A server counts once for a plugin; so do only some servers of one address. */
export type KeepOutcome = 'kept' | 'repeated' | 'address_limit';

/** The counts are in so many maps, because one that grows is copied in one go. */
const mapCount = 64;

/** The most keys of a map: all together take some 300 MB. Reports beyond them are accepted again, and dropped when the slot is closed. */
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

  /** True if a server has reported for a plugin. */
  has({ server }: ReportHashes, pluginId: number): boolean {
    return this.#count(server, pluginId) > 0;
  }

  /** Judges a report for a plugin. */
  judge(hashes: ReportHashes, pluginId: number): KeepOutcome {
    if (this.has(hashes, pluginId)) return 'repeated';
    return this.#count(hashes.address, pluginId) < this.#maxPerAddress ? 'kept' : 'address_limit';
  }

  /** Remembers a report for a plugin, or with -1 forgets it. */
  add({ server, address }: ReportHashes, pluginId: number, change: 1 | -1 = 1): void {
    for (const hash of [server, address]) {
      const key = keyFor(hash, pluginId);
      const counts = this.#countsWith(key);
      const count = counts?.get(key);
      if (count !== undefined || (counts?.size ?? maxKeys) < maxKeys) counts?.set(key, (count ?? 0) + change);
    }
  }

  /** Remembers a report of the log. */
  addLogged(report: LoggedReport): void {
    for (const plugin of [...report.plugins, report.globalPlugin])
      if (plugin !== undefined) this.add(report, plugin[0]);
  }

  #count(hash: number, pluginId: number): number {
    const key = keyFor(hash, pluginId);
    return this.#countsWith(key)?.get(key) ?? 0;
  }

  #countsWith(key: number): Map<number, number> | undefined {
    return this.#counts[key % mapCount];
  }
}
