/** The SQL port on node:sqlite. SQLite answers at once, behind a promise. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { intactRows, type Selection } from '../intact-row.ts';
import type { Row } from '../rows.ts';
import type { Sql, Transaction, Value } from '../sql.ts';
import { refuseOtherVersion } from '../store-version.ts';
import { type Columns, columnNames, onConflictSql, type TableName } from '../tables.ts';
import { openForReading, refuseChange } from './sqlite-database.ts';
import { sqliteFault } from './sqlite-fault.ts';

/** A connection with its statements, each prepared once. */
export class SqliteConnection implements Disposable {
  readonly db: DatabaseSync;
  readonly path: string;
  readonly #statements = new Map<string, StatementSync>();

  /** @param path the name of the store in messages. */
  constructor(db: DatabaseSync, path: string) {
    this.db = db;
    this.path = path;
  }

  /** Runs a statement. @throws AppError as `Sql.all`. */
  all(text: string, values: readonly Value[]): Row[] {
    try {
      return this.#prepare(text).all(...values);
    } catch (error) {
      throw sqliteFault(error, this.path);
    } finally {
      // In place of the rows, and of an error that the change has led to.
      refuseChange(this.db, this.path);
    }
  }

  /** Writes rows. @throws AppError as `Sql.all`. */
  upsert(table: TableName, rows: readonly Columns[]): void {
    const names = columnNames(table);
    const values = names.map((_, index) => `?${index + 1}`).join(', ');
    const text = `insert into ${table} (${names.join(', ')}) values (${values}) ${onConflictSql(table)}`;
    try {
      const statement = this.#prepare(text);
      for (const row of rows) statement.run(...row);
    } catch (error) {
      throw sqliteFault(error, this.path);
    }
  }

  /** Compares the version of the store within a transaction. @throws AppError `unavailable`. */
  checkVersion(): void {
    const [row] = this.all('pragma user_version', []);
    refuseOtherVersion(Number(row?.['user_version']), this.path, 'changed-store-version');
  }

  /** Ends the transaction, if SQLite has not ended it by itself. Even an empty commit would read a file that may be damaged. */
  rollBack(): void {
    if (this.db.isOpen && this.db.isTransaction) this.all('rollback', []);
  }

  [Symbol.dispose](): void {
    if (this.db.isOpen) this.db.close();
  }

  #prepare(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/** The statements of one transaction. */
export class SqliteSql implements Sql {
  readonly engine = 'sqlite';
  readonly storeName: string;
  #connection: SqliteConnection | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.storeName = connection.path;
  }

  async all(statement: string | Selection, ...values: readonly Value[]): Promise<Row[]> {
    const text = typeof statement === 'string' ? statement : statement.text;
    return intactRows(statement, this.#open().all(text, values));
  }

  async upsert(table: TableName, rows: readonly Columns[]): Promise<void> {
    if (rows.length > 0) this.#open().upsert(table, rows);
  }

  /** Ends them: every call from now on rejects. */
  end(): void {
    this.#connection = undefined;
  }

  #open(): SqliteConnection {
    if (this.#connection !== undefined) return this.#connection;
    // The connection may belong to another transaction by now.
    throw new Error('the transaction has ended');
  }
}

/** Begins to read the one state of a store. @param db is closed at the end. @throws AppError as `openForReading`. */
export function beginReading(path: string, db: DatabaseSync = openForReading(path)): Transaction {
  const connection = new SqliteConnection(db, path);
  const sql = new SqliteSql(connection);
  try {
    connection.all('begin', []);
    connection.checkVersion();
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    sql,
    commit: async () => {},
    [Symbol.asyncDispose]: async () => {
      sql.end();
      connection[Symbol.dispose]();
    },
  };
}
