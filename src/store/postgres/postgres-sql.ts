/** The statements of one transaction on PostgreSQL. */
import type pg from 'pg';
import type { Sql } from '../sql.ts';
import { type ColumnType, readRow, type Statement, type Value } from '../statement.ts';
import type { RowOf, Table } from '../table.ts';
import { type NamedStatement, postgresFault, type Rows, runStatement } from './postgres-client.ts';

const settings = {
  search_path: 'plugin_metrics',
  // The consumer of the rows, or the source of records, may be slow.
  idle_in_transaction_session_timeout: '0',
  // Statements find rows by key, in nested loops, as in SQLite. The planner would otherwise read all chunks
  // to join a few charts.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Lists are read in the order of an index.
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  jit: 'off',
};

/**
 * Renders the columns of a transaction's first query. They set session variables for this transaction alone,
 * because a pooler such as PgBouncer may run every transaction in another session.
 */
export function settingsSql(others: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries({ ...settings, ...others });
  return all.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ');
}

/** One transaction on a connection. */
export class PostgresSql implements Sql {
  readonly engine = 'postgres';
  readonly storeName: string;
  readonly #client: pg.Client;
  #isEnded = false;

  constructor(client: pg.Client, storeName: string) {
    this.#client = client;
    this.storeName = storeName;
  }

  async read<R>(statement: Statement<R>, ...values: readonly Value[]): Promise<R[]> {
    const rows = await this.#send(named(statement.text), values);
    return rows.map((row) => readRow(statement, row));
  }

  async run(text: string, ...values: readonly Value[]): Promise<void> {
    await this.#send(named(text), values);
  }

  async put<T extends Table>(table: T, rows: ReadonlyArray<RowOf<T>>): Promise<void> {
    if (rows.length > 0) await this.#send(insertion(table), insertedValues(table, rows));
  }

  /** Reads like `read`, but does not prepare the statement. */
  async readOnce<R>(statement: Statement<R>): Promise<R[]> {
    return (await this.#send(statement.text)).map((row) => readRow(statement, row));
  }

  /** Runs a text as it is; it may consist of several statements. */
  async runAll(text: string): Promise<void> {
    await this.#send(text);
  }

  async #send(statement: string | NamedStatement, values: readonly unknown[] = []): Promise<Rows> {
    // The connection may belong to another transaction by now.
    if (this.#isEnded) throw new Error('the transaction has ended');
    try {
      return await runStatement(this.#client, statement, values);
    } catch (error) {
      throw postgresFault(error, this.storeName);
    }
  }

  /** Refuses all further statements. */
  end(): void {
    this.#isEnded = true;
  }
}

/** The statements by their original text; the inserts by table name. */
const statements = new Map<string, NamedStatement>();

function remembered(key: string, render: () => string): NamedStatement {
  let found = statements.get(key);
  if (found === undefined) {
    found = { name: `s${statements.size}`, text: render() };
    statements.set(key, found);
  }
  return found;
}

/** Translates a statement from the SQL that both engines understand. */
function named(text: string): NamedStatement {
  return remembered(text, () =>
    text
      .replaceAll(/json_each\((\?\d+)\)/g, 'json_array_elements($1::json)')
      .replaceAll('instr(', 'strpos(')
      .replaceAll(/\?(\d+)/g, '$$$1'),
  );
}

/**
 * Renders the insert of any number of rows. The values of each column are one array. The bytes of all rows
 * are a further value, from which each row takes a start and a length: pg sends one `bytea` in binary, but an
 * array of them in hex.
 */
function insertion(table: Table): NamedStatement {
  return remembered(table.name, () => {
    const columns = table.columns.map(({ sqlName, kind }) => ({ name: sqlName, type: kind.type }));
    const count = columns.length;
    const values = columns.map(({ type }, index) => `$${index + 1}::${arrayTypes[type]}`);
    const names = columns.map(({ name }) => name);
    const selected = columns.map(({ name, type }) =>
      type === 'bytes' ? `substring($${count + 2}::bytea from start for ${name})` : name,
    );
    const hasBytes = columns.some(({ type }) => type === 'bytes');
    return `
      insert into ${table.name} (${names.join(', ')})
      select ${selected.join(', ')}
      from unnest(${[...values, ...(hasBytes ? [`$${count + 1}::integer[]`] : [])].join(', ')})
        as put (${[...names, ...(hasBytes ? ['start'] : [])].join(', ')})
      ${table.onConflictSql}`;
  });
}

const arrayTypes: Readonly<Record<ColumnType, string>> = {
  integer: 'bigint[]',
  number: 'float8[]',
  text: 'text[]',
  flag: 'boolean[]',
  // The array contains lengths.
  bytes: 'integer[]',
  serial: 'bigint[]',
  checksum: 'integer[]',
};

/** Makes the values of {@link insertion}. */
function insertedValues<T extends Table>(table: T, rows: ReadonlyArray<RowOf<T>>): unknown[] {
  const all = rows.map((row) => table.valuesOf(row));
  const values: unknown[] = table.columns.map((_, index) => all.map((row) => row[index]));
  const bytesIndex = table.columns.findIndex(({ kind }) => kind.type === 'bytes');
  if (bytesIndex === -1) return values;
  const parts = all.map((row) => row[bytesIndex] as Uint8Array);
  let next = 1;
  const starts = parts.map(({ length }) => {
    const start = next;
    next += length;
    return start;
  });
  values[bytesIndex] = parts.map(({ length }) => length);
  return [...values, starts, Buffer.concat(parts)];
}
