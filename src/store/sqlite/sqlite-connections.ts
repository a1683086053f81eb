/**
 * The connections of a reader to the file of a store. Reads that begin together share the transaction of the newest state. Another store that
 * takes the place of the file is opened.
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

/** Pause before a file is tried again: one that could not be opened, and the open one after a change of it. */
const retryMs = 1000;

/** Connections kept beside the one of the newest state. */
const maxIdle = 2;

/**
 * Page cache of a connection, in KiB: the chunks of some ten thousand lines over a month. Each page that it lacks is a system call.
 * With SQLite's own 2 MiB, and with 8, a point that is not cached takes a twentieth more time.
 */
const cacheKib = 16 * 1024;

// As floating point, because they are only compared: a damaged number, such as one beyond 2^53, then stops no reader.
const tokensSql = statement`
  select cast(data as real) as ${column('data', number)}, cast(catalogue as real) as ${column('catalogue', number)}
  from generation`;

/** The generation of a state. */
type Tokens = Readonly<Record<ChangeScope, number>>;

const noTokens: Tokens = { catalogue: 0, data: 0 };

/** A connection whose transaction is open as long as reads use it. */
class SharedConnection extends SqliteConnection {
  /** The number of its file. */
  readonly fileNumber: number;
  tokens = noTokens;
  /** Number of reads that share its transaction, which they can because no statement stays open from one turn to the next. */
  readCount = 0;

  constructor(db: DatabaseSync, path: string, fileNumber: number) {
    super(db, path);
    this.fileNumber = fileNumber;
    this.run(`pragma cache_size = -${cacheKib}`);
  }

  /** Begins a transaction of the newest state. */
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
  /** The connection of the newest state. */
  #newest: SharedConnection;
  /** True until the end of the turn in which a read began: nothing has been asked for since then. */
  #isJustBegun = false;
  /** True if the end of the transaction is due, when no read uses it. */
  #isEnding = false;
  #isClosed = false;
  #file: Stats | undefined;
  /** The write-ahead log beside the file, which SQLite finds by its name alone. */
  #log: Stats | undefined;
  #fileNumber = 0;
  #lostAt: number | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  /** The last change of the open file that was tried, and when. */
  #triedChange = { ctimeMs: 0, at: Number.NEGATIVE_INFINITY };

  /** @throws AppError as `openForReading`. */
  constructor(path: string) {
    this.#path = path;
    this.#newest = this.#openFile(openForReading);
  }

  generation(of: ChangeScope): number {
    return this.#findNewest().tokens[of];
  }

  /** Returns for how many milliseconds there has been no readable store at the path, counted from the look that found none. */
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
    // Another file may have come that nobody has asked for.
    this.#look();
    this.#isClosed = true;
    this.#retire(this.#newest);
    for (const connection of this.#idle.splice(0)) connection[Symbol.dispose]();
    if (isSameFile(findFile(this.#path), this.#file)) emptyLog(this.#path);
  }

  /** Finds the connection of the newest state, whose transaction stays open until the end of this turn of the event loop at least. */
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

  /** Ends the transaction of the newest state after this turn, if no read uses it then. */
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

  /** Checks that the open file is still at the path and readable, and opens another that is there instead. */
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
   * Tries the open file on another connection once it has changed: SQLite does not notice that pages which it has in memory were
   * overwritten, or that the file may not be read any more. An import changes it too, and a file that could not be read is tried again.
   */
  #tryChange({ ctimeMs }: Stats): void {
    const tried = this.#triedChange;
    if (this.#lostAt === undefined && ctimeMs === tried.ctimeMs) return;
    if (performance.now() - tried.at < retryMs) return;
    this.#triedChange = { ctimeMs, at: performance.now() };
    try {
      // SQLite takes a descriptor that it has kept, for which nobody looks at the rights again.
      accessSync(this.#path, constants.R_OK);
      openKnown(this.#path).close();
      this.#lostAt = undefined;
    } catch (error) {
      // `unreachableMs` reports it, but for another version, of which nothing may be answered.
      this.#lostAt = isOtherVersion(error) ? undefined : (this.#lostAt ?? performance.now());
    }
  }

  #replace(): void {
    try {
      // SQLite would read pages of the old file's log as pages of the new file. They may be missing in the old one, which may be elsewhere now.
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
      // `unreachableMs` reports it, and a later look tries again.
      this.#triedAt = performance.now();
    }
  }

  /** Opens the file that is at the path now. */
  #openFile(open: (path: string) => DatabaseSync): SharedConnection {
    const file = findFile(this.#path);
    const connection = new SharedConnection(open(this.#path), this.#path, this.#fileNumber + 1);
    this.#fileNumber++;
    // Beside a file that no process writes, a log is that of the next writer.
    const isUnused = connection.db instanceof UnusedDatabase;
    [this.#file, this.#log] = [file, isUnused ? undefined : findFile(`${this.#path}-wal`)];
    return connection;
  }

  #openOther(): SharedConnection {
    return new SharedConnection(openKnown(this.#path), this.#path, this.#fileNumber);
  }
}
