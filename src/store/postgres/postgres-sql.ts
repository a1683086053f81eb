/** The statements of one transaction on PostgreSQL. */
import type pg from 'pg';
import { intactRows, type Selection } from '../intact-row.ts';
import type { Row } from '../rows.ts';
import type { Sql, Value } from '../sql.ts';
import {
  type ColumnKind,
  type Columns,
  columnNames,
  onConflictSql,
  type TableName,
  tables,
} from '../tables.ts';
import { runStatement, type Statement } from './postgres-client.ts';
import { postgresFault } from './postgres-fault.ts';

const settings = {
  search_path: 'plugin_metrics',
  // The consumer of the rows, or the source of records, may be slow.
  idle_in_transaction_session_timeout: '0',
  // The statements find rows by their keys, in nested loops, as SQLite runs them. The planner would read all chunks to join a few charts.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Lists are in the order of an index.
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  jit: 'off',
};

/**
 * Renders the columns of the first query of a transaction. They set what it needs for it alone, because a pooler such as PgBouncer may give every
 * transaction another session.
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

  async all(statement: string | Selection, ...values: readonly Value[]): Promise<Row[]> {
    const text = typeof statement === 'string' ? statement : statement.text;
    return intactRows(statement, await this.run(statementOf(text), values));
  }

  async upsert(table: TableName, rows: readonly Columns[]): Promise<void> {
    if (rows.length > 0) await this.run(upsertStatement(table), upsertValues(table, rows));
  }

  /** Runs a statement as it is, or several in one text. */
  async run(statement: string | Statement, values: readonly unknown[] = []): Promise<Row[]> {
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

/** The statements by their text in the store, or by the name of the table that they write. */
const statements = new Map<string, Statement>();

function rememberedStatement(key: string, render: () => string): Statement {
  let found = statements.get(key);
  if (found === undefined) {
    found = { name: `s${statements.size}`, text: render() };
    statements.set(key, found);
  }
  return found;
}

/** Translates a statement that both engines know. */
function statementOf(text: string): Statement {
  return rememberedStatement(text, () =>
    text
      .replaceAll(/json_each\((\?\d+)\)/g, 'json_array_elements($1::json)')
      .replaceAll('instr(', 'strpos(')
      .replaceAll(/\?(\d+)/g, '$$$1'),
  );
}

/**
 * Renders the insertion of any number of rows, a value of it for each column. The bytes of all rows are one more value, in which each row has a
 * start and a length, because one `bytea` is sent in binary and an array of them in hex.
 */
function upsertStatement(table: TableName): Statement {
  return rememberedStatement(table, () => {
    const columns = Object.entries(tables[table].columns);
    const count = columns.length;
    const values = columns.map(([, kind], index) => `$${index + 1}::${arrayTypes[kind]}`);
    const names = columns.map(([name]) => name);
    const selected = columns.map(([name, kind]) =>
      kind === 'bytes' ? `substring($${count + 2}::bytea from start for ${name})` : name,
    );
    const hasBytes = columns.some(([, kind]) => kind === 'bytes');
    return `
      insert into ${table} (${names.join(', ')})
      select ${selected.join(', ')}
      from unnest(${[...values, ...(hasBytes ? [`$${count + 1}::integer[]`] : [])].join(', ')})
        as put (${[...names, ...(hasBytes ? ['start'] : [])].join(', ')})
      ${onConflictSql(table)}`;
  });
}

const arrayTypes: Readonly<Record<ColumnKind, string>> = {
  integer: 'bigint[]',
  number: 'float8[]',
  text: 'text[]',
  flag: 'boolean[]',
  // The lengths.
  bytes: 'integer[]',
  checksum: 'integer[]',
};

/** Makes the values of {@link upsertStatement}. */
function upsertValues(table: TableName, rows: readonly Columns[]): unknown[] {
  const values: unknown[] = columnNames(table).map((_, index) => rows.map((row) => row[index]));
  const bytesIndex = Object.values(tables[table].columns).indexOf('bytes');
  if (bytesIndex === -1) return values;
  const all = rows.map((row) => row[bytesIndex] as Uint8Array);
  let next = 1;
  const starts = all.map(({ length }) => {
    const start = next;
    next += length;
    return start;
  });
  values[bytesIndex] = all.map(({ length }) => length);
  return [...values, starts, Buffer.concat(all)];
}
