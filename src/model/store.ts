/** The port that commands use a store through, and the counts and sizes that a store reports. */
import type { MetricsReader } from './metrics-reader.ts';
import type { MetricsRecord } from './metrics-record.ts';
import type { MetricsRemover, Removals } from './metrics-remover.ts';
import type { MetricsWriter, StoreWriter, WriteOptions } from './metrics-writer.ts';
import type { ReportStore } from './report-store.ts';

/** A store that is named, but not open: each method opens it for itself. Only a writer creates a store that does not exist. */
export interface Store {
  /** Its name in messages. */
  readonly name: string;
  /** Its name as the user gave it, for a process that opens the same store. It may hold a password: no message shows it. */
  readonly givenName: string;
  /** The file that the store is; undefined for a store on a server. */
  readonly file?: StoreFile;
  /** Loads the files of the program that reading and writing need, so that none is loaded later, when an upgrade may have replaced them. */
  preload(): Promise<void>;
  openReader(): Promise<MetricsReader>;
  /** Begins to write. Creates a store that does not exist yet, or with `makesStore` false rejects with `not_found`. */
  openWriter(options?: WriteOptions & { readonly makesStore?: boolean }): Promise<StoreWriter>;
  /** Begins to write a new store. Rejects with `conflict` if there is one already. */
  openNewWriter(options?: WriteOptions): Promise<MetricsWriter>;
  openRemover(): Promise<MetricsRemover>;
  /** Opens the reports of the slots that are not closed, and makes a place for them if there is none. */
  openReports(): Promise<ReportStore>;
  /** Reads everything and yields one line per fault. */
  check(checkRecord: CheckRecord, onProgress?: OnProgress): AsyncIterable<string>;
  /** Counts what the store holds. Points after `nowMs`, by default the time of this machine, lie in the future. */
  loadStats(nowMs?: number): Promise<StoreStats>;
  /** Loads the removals, with the windows of one plugin; none for a store that does not exist yet. */
  loadRemovals(pluginId: number): Promise<Removals>;
  /**
   * Brings a store of an older release to the version of this program, in one transaction; does nothing where it has that version. Rejects with `conflict`
   * where another process has the store open.
   */
  upgrade(options: UpgradeOptions): Promise<Upgraded>;
  /** Gives space that the store no longer needs back to the system. */
  compact(): Promise<Compacted>;
  /** Measures how much space `compact` would give back. */
  measure(): Promise<Unused>;
}

/** A store that is a file, and so can be copied as one. */
export interface StoreFile {
  readonly path: string;
  /**
   * Copies the store, as it is at one moment, to a file that appears when it is complete and has no faults.
   * Rejects with `conflict` if the file exists, `unavailable` if the store is damaged or the copy fails.
   */
  backUp(file: string, options: BackupOptions): Promise<void>;
  /**
   * Makes the store from a backup, which is checked first, and returns what it holds.
   * Rejects with `conflict` if there is a store already, `invalid` for a file that is no backup or a damaged one.
   */
  restore(backup: string, options: BackupOptions & { readonly isDryRun: boolean }): Promise<StoreStats>;
}

/** Options of an upgrade. */
export interface UpgradeOptions {
  /** True to copy the store first, if it is a file. */
  readonly makesBackup: boolean;
  readonly onProgress: OnProgress;
}

/** The versions before and after an upgrade. */
export interface Upgraded {
  readonly from: number;
  readonly to: number;
  /** The file of the backup, if one was made. */
  readonly backup?: string;
}

/** Options of a backup and of a restore. */
export interface BackupOptions {
  /** Judges each record of the copy. */
  readonly checkRecord: CheckRecord;
  readonly onProgress?: OnProgress;
}

/** Called now and then with what is being done, such as `checking 1337/players`, and how much of it has been done, 0 to 1. */
export type OnProgress = (doing: string, share: number) => void;

/** Throws AppError for a record that an import would refuse. */
export type CheckRecord = (record: MetricsRecord) => void;

/** Counts of one state of a store. */
export interface StoreStats {
  readonly softwareCount: number;
  readonly pluginCount: number;
  readonly chartCount: number;
  /** Points of line charts. */
  readonly pointCount: number;
  /** Times at which the shares of charts are kept, of all charts. */
  readonly historyTimeCount: number;
  readonly eventCount: number;
  /** Size on disk. */
  readonly sizeBytes: number;
  /** Time of the oldest point in Unix milliseconds; null for a store without points. */
  readonly oldestTimestamp: number | null;
  /** Time of the newest point. */
  readonly newestTimestamp: number | null;
  /** Time of the newest point that did not lie in the future when it was counted. */
  readonly newestPastTimestamp: number | null;
}

/** Sizes of a store on disk before and after it was compacted. */
export interface Compacted {
  readonly beforeBytes: number;
  readonly afterBytes: number;
  /** True if a reader of an older state kept space from being given back; a later compaction does it. */
  readonly isBlocked: boolean;
}

/** Size of a store on disk, and the part of it that is not in use. */
export interface Unused {
  readonly sizeBytes: number;
  readonly unusedBytes: number;
}
