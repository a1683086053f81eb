/** Connections with open read transactions, so that several reads see one state. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChangeScope } from '../../model/metrics-reader.ts';
import { guarded, openKnown } from '../sqlite-database.ts';
import { prepareStatements, type ReaderStatements } from './sqlite-statements.ts';
import type { ViewConnection } from './sqlite-view.ts';
import type { WatchedFile } from './watched-file.ts';

/** Idle connections kept for later snapshots. */
const maxIdle = 2;

/** The page cache of such a connection, in KiB; the cache of the system has the rest. */
const cacheKib = 512;

/** The most attempts to begin a snapshot without a write meanwhile; after them its generation stays unknown. */
const maxLooks = 4;

/** A connection whose transaction is open as long as snapshots use it. */
class SqliteSnapshot implements ViewConnection {
  readonly db: DatabaseSync;
  readonly statements: ReaderStatements;
  readonly begin: StatementSync;
  /** The read that fixes the state which the transaction sees. */
  readonly firstRead: StatementSync;
  readonly rollback: StatementSync;
  /** The number of its file, as in {@link WatchedFile.fileNumber}. */
  readonly fileNumber: number;
  /** The generations of the state that its transaction sees; NaN if they are not known. */
  generations = { catalogue: Number.NaN, data: Number.NaN };
  /** Number of snapshots that share it, which they can because no statement stays open from one turn to the next. */
  snapshotCount = 0;
  /** True while it is kept without a snapshot, until the end of the turn. */
  isLingering = false;

  constructor(db: DatabaseSync, fileNumber: number) {
    this.db = db;
    this.fileNumber = fileNumber;
    db.exec(`pragma cache_size = -${cacheKib}`);
    this.statements = prepareStatements(db);
    this.begin = db.prepare('begin');
    this.firstRead = db.prepare('select 1 from generation');
    this.rollback = db.prepare('rollback');
  }

  generation(of: ChangeScope): number {
    return this.generations[of];
  }
}

/** The snapshots of one reader. */
export class SqliteSnapshots implements Disposable {
  readonly #path: string;
  readonly #file: WatchedFile<ReaderStatements>;
  readonly #idle: SqliteSnapshot[] = [];
  /** The connection of the newest snapshot while it is in use; later snapshots of the same state share it. */
  #newest: SqliteSnapshot | undefined;
  /** True until the end of the microtasks in which the newest snapshot was taken: nothing has been asked for since then. */
  #isJustTaken = false;
  #isDisposed = false;

  constructor(path: string, file: WatchedFile<ReaderStatements>) {
    this.#path = path;
    this.#file = file;
  }

  /**
   * Takes a connection that sees the newest state until it is given back.
   * @throws AppError `unavailable` if the store cannot be read.
   */
  take(): SqliteSnapshot {
    if (this.#newest === undefined || !this.#isJustTaken) {
      this.#newest = this.#findNewest();
      this.#isJustTaken = true;
      process.nextTick(() => {
        this.#isJustTaken = false;
      });
    }
    this.#newest.snapshotCount++;
    return this.#newest;
  }

  /** Finds the connection of the newest state, or begins a transaction of it. */
  #findNewest(): SqliteSnapshot {
    const generation = this.#file.generation('data');
    const { fileNumber } = this.#file;
    if (this.#newest?.generations.data === generation && this.#newest.fileNumber === fileNumber)
      return this.#newest;
    let connection = this.#idle.pop();
    while (connection !== undefined && connection.fileNumber !== fileNumber) {
      connection.db.close();
      connection = this.#idle.pop();
    }
    connection ??= this.#open(fileNumber);
    try {
      this.#begin(connection, generation);
    } catch (error) {
      connection.db.close();
      throw error;
    }
    if (connection.fileNumber !== this.#file.fileNumber) {
      // Another file has taken the place of its file.
      connection.db.close();
      return this.#findNewest();
    }
    return connection;
  }

  /** Keeps the transaction of the newest snapshot until the end of this turn of the event loop, for others to share. */
  giveBack(connection: SqliteSnapshot): void {
    if (--connection.snapshotCount > 0) return;
    // SQLite itself ends a transaction when the disk cannot be read.
    const isShared = connection === this.#newest && connection.db.isTransaction && !this.#isDisposed;
    if (!isShared) this.#release(connection);
    else if (!connection.isLingering) {
      connection.isLingering = true;
      setImmediate(() => this.#endLingering(connection));
    }
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    if (this.#newest !== undefined) this.#endLingering(this.#newest);
    for (const { db } of this.#idle.splice(0)) db.close();
  }

  #endLingering(connection: SqliteSnapshot): void {
    if (!connection.isLingering) return;
    connection.isLingering = false;
    if (connection.snapshotCount === 0) this.#release(connection);
  }

  #release(connection: SqliteSnapshot): void {
    if (this.#newest === connection) this.#newest = undefined;
    const isKept =
      !this.#isDisposed &&
      this.#idle.length < maxIdle &&
      connection.fileNumber === this.#file.fileNumber &&
      endsTransaction(connection);
    if (isKept) this.#idle.push(connection);
    else connection.db.close();
  }

  /**
   * Begins a transaction and notes the generations of the state that it sees, if they were the same before and after.
   * @param data the generation before.
   */
  #begin(connection: SqliteSnapshot, data: number): void {
    connection.generations = { catalogue: Number.NaN, data: Number.NaN };
    let before = data;
    for (let lookCount = 0; lookCount < maxLooks; lookCount++) {
      guarded(this.#path, () => {
        if (connection.db.isTransaction) connection.rollback.run();
        connection.begin.run();
        connection.firstRead.get();
      });
      // The catalogue first, because a write between the two changes the generation of data.
      const catalogue = this.#file.generation('catalogue');
      const after = this.#file.generation('data');
      if (after === before) {
        connection.generations = { catalogue, data: after };
        return;
      }
      before = after;
    }
  }

  #open(fileNumber: number): SqliteSnapshot {
    const db = openKnown(this.#path);
    try {
      return guarded(this.#path, () => new SqliteSnapshot(db, fileNumber));
    } catch (error) {
      db.close();
      throw error;
    }
  }
}

/** Ends the transaction. False if it has ended by itself, or the file is damaged. */
function endsTransaction({ db, rollback }: SqliteSnapshot): boolean {
  try {
    if (!db.isTransaction) return false;
    rollback.run();
    return true;
  } catch {
    return false;
  }
}
