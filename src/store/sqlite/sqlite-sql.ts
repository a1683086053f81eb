/** The SQL port on node:sqlite. SQLite answers synchronously; the port returns promises. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Sql, Transaction } from '../sql.ts';
import { readRow, type Statement, type Value, type Values } from '../statement.ts';
import { refuseOtherVersion } from '../store-version.ts';
import type { RowOf, Table } from '../table.ts';
import { openForReading, refuseChange } from './sqlite-database.ts';
import { sqliteFault } from './sqlite-fault.ts';

/** A connection that prepares each of its statements once. */
export class SqliteConnection implements Disposable {
  readonly db: DatabaseSync;
  readonly path: string;
  readonly #statements = new Map<string, StatementSync>();

  /** @param path the name of the store in messages. */
  constructor(db: DatabaseSync, path: string) {
    this.db = db;
    this.path = path;
  }

  /** Runs a statement. @throws AppError like `Sql.read`. */
  read<R>(statement: Statement<R>, values: readonly Value[] = []): R[] {
    const rows = this.#all(statement.text, values);
    if (rows[0] !== undefined && rows[0].length !== statement.names.length)
      throw new Error(`a statement selects other columns than its parts say: ${statement.text}`);
    return rows.map((row) => readRow(statement, row));
  }

  /** Runs a statement whose rows, if any, are not needed. @throws AppError like `Sql.read`. */
  run(text: string, values: readonly Value[] = []): void {
    this.#all(text, values);
  }

  #all(text: string, values: readonly Value[]): Values[] {
    try {
      // Prepared statements return rows as arrays.
      return this.#prepare(text).all(...values) as unknown as Values[];
    } catch (error) {
      throw sqliteFault(error, this.path);
    } finally {
      // Throws instead if the unlocked file changed meanwhile.
      refuseChange(this.db, this.path);
    }
  }

  /** Writes rows. @throws AppError like `Sql.read`. */
  put<T extends Table>(table: T, rows: ReadonlyArray<RowOf<T>>): void {
    try {
      const statement = this.#prepare(insertSql(table));
      for (const row of rows) statement.run(...table.valuesOf(row));
    } catch (error) {
      throw sqliteFault(error, this.path);
    }
  }

  /** Checks the version of the store within a transaction. @throws AppError `unavailable`. */
  checkVersion(): void {
    // The table `pragma_user_version` would prepare the statement again for each read.
    const [[version] = []] = this.#all('pragma user_version', []);
    refuseOtherVersion(Number(version), this.path, 'changed-store-version');
  }

  /**
   * Rolls back the transaction, unless SQLite has ended it. Even an empty commit would read the file, which
   * may be damaged.
   */
  rollBack(): void {
    if (this.db.isOpen && this.db.isTransaction) this.run('rollback');
  }

  [Symbol.dispose](): void {
    if (this.db.isOpen) this.db.close();
  }

  #prepare(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.db.prepare(text);
      statement.setReturnArrays(true);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/** The insert statements by table name. */
const insertions = new Map<string, string>();

function insertSql(table: Table): string {
  let text = insertions.get(table.name);
  if (text === undefined) {
    const names = table.columns.map(({ sqlName }) => sqlName);
    const values = names.map((_, index) => `?${index + 1}`);
    text = `insert into ${table.name} (${names.join(', ')}) values (${values.join(', ')}) ${table.onConflictSql}`;
    insertions.set(table.name, text);
  }
  return text;
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

  async read<R>(statement: Statement<R>, ...values: readonly Value[]): Promise<R[]> {
    return this.#open().read(statement, values);
  }

  async run(text: string, ...values: readonly Value[]): Promise<void> {
    this.#open().run(text, values);
  }

  async put<T extends Table>(table: T, rows: ReadonlyArray<RowOf<T>>): Promise<void> {
    if (rows.length > 0) this.#open().put(table, rows);
  }

  /** Ends the statements: later calls reject. */
  end(): void {
    this.#connection = undefined;
  }

  #open(): SqliteConnection {
    if (this.#connection !== undefined) return this.#connection;
    // The connection may belong to another transaction by now.
    throw new Error('the transaction has ended');
  }
}

/**
 * Begins to read one state of a store.
 * @param db is closed at the end.
 * @throws AppError like `openForReading`.
 */
export function beginReading(path: string, db: DatabaseSync = openForReading(path)): Transaction {
  const connection = new SqliteConnection(db, path);
  const sql = new SqliteSql(connection);
  try {
    connection.run('begin');
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
