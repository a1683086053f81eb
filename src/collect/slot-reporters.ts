/** The servers that have reported in a slot, and how many of each address, as one collector knows them. */
import { keyFor, type LoggedReport, type ReportHashes } from './report-line.ts';

/** The fate of one plugin of a report. A server counts once for a plugin; so do only some servers of one address. */
export type KeepOutcome = 'kept' | 'repeated' | 'address_limit';

/** The most servers, and addresses, of a plugin that are remembered. What is beyond is accepted again, and dropped when the slot is closed. */
const maxKnown = 4_000_000;

/** The reporters of one slot. */
export class SlotReporters {
  readonly #maxPerAddress: number;
  readonly #servers = new Set<number>();
  readonly #addressCounts = new Map<number, number>();

  constructor(maxPerAddress: number) {
    this.#maxPerAddress = maxPerAddress;
  }

  /** True if a server has reported for a plugin. */
  has({ server }: Pick<ReportHashes, 'server'>, pluginId: number): boolean {
    return this.#servers.has(keyFor(server, pluginId));
  }

  /** Judges a report for a plugin, and remembers it if it counts. */
  judge(hashes: ReportHashes, pluginId: number): KeepOutcome {
    if (this.has(hashes, pluginId)) return 'repeated';
    const count = this.#addressCounts.get(keyFor(hashes.address, pluginId)) ?? 0;
    if (count >= this.#maxPerAddress) return 'address_limit';
    this.#add(hashes, pluginId);
    return 'kept';
  }

  /** Remembers a server for the global plugin, of which addresses have any number. */
  addGlobal({ server }: ReportHashes, pluginId: number): void {
    if (this.#servers.size < maxKnown) this.#servers.add(keyFor(server, pluginId));
  }

  /** Remembers a report of the log. */
  addLogged(report: LoggedReport): void {
    for (const [pluginId] of report.plugins) this.#add(report, pluginId);
    if (report.globalPlugin !== undefined) this.addGlobal(report, report.globalPlugin[0]);
  }

  /** Forgets a report for a plugin that could not be kept. */
  remove({ server, address }: ReportHashes, pluginId: number): void {
    this.#servers.delete(keyFor(server, pluginId));
    const key = keyFor(address, pluginId);
    const count = this.#addressCounts.get(key);
    if (count !== undefined) this.#addressCounts.set(key, count - 1);
  }

  #add(hashes: ReportHashes, pluginId: number): void {
    this.addGlobal(hashes, pluginId);
    const key = keyFor(hashes.address, pluginId);
    const count = this.#addressCounts.get(key);
    if (count !== undefined || this.#addressCounts.size < maxKnown)
      this.#addressCounts.set(key, (count ?? 0) + 1);
  }
}
