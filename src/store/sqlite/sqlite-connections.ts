/**
 * The connections of a reader to the file of a store. Reads that begin together share a transaction on the
 * newest state. If another store replaces the file, it is opened instead.
 */
import { accessSync, constants, renameSync, type Stats } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isOtherVersion } from '../../model/app-error.ts';
import type { ChangeScope } from '../../model/metrics-reader.ts';
import type { Connections, ReadTransaction } from '../sql.ts';
import { column, number, statement } from '../statement.ts';
import { findFile, isSameFile, logSize, removeLog } from './database-files.ts';
import { emptyLog, openForReading, openKnown, UnusedDatabase } from './sqlite-database.ts';
import { SqliteConnection, SqliteSql } from './sqlite-sql.ts';

/** Pause before a file that could not be opened is opened again, or a changed file is tested again. */
const retryMs = 1000;

/** Limit on idle connections, in addition to the connection with the newest state. */
const maxIdle = 2;

/**
 * Page cache of a connection, in KiB: the chunks of some ten thousand lines over a month. Each page that is
 * not in the cache costs a system call. With 2 MiB, SQLite's default, and with 8 MiB, answering an uncached
 * point takes a twentieth more time.
 */
const cacheKib = 16 * 1024;

// The tokens are read as floating point, because they are only compared: a damaged token, such as one beyond
// 2^53, then does not stop readers.
const tokensSql = statement`
  select cast(data as real) as ${column('data', number)}, cast(catalogue as real) as ${column('catalogue', number)}
  from generation`;

/** The tokens of a state. */
type Tokens = Readonly<Record<ChangeScope, number>>;

const noTokens: Tokens = { catalogue: 0, data: 0 };

/** A connection whose transaction stays open while reads use it. */
class SharedConnection extends SqliteConnection {
  /** The number of the opened file: it differs from that of a file which has replaced it. */
  readonly fileNumber: number;
  tokens = noTokens;
  /**
   * Number of reads that share the transaction. They can share it because no statement stays open from one
   * turn to the next.
   */
  readCount = 0;

  constructor(db: DatabaseSync, path: string, fileNumber: number) {
    super(db, path);
    this.fileNumber = fileNumber;
    this.run(`pragma cache_size = -${cacheKib}`);
  }

  /** Begins a transaction on the newest state. */
  begin(): void {
    this.rollBack();
    this.run('begin');
    this.checkVersion();
    this.tokens = this.read(tokensSql)[0] ?? noTokens;
  }
}

/** The connections of one reader. */
export class SqliteConnections implements Connections {
  readonly #path: string;
  readonly #idle: SharedConnection[] = [];
  /** The connection with the newest state. */
  #newest: SharedConnection;
  /**
   * True from the start of a read to the end of the turn; the other reads of this turn use the same state,
   * without looking for a newer one.
   */
  #isJustBegun = false;
  /**
   * True while the end of the transaction is scheduled; it is skipped if a read uses the transaction by then.
   */
  #isEnding = false;
  #isClosed = false;
  #file: Stats | undefined;
  /** The write-ahead log of the file; SQLite finds a log by its name alone. */
  #log: Stats | undefined;
  #fileNumber = 0;
  #lostAt: number | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  /** The last tested change of the open file, and the time of the test. */
  #triedChange = { ctimeMs: 0, at: Number.NEGATIVE_INFINITY };

  /** @throws AppError like `openForReading`. */
  constructor(path: string) {
    this.#path = path;
    this.#newest = this.#openFile(openForReading);
  }

  generation(of: ChangeScope): number {
    return this.#findNewest().tokens[of];
  }

  /**
   * Returns for how many milliseconds there has been no readable store at the path, since this was noticed.
   */
  unreachableMs(): number {
    return this.#lostAt === undefined ? 0 : Math.max(1, performance.now() - this.#lostAt);
  }

  begin(): ReadTransaction {
    if (!this.#isJustBegun) {
      this.#findNewest();
      this.#isJustBegun = true;
    }
    const connection = this.#newest;
    const sql = new SqliteSql(connection);
    connection.readCount++;
    return {
      sql,
      release: () => {
        sql.end();
        connection.readCount--;
        if (connection !== this.#newest || this.#isClosed) this.#retire(connection);
        else this.#endSoon();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The file may have been replaced since the last read.
    this.#look();
    this.#isClosed = true;
    this.#retire(this.#newest);
    for (const connection of this.#idle.splice(0)) connection[Symbol.dispose]();
    if (isSameFile(findFile(this.#path), this.#file)) emptyLog(this.#path);
  }

  /**
   * Finds the connection with the newest state. Its transaction stays open at least until the end of this
   * turn of the event loop.
   */
  #findNewest(): SharedConnection {
    this.#look();
    this.#endSoon();
    if (this.#newest.readCount === 0) this.#newest.begin();
    // A file that is gone has no newer state.
    else if (this.#lostAt === undefined) {
      const other = this.#idle.pop() ?? this.#openOther();
      try {
        other.begin();
      } catch (error) {
        other[Symbol.dispose]();
        throw error;
      }
      if (other.tokens.data !== this.#newest.tokens.data) this.#newest = other;
      else this.#retire(other);
    }
    return this.#newest;
  }

  /** Ends the transaction on the newest state after this turn, if no read uses it then. */
  #endSoon(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    setImmediate(() => {
      this.#isEnding = false;
      this.#isJustBegun = false;
      if (this.#newest.readCount > 0) return;
      try {
        this.#newest.rollBack();
      } catch {
        // The file is damaged, which the next read reports.
      }
    });
  }

  /** Keeps or closes a connection that no read uses. */
  #retire(connection: SharedConnection): void {
    if (connection.readCount > 0) return;
    try {
      connection.rollBack();
      const isKept =
        !this.#isClosed && connection.fileNumber === this.#fileNumber && this.#idle.length < maxIdle;
      if (!isKept) connection[Symbol.dispose]();
      else {
        connection.run('pragma shrink_memory');
        this.#idle.push(connection);
      }
    } catch {
      connection[Symbol.dispose]();
    }
  }

  /**
   * Checks that the open file is still at the path and readable. If another file has replaced it, that file
   * is opened.
   */
  #look(): void {
    const file = findFile(this.#path);
    const { db } = this.#newest;
    const isWritten = db instanceof UnusedDatabase && db.isChanged();
    if (isSameFile(file, this.#file) && !isWritten) this.#tryChange(file);
    else {
      this.#lostAt ??= performance.now();
      if (file !== undefined && performance.now() - this.#triedAt >= retryMs) this.#replace();
    }
  }

  /**
   * Tests the open file through another connection after each change of it: SQLite does not notice that
   * cached pages were overwritten, or that the file may no longer be read. An import changes the file too. A
   * file that could not be read is tested again.
   */
  #tryChange({ ctimeMs }: Stats): void {
    const tried = this.#triedChange;
    if (this.#lostAt === undefined && ctimeMs === tried.ctimeMs) return;
    if (performance.now() - tried.at < retryMs) return;
    this.#triedChange = { ctimeMs, at: performance.now() };
    try {
      // SQLite would reuse a descriptor that it has kept, for which the system does not check the rights
      // again.
      accessSync(this.#path, constants.R_OK);
      openKnown(this.#path).close();
      this.#lostAt = undefined;
    } catch (error) {
      // `unreachableMs` reports the fault. A store of another version is not unreachable: every read of it
      // rejects.
      this.#lostAt = isOtherVersion(error) ? undefined : (this.#lostAt ?? performance.now());
    }
  }

  #replace(): void {
    try {
      // SQLite would read pages of the old file's log as pages of the new file. The log is kept under another
      // name, because the old file, wherever it is now, may lack these pages.
      if (this.#log !== undefined && isSameFile(findFile(`${this.#path}-wal`), this.#log)) {
        if (logSize(this.#path) > 0) renameSync(`${this.#path}-wal`, `${this.#path}-wal.old`);
        removeLog(this.#path);
      }
      const before = this.#newest;
      this.#newest = this.#openFile(openKnown);
      this.#retire(before);
      for (const connection of this.#idle.splice(0)) connection[Symbol.dispose]();
      this.#lostAt = undefined;
    } catch {
      // `unreachableMs` reports the fault, and a later look tries again.
      this.#triedAt = performance.now();
    }
  }

  /** Opens the file that is at the path now. */
  #openFile(open: (path: string) => DatabaseSync): SharedConnection {
    const file = findFile(this.#path);
    const connection = new SharedConnection(open(this.#path), this.#path, this.#fileNumber + 1);
    this.#fileNumber++;
    // If no process writes the file, a log beside it belongs to the next writer.
    const isUnused = connection.db instanceof UnusedDatabase;
    [this.#file, this.#log] = [file, isUnused ? undefined : findFile(`${this.#path}-wal`)];
    return connection;
  }

  #openOther(): SharedConnection {
    return new SharedConnection(openKnown(this.#path), this.#path, this.#fileNumber);
  }
}
