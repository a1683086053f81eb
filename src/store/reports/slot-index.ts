/** Index of the reports of a slot, by which the next ones are judged. It is in memory, and made again from the rows after a start. */
import type { KeepOutcome, PluginReport, Submission } from '../../model/report-store.ts';
import { ByteWriter } from '../byte-writer.ts';
import { type BatchEntry, readEntries, writeEntry } from './batch-codec.ts';
import { KeyCounts } from './key-counts.ts';

/** Reports that are judged, but not committed. */
export interface JudgedBatch {
  readonly outcomes: readonly (readonly KeepOutcome[])[];
  /** The row to add; undefined if nothing is. */
  readonly row: Uint8Array | undefined;
}

/** The servers that have reported for each plugin, and how many of each address. */
export class SlotIndex {
  readonly #servers = new KeyCounts();
  readonly #addresses = new KeyCounts();

  /** Adds the reports of a row that is committed. */
  add(row: Uint8Array): void {
    for (const entry of readEntries(row)) {
      const { pluginId, server, address } = entry;
      this.#servers.add(lowOf(pluginId, server), highOf(pluginId, server));
      if (address !== undefined) this.#addresses.add(lowOf(pluginId, address), highOf(pluginId, address));
    }
  }

  /** Judges reports by those that are committed, and by each other. @param encode codes what a report adds to charts. */
  judge(
    submissions: readonly Submission[],
    maxPerAddress: number,
    encode: (report: PluginReport) => Uint8Array,
  ): JudgedBatch {
    const batch = new Batch(this.#servers, this.#addresses);
    const writer = new ByteWriter();
    const write = (report: PluginReport, hashes: Pick<BatchEntry, 'server' | 'address'>) =>
      writeEntry(writer, { pluginId: report.pluginId, ...hashes, values: encode(report) });
    const outcomes = submissions.map(({ plugins, globalPlugin, server, address }) => {
      const fates = plugins.map((report) => {
        const outcome = batch.judge(report.pluginId, { server, address, maxPerAddress });
        if (outcome === 'kept') write(report, { server, address });
        return outcome;
      });
      if (globalPlugin !== undefined && fates.includes('kept') && batch.isNew(globalPlugin.pluginId, server))
        write(globalPlugin, { server, address: undefined });
      return fates;
    });
    return { outcomes, row: writer.length === 0 ? undefined : writer.take() };
  }
}

/** The reports of one batch, beside those that are committed. */
class Batch {
  readonly #servers: KeyCounts;
  readonly #addresses: KeyCounts;
  readonly #newServers = new Map<number, Set<number>>();
  readonly #newAddresses = new Map<number, Map<number, number>>();

  constructor(servers: KeyCounts, addresses: KeyCounts) {
    this.#servers = servers;
    this.#addresses = addresses;
  }

  judge(
    pluginId: number,
    {
      server,
      address,
      maxPerAddress,
    }: { readonly server: Uint8Array; readonly address: Uint8Array; readonly maxPerAddress: number },
  ): KeepOutcome {
    if (this.#isKnown(pluginId, server)) return 'repeated';
    const low = lowOf(pluginId, address);
    const high = highOf(pluginId, address);
    const ofLow = this.#newAddresses.get(low);
    if (this.#addresses.get(low, high) + (ofLow?.get(high) ?? 0) >= maxPerAddress) return 'address_limit';
    this.#addServer(pluginId, server);
    if (ofLow === undefined) this.#newAddresses.set(low, new Map([[high, 1]]));
    else ofLow.set(high, (ofLow.get(high) ?? 0) + 1);
    return 'kept';
  }

  /** Adds a server of a plugin; returns false if it was there. */
  isNew(pluginId: number, server: Uint8Array): boolean {
    if (this.#isKnown(pluginId, server)) return false;
    this.#addServer(pluginId, server);
    return true;
  }

  #isKnown(pluginId: number, server: Uint8Array): boolean {
    const low = lowOf(pluginId, server);
    const high = highOf(pluginId, server);
    return this.#servers.get(low, high) > 0 || this.#newServers.get(low)?.has(high) === true;
  }

  #addServer(pluginId: number, server: Uint8Array): void {
    const low = lowOf(pluginId, server);
    const highs = this.#newServers.get(low);
    if (highs === undefined) this.#newServers.set(low, new Set([highOf(pluginId, server)]));
    else highs.add(highOf(pluginId, server));
  }
}

/** The lower half of the key of a hash for a plugin. Two plugins have different keys for the same hash. */
function lowOf(pluginId: number, hash: Uint8Array): number {
  const plugin = Math.imul(pluginId % 2 ** 32, 0x9e3779b1);
  return (wordAt(hash, 0) ^ plugin) >>> 0;
}

function highOf(pluginId: number, hash: Uint8Array): number {
  return (wordAt(hash, 4) ^ Math.floor(pluginId / 2 ** 32)) >>> 0;
}

/** Reads four bytes; those after the end are 0. */
function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}
