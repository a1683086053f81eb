/** The port for reports of the open slot: they are kept apart from the metrics until their slot is closed. */
import { AppError } from './app-error.ts';
import type { ChartValue } from './reported-value.ts';

/** The contribution of a report to the charts of one plugin. */
export interface PluginReport {
  readonly pluginId: number;
  readonly values: readonly ChartValue[];
}

/** The bytes of the two hashes of a report. */
export const hashSizes = { serverBytes: 8, addressBytes: 6 } as const;

/** A report, as it is kept. */
export interface Submission {
  /** Hash of the id of the server, with the key of the slot; its size is in {@link hashSizes}. */
  readonly server: Uint8Array;
  /** Hash of the address that it came from, with the same key. */
  readonly address: Uint8Array;
  readonly plugins: readonly PluginReport[];
  /** The part for the global plugin. It counts, once for a server, if one of the plugins does. */
  readonly globalPlugin: PluginReport | undefined;
}

/** The fate of one plugin of a report. A server counts once for a plugin; so do only some servers of one address. */
export type KeepOutcome = 'kept' | 'repeated' | 'address_limit';

/** A slot that is not closed. */
export interface OpenSlot {
  /** Its beginning, in Unix milliseconds. */
  readonly start: number;
  /** The times in which collectors took reports, perhaps overlapping. */
  readonly coverage: readonly Coverage[];
}

/** A time in which a collector took reports, in Unix milliseconds. */
export interface Coverage {
  readonly from: number;
  readonly until: number;
}

/** The reports of the slots that are not closed. All methods may reject with `unavailable`. */
export interface ReportStore extends AsyncDisposable {
  /** Begins a slot, or joins one that has begun. Returns its key; rejects with `conflict` if it is being closed or is closed. */
  openSlot(start: number): Promise<Uint8Array>;
  /**
   * Keeps reports durably, all or none of them. Returns the fate of the plugins of each. Rejects with `conflict` if the slot is being closed
   * or is closed.
   * @param maxPerAddress the most servers of one address that count for a plugin.
   */
  keep(
    start: number,
    submissions: readonly Submission[],
    maxPerAddress: number,
  ): Promise<readonly (readonly KeepOutcome[])[]>;
  /** Notes durably that this collector took reports of an open slot; a later note with the same beginning replaces the earlier. */
  noteCoverage(start: number, coverage: Coverage): Promise<void>;
  /** Lists the slots that are not closed, from the oldest. */
  listSlots(): Promise<readonly OpenSlot[]>;
  /** Takes no more reports for a slot. */
  freezeSlot(start: number): Promise<void>;
  /** Reads the reports of a frozen slot by plugin id, or those of one plugin, in batches of bounded size. */
  readSlot(start: number, pluginId?: number): AsyncIterable<readonly PluginReport[]>;
  /** Deletes everything about a frozen slot. It and all slots before it are closed from now on. */
  forgetSlot(start: number): Promise<void>;
}

/** Makes the error for a slot that takes no reports. */
export function closedSlot(start: number): AppError {
  return new AppError('conflict', `the slot of ${new Date(start).toISOString()} is closed`, {
    kind: 'slot-closed',
  });
}
