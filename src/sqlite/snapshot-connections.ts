/** Connections that each have a read transaction open, so that several reads see one state. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChangeScope } from '../model/metrics-reader.ts';
import { guarded, openKnown } from './sqlite-database.ts';
import { prepareStatements, type ReaderStatements } from './sqlite-statements.ts';
import type { ViewConnection } from './sqlite-view.ts';
import type { WatchedFile } from './watched-file.ts';

/** As many are kept for later snapshots: one for each state is in use at a time. */
const maxIdle = 2;

/** The pages that such a connection keeps, in KiB: the cache of the system has the others. */
const cacheKib = 512;

/** A connection whose transaction is open as long as a snapshot has it. */
class SnapshotConnection implements ViewConnection {
  readonly db: DatabaseSync;
  readonly statements: ReaderStatements;
  readonly begin: StatementSync;
  /** The first read of a transaction decides which state it sees. */
  readonly firstRead: StatementSync;
  readonly rollback: StatementSync;
  /** The file that it has open, as {@link WatchedFile.fileNumber} counts them. */
  readonly fileNumber: number;
  generations = { catalogue: Number.NaN, data: Number.NaN };
  /** How many snapshots see its transaction. No statement of theirs is open from one turn to the next, so they may share it. */
  snapshotCount = 0;

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
export class SnapshotConnections implements Disposable {
  readonly #path: string;
  readonly #file: WatchedFile<ReaderStatements>;
  readonly #idle: SnapshotConnection[] = [];
  /** That of the newest snapshot, as long as it is in use. */
  #newest: SnapshotConnection | undefined;
  #isDisposed = false;

  constructor(path: string, file: WatchedFile<ReaderStatements>) {
    this.#path = path;
    this.#file = file;
  }

  /**
   * A connection that sees the newest state until it is given back.
   * @throws AppError `unavailable` where the store cannot be read.
   */
  take(): SnapshotConnection {
    const generation = this.#file.generation('data');
    const { fileNumber } = this.#file;
    if (this.#newest?.generations.data === generation && this.#newest.fileNumber === fileNumber) {
      this.#newest.snapshotCount++;
      return this.#newest;
    }
    let connection = this.#idle.pop();
    while (connection !== undefined && connection.fileNumber !== fileNumber) {
      connection.db.close();
      connection = this.#idle.pop();
    }
    connection ??= this.#open(fileNumber);
    try {
      this.#begin(connection);
      connection.snapshotCount = 1;
      this.#newest = connection;
      return connection;
    } catch (error) {
      connection.db.close();
      throw error;
    }
  }

  giveBack(connection: SnapshotConnection): void {
    if (--connection.snapshotCount > 0) return;
    if (this.#newest === connection) this.#newest = undefined;
    const isKept =
      !this.#isDisposed && this.#idle.length < maxIdle && connection.fileNumber === this.#file.fileNumber;
    try {
      connection.rollback.run();
      if (isKept) this.#idle.push(connection);
    } finally {
      if (!isKept) connection.db.close();
    }
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const { db } of this.#idle.splice(0)) db.close();
  }

  /** The generation is that of the state if it is the same before and after the transaction has begun. */
  #begin(connection: SnapshotConnection): void {
    for (let before = this.#file.generation('data'), isSame = false; !isSame; ) {
      guarded(this.#path, () => {
        if (connection.db.isTransaction) connection.rollback.run();
        connection.begin.run();
        connection.firstRead.get();
      });
      const after = this.#file.generation('data');
      connection.generations = { catalogue: this.#file.generation('catalogue'), data: after };
      isSame = after === before;
      before = after;
    }
  }

  #open(fileNumber: number): SnapshotConnection {
    const db = openKnown(this.#path);
    try {
      return guarded(this.#path, () => new SnapshotConnection(db, fileNumber));
    } catch (error) {
      db.close();
      throw error;
    }
  }
}
