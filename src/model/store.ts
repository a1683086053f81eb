/** The port through which commands use a store, and the counts and sizes that a store reports. */
import type { MetricsReader } from './metrics-reader.ts';
import type { MetricsRecord } from './metrics-record.ts';
import type { MetricsRemover, Removals } from './metrics-remover.ts';
import type { MetricsWriter, StoreWriter, WriteOptions } from './metrics-writer.ts';
import type { ReportStore } from './report-store.ts';

/**
 * A named store that is not open: each method opens it when called. Only a writer creates a store that does
 * not exist.
 */
export interface Store {
  /** Name in messages. */
  readonly name: string;
  /**
   * Name as given by the user, for a process that opens the same store. It may contain a password, so no
   * message shows it.
   */
  readonly givenName: string;
  /** Set if the store is a file; undefined for a store on a server. */
  readonly file?: StoreFile;
  /** Loads the program files that reading and writing need, because an upgrade may replace them later. */
  preload(): Promise<void>;
  /** Opens and closes the store, without leaving a file beside it. Rejects like `openReader`. */
  probe(): Promise<void>;
  openReader(): Promise<MetricsReader>;
  /**
   * Begins to write. If the store does not exist, creates it, or with `makesStore` false rejects with
   * `not_found`.
   */
  openWriter(options?: WriteOptions & { readonly makesStore?: boolean }): Promise<StoreWriter>;
  /** Begins to write a new store. Rejects with `conflict` if the store exists. */
  openNewWriter(options?: WriteOptions): Promise<MetricsWriter>;
  openRemover(): Promise<MetricsRemover>;
  /** Opens the reports of the slots that are not closed; creates their storage if it does not exist. */
  openReports(): Promise<ReportStore>;
  /** Reads everything, and yields one line per fault. */
  check(checkRecord: CheckRecord, onProgress?: OnProgress): AsyncIterable<string>;
  /**
   * Counts what the store contains. Points after `nowMs`, the current time by default, count as future
   * points.
   */
  loadStats(nowMs?: number): Promise<StoreStats>;
  /** Loads the removals, including the windows of one plugin; empty for a store that does not exist yet. */
  loadRemovals(pluginId: number): Promise<Removals>;
  /**
   * Upgrades a store of an older release in one transaction; does nothing if it is up to date. Rejects with
   * `conflict` if another process has the store open.
   */
  upgrade(options: UpgradeOptions): Promise<Upgraded>;
  /** Returns unused space to the system. */
  compact(): Promise<Compacted>;
  /** Measures how much space `compact` would return. */
  measure(): Promise<Unused>;
}

/** A store that is a file and can be copied as one. */
export interface StoreFile {
  readonly path: string;
  /**
   * Copies one state of the store to a file, which appears once it is complete and has passed the checks.
   * Rejects with `conflict` if the file exists, `unavailable` if the store is damaged or the copy fails.
   */
  backUp(file: string, options: BackupOptions): Promise<void>;
  /**
   * Backs up the store to a folder, as a compressed file named after the store and the time, and removes the
   * oldest of these backups so that `keepCount` are left. Rejects with `unavailable` like `backUp`, and if an
   * old backup cannot be removed.
   */
  keepBackups(folder: string, options: BackupOptions & { readonly keepCount: number }): Promise<KeptBackup>;
  /**
   * Creates the store from a backup after checking it, and returns the counts. For a compressed backup,
   * `content` provides the bytes. Rejects with `conflict` if the store exists, `invalid` if the file is not a
   * backup or is damaged.
   */
  restore(backup: string, options: RestoreOptions): Promise<StoreStats>;
}

/** Result of {@link StoreFile.keepBackups}. */
export interface KeptBackup {
  readonly file: string;
  /** Number of old backups that were removed. */
  readonly removedCount: number;
}

/** Options of a restore. */
export interface RestoreOptions extends BackupOptions {
  readonly isDryRun: boolean;
  /** Bytes of a compressed backup. */
  readonly content?: AsyncIterable<Uint8Array> | undefined;
}

/** Options of an upgrade. */
export interface UpgradeOptions {
  /** True to back up the store first, if it is a file. */
  readonly makesBackup: boolean;
  readonly onProgress: OnProgress;
}

/** Versions before and after an upgrade. */
export interface Upgraded {
  readonly from: number;
  readonly to: number;
  /** File of the backup, if one was made. */
  readonly backup?: string;
}

/** Options of a backup or restore. */
export interface BackupOptions {
  /** Checks each record of the copy. */
  readonly checkRecord: CheckRecord;
  readonly onProgress?: OnProgress;
}

/**
 * Called occasionally with the current activity, such as `checking 1337/players`, and the completed fraction,
 * 0 to 1.
 */
export type OnProgress = (doing: string, share: number) => void;

/** Throws AppError if an import would refuse the record. */
export type CheckRecord = (record: MetricsRecord) => void;

/** Counts for one state of a store. */
export interface StoreStats {
  readonly softwareCount: number;
  readonly pluginCount: number;
  readonly chartCount: number;
  /** Points of lines. */
  readonly pointCount: number;
  /** Times in the histories of all charts. */
  readonly historyTimeCount: number;
  readonly eventCount: number;
  /** Size on disk. */
  readonly sizeBytes: number;
  /** Time of the oldest point, in Unix milliseconds; null without points. */
  readonly oldestTimestamp: number | null;
  /** Time of the newest point; null without points. */
  readonly newestTimestamp: number | null;
  /** Time of the newest point that is not a future point; null without any. */
  readonly newestPastTimestamp: number | null;
}

/** Size of a store on disk before and after compaction. */
export interface Compacted {
  readonly beforeBytes: number;
  readonly afterBytes: number;
  /**
   * True if a reader of an older state prevented space from being returned; a later compaction can return it.
   */
  readonly isBlocked: boolean;
}

/** Size of a store on disk, and how much of it is unused. */
export interface Unused {
  readonly sizeBytes: number;
  readonly unusedBytes: number;
}
