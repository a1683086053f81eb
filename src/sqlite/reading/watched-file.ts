/**
 * Watches the file of a reader: counts the changes of the store, and opens another store that takes its place.
 */
import { accessSync, type BigIntStats, constants } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChangeScope } from '../../model/metrics-reader.ts';
import { removeLog } from '../remove-database.ts';
import { guarded, openForReading, openKnown } from '../sqlite-database.ts';
import { findFile, findUnwritableIndex, stampOf } from './index-file.ts';

/** Pause before a file is tried again: one that could not be opened, and the open one after a change of it. */
const retryMs = 1000;

/**
 * Page cache of the connection, in KiB: the chunks of some ten thousand lines over a month. Each page that it lacks is a system call.
 * With SQLite's own 2 MiB, and with 8, a point that is not cached takes a twentieth more time.
 */
const cacheKib = 16 * 1024;

/** A connection with its statements, and the files that it has open. */
interface OpenFile<Statements> {
  readonly db: DatabaseSync;
  readonly statements: Statements;
  readonly dataVersion: StatementSync;
  readonly catalogue: StatementSync;
  readonly begin: StatementSync;
  readonly rollback: StatementSync;
  readonly file: BigIntStats | undefined;
  /** The write-ahead log beside the file, which SQLite finds by its name alone. */
  readonly log: BigIntStats | undefined;
  /** The index of the log, if this user may not write it. */
  readonly unwritableIndex: string | undefined;
}

/** The file at a path, with prepared statements. */
export class WatchedFile<Statements> implements Disposable {
  readonly #path: string;
  readonly #prepare: (db: DatabaseSync) => Statements;
  readonly #counts = { catalogue: 0, data: 0 };
  #open: OpenFile<Statements>;
  #seen: { readonly dataVersion: unknown; readonly catalogue: unknown; readonly stamp?: string | undefined };
  #isReading = false;
  #fileNumber = 0;
  #lostAt: number | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  /** The last change of the open file that was tried, and when. */
  #triedChange = { ctimeNs: 0n, at: Number.NEGATIVE_INFINITY };

  /** @throws AppError as `openForReading`. */
  constructor(path: string, prepare: (db: DatabaseSync) => Statements) {
    this.#path = path;
    this.#prepare = prepare;
    this.#open = this.#openFile();
    this.#seen = this.#loadState();
  }

  /** The statements, valid for this turn of the event loop. They see the state whose generation was returned last. */
  get statements(): Statements {
    this.#beginIfNeeded();
    return this.#open.statements;
  }

  /** Returns the generation of the state that the statements see. */
  seenGeneration(of: ChangeScope): number {
    this.#beginIfNeeded();
    return this.#counts[of];
  }

  /** A number that changes when another file takes the place of the open one. */
  get fileNumber(): number {
    return this.#fileNumber;
  }

  /** Returns what `MetricsReader.generation` promises. */
  generation(of: ChangeScope): number {
    this.look();
    const { unwritableIndex } = this.#open;
    // Before the transaction begins, so that a write in between changes the stamp of the next call.
    const stamp = unwritableIndex === undefined ? undefined : stampOf(unwritableIndex);
    this.#beginReading();
    const before = this.#seen;
    const dataVersion = this.#loadDataVersion();
    if (dataVersion !== before.dataVersion && (stamp === undefined || stamp !== before.stamp)) {
      this.#seen = { ...this.#loadState(), stamp };
      this.#counts.data++;
      if (this.#seen.catalogue !== before.catalogue) this.#counts.catalogue++;
    }
    return this.#counts[of];
  }

  /** Returns for how many milliseconds there has been no readable store at the path, counted from the look that found none. */
  unreachableMs(): number {
    return this.#lostAt === undefined ? 0 : Math.max(1, performance.now() - this.#lostAt);
  }

  /** Checks that the open file is still at the path and readable, and opens another that is there instead. */
  look(): void {
    const file = findFile(this.#path);
    if (isSameFile(file, this.#open.file)) this.#tryChange(file);
    else {
      this.#lostAt ??= performance.now();
      if (file !== undefined && performance.now() - this.#triedAt >= retryMs) this.#replace();
    }
  }

  [Symbol.dispose](): void {
    this.#open.db.close();
  }

  /**
   * Begins the read transaction that all statements of a turn of the event loop share, because its locks cost as much as a
   * statement. It includes work that the turn deferred with `setImmediate`. The next call of `generation` begins another one.
   */
  #beginReading(): void {
    guarded(this.#path, () => {
      endTransaction(this.#open);
      this.#open.begin.run();
    });
    if (this.#isReading) return;
    this.#isReading = true;
    const open = this.#open;
    const end = () => {
      this.#isReading = false;
      try {
        endTransaction(open);
      } catch {
        // The file is damaged, which the next read reports.
      }
    };
    setImmediate(() => setImmediate(end));
  }

  /** Begins a transaction, unless this turn has one. */
  #beginIfNeeded(): void {
    if (!this.#isReading) this.generation('data');
  }

  /**
   * Tries the open file on another connection once it has changed: SQLite does not notice that pages which it has in memory were
   * overwritten, or that the file may not be read any more. An import changes it too, and a file that could not be read is tried again.
   */
  #tryChange({ ctimeNs }: BigIntStats): void {
    const tried = this.#triedChange;
    if (this.#lostAt === undefined && ctimeNs === tried.ctimeNs) return;
    if (performance.now() - tried.at < retryMs) return;
    this.#triedChange = { ctimeNs, at: performance.now() };
    try {
      // SQLite takes a descriptor that it has kept, for which nobody looks at the rights again.
      accessSync(this.#path, constants.R_OK);
      openKnown(this.#path).close();
      this.#lostAt = undefined;
    } catch {
      // `unreachableMs` reports it.
      this.#lostAt ??= performance.now();
    }
  }

  #replace(): void {
    try {
      const { log } = this.#open;
      // SQLite would read pages of the old file's log as pages of the new file.
      if (log !== undefined && isSameFile(findFile(`${this.#path}-wal`), log)) removeLog(this.#path);
      const next = this.#openFile();
      this.#open.db.close();
      this.#open = next;
      this.#isReading = false;
      this.#seen = this.#loadState();
    } catch {
      // `unreachableMs` reports it, and a later look tries again.
      this.#triedAt = performance.now();
      return;
    }
    this.#lostAt = undefined;
    this.#fileNumber++;
    this.#counts.catalogue++;
    this.#counts.data++;
  }

  #openFile(): OpenFile<Statements> {
    const file = findFile(this.#path);
    const db = openForReading(this.#path);
    try {
      guarded(this.#path, () => db.exec(`pragma cache_size = -${cacheKib}`));
      return guarded(this.#path, () => ({
        db,
        statements: this.#prepare(db),
        dataVersion: db.prepare('pragma data_version'),
        // As text, because it is only compared: a damaged number, such as one beyond 2^53, then stops no reader.
        catalogue: db.prepare('select cast(catalogue as text) as catalogue from generation'),
        begin: db.prepare('begin'),
        rollback: db.prepare('rollback'),
        file,
        log: findFile(`${this.#path}-wal`),
        unwritableIndex: findUnwritableIndex(this.#path),
      }));
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #loadState() {
    const dataVersion = this.#loadDataVersion();
    const catalogue = guarded(this.#path, () => this.#open.catalogue.get()?.['catalogue']);
    return { dataVersion, catalogue };
  }

  #loadDataVersion(): unknown {
    return guarded(this.#path, () => this.#open.dataVersion.get()?.['data_version']);
  }
}

/** Ends the transaction with a rollback: even an empty commit would read a file that may be damaged. */
function endTransaction({ db, rollback }: OpenFile<unknown>): void {
  if (db.isOpen && db.isTransaction) rollback.run();
}

function isSameFile(one: BigIntStats | undefined, other: BigIntStats | undefined): one is BigIntStats {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}
