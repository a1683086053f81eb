/** The servers that have reported in a slot, and how many of each address, as one collector knows them. */
import { keyFor, type LoggedReport, type ReportHashes } from './report-line.ts';

/** The fate of one plugin of a report. A server counts once for a plugin; so do only some servers of one address. */
export type KeepOutcome = 'kept' | 'repeated' | 'address_limit';

/** The counts are in so many maps, because one that grows is copied in one go. */
const mapCount = 64;

/** The most keys of a map: all together take some 300 MB. Reports beyond them are accepted again, and dropped when the slot is closed. */
const maxKeys = 48_000;

/** The reporters of one slot. */
export class SlotReporters {
  readonly #maxPerAddress: number;
  /** The number of reports of a server, and of an address, by their keys for a plugin. */
  readonly #counts = Array.from({ length: mapCount }, () => new Map<number, number>());

  constructor(maxPerAddress: number) {
    this.#maxPerAddress = maxPerAddress;
  }

  /** True if a server has reported for a plugin. */
  has({ server }: ReportHashes, pluginId: number): boolean {
    return this.#count(server, pluginId) > 0;
  }

  /** Judges a report for a plugin, and remembers it if it counts. */
  judge(hashes: ReportHashes, pluginId: number): KeepOutcome {
    if (this.has(hashes, pluginId)) return 'repeated';
    if (this.#count(hashes.address, pluginId) >= this.#maxPerAddress) return 'address_limit';
    this.add(hashes, pluginId);
    return 'kept';
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
    for (const [pluginId] of report.plugins) this.add(report, pluginId);
    if (report.globalPlugin !== undefined) this.add(report, report.globalPlugin[0]);
  }

  #count(hash: number, pluginId: number): number {
    const key = keyFor(hash, pluginId);
    return this.#countsWith(key)?.get(key) ?? 0;
  }

  #countsWith(key: number): Map<number, number> | undefined {
    return this.#counts[key % mapCount];
  }
}
