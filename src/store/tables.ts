/** The tables of a store, each described once: the drivers make its definition and its writes from this. */
import { crc32 } from 'node:zlib';

/**
 * The kind of a column. `integer` and `text` are 64-bit integers and texts in the order of their bytes, `number` is a double, `flag` is 0 or 1,
 * `checksum` a signed integer of four bytes.
 */
export type ColumnKind = 'integer' | 'number' | 'text' | 'flag' | 'bytes' | 'checksum';

/** The description of a table. */
export interface Table {
  readonly columns: Readonly<Record<string, ColumnKind>>;
  readonly key: readonly string[];
  /** Columns that may be null. */
  readonly nullable?: readonly string[];
  /** Columns that are another key together. */
  readonly unique?: readonly string[];
  /** Columns that hold the key of another table. */
  readonly references?: Readonly<Record<string, string>>;
  /** Columns of each index beside those of keys. */
  readonly indices?: readonly string[];
}

/** The tables. A table with a column `checksum`, its last, has it over all others. */
export const tables = {
  owner: {
    columns: { id: 'integer', name: 'text', name_key: 'text', checksum: 'checksum' },
    key: ['id'],
    indices: ['name_key'],
  },
  // The global plugin of a software may be stored after the software: the writer checks it at the end of a source.
  software: {
    columns: { id: 'integer', name: 'text', url: 'text', global_plugin_id: 'integer', checksum: 'checksum' },
    key: ['id'],
    nullable: ['global_plugin_id'],
    unique: ['url'],
  },
  plugin: {
    columns: {
      id: 'integer',
      name: 'text',
      owner_id: 'integer',
      software_id: 'integer',
      is_global: 'flag',
      name_key: 'text',
      checksum: 'checksum',
    },
    key: ['id'],
    references: { owner_id: 'owner', software_id: 'software' },
    indices: [
      'name_key, id',
      'software_id, name_key, id',
      'software_id, id',
      'owner_id, id',
      'is_global, id',
    ],
  },
  old_name: {
    columns: { plugin_id: 'integer', name: 'text', name_key: 'text', checksum: 'checksum' },
    key: ['plugin_id', 'name'],
    references: { plugin_id: 'plugin' },
    indices: ['name_key, plugin_id'],
  },
  chart: {
    columns: {
      uid: 'integer',
      plugin_id: 'integer',
      chart_id: 'text',
      type: 'text',
      position: 'integer',
      title: 'text',
      is_default: 'flag',
      settings: 'text',
      checksum: 'checksum',
    },
    key: ['uid'],
    unique: ['plugin_id', 'chart_id'],
    references: { plugin_id: 'plugin' },
  },
  snapshot: {
    columns: { chart_uid: 'integer', json: 'text', at: 'integer', checksum: 'checksum' },
    key: ['chart_uid'],
    nullable: ['at'],
    references: { chart_uid: 'chart' },
  },
  chunk: {
    columns: { chart_uid: 'integer', first_timestamp: 'integer', bytes: 'bytes' },
    key: ['chart_uid', 'first_timestamp'],
    references: { chart_uid: 'chart' },
  },
  event: {
    columns: { plugin_id: 'integer', time: 'integer', title: 'text', url: 'text', checksum: 'checksum' },
    key: ['plugin_id', 'time', 'title'],
    nullable: ['url'],
    references: { plugin_id: 'plugin' },
  },
  removal: {
    columns: {
      plugin_id: 'integer',
      chart_id: 'text',
      before_timestamp: 'integer',
      checksum: 'checksum',
    },
    key: ['plugin_id', 'chart_id'],
    nullable: ['before_timestamp'],
  },
  // The five tables of facts.ts, which are computed from the others.
  chart_now: {
    columns: {
      chart_uid: 'integer',
      first_time: 'integer',
      last_time: 'integer',
      last_value: 'number',
      checksum: 'checksum',
    },
    key: ['chart_uid'],
    nullable: ['last_value'],
    references: { chart_uid: 'chart' },
  },
  // Of a chart of shares with several chunks.
  chart_shares: {
    columns: {
      chart_uid: 'integer',
      until_time: 'integer',
      most_used: 'text',
      since: 'integer',
      sums: 'text',
      checksum: 'checksum',
    },
    key: ['chart_uid'],
    nullable: ['most_used', 'since'],
    references: { chart_uid: 'chart' },
  },
  plugin_now: {
    columns: {
      plugin_id: 'integer',
      software_id: 'integer',
      is_global: 'flag',
      names: 'text',
      lower_names: 'text',
      servers: 'number',
      servers_time: 'integer',
      players: 'number',
      players_time: 'integer',
      checksum: 'checksum',
    },
    key: ['plugin_id'],
    nullable: ['lower_names', 'servers', 'servers_time', 'players', 'players_time'],
    references: { plugin_id: 'plugin' },
    indices: [
      'servers, plugin_id',
      'software_id, servers, plugin_id',
      'players, plugin_id',
      'software_id, players, plugin_id',
    ],
  },
  // This changes once a day, and the numbers of a plugin with every point.
  plugin_trend: {
    columns: {
      plugin_id: 'integer',
      software_id: 'integer',
      is_global: 'flag',
      change: 'number',
      days: 'text',
      checksum: 'checksum',
    },
    key: ['plugin_id'],
    nullable: ['change'],
    references: { plugin_id: 'plugin' },
    indices: ['change, plugin_id', 'software_id, change, plugin_id'],
  },
  software_now: {
    columns: {
      software_id: 'integer',
      plugin_count: 'integer',
      global_count: 'integer',
      servers: 'number',
      players: 'number',
      newest_time: 'integer',
      checksum: 'checksum',
    },
    key: ['software_id'],
    nullable: ['servers', 'players', 'newest_time'],
    references: { software_id: 'software' },
  },
  // One row: the random tokens of the last write, and of the last one that changed the catalogue.
  generation: { columns: { id: 'integer', data: 'integer', catalogue: 'integer' }, key: ['id'] },
  // One row: all slots of reports before this time are closed.
  collection: { columns: { id: 'integer', closed_until: 'integer' }, key: ['id'] },
} as const satisfies Readonly<Record<string, Table>>;

/** The name of a table. */
export type TableName = keyof typeof tables;

/** The value of a column; a flag is 0 or 1. */
export type Column = string | number | Uint8Array | null;

/** A row in the order of the columns of its table. */
export type Columns = readonly Column[];

/** A table whose rows have a checksum. */
export type CheckedTable = Exclude<TableName, 'chunk' | 'generation' | 'collection'>;

/** The names of the columns of a table, in their order. */
export function columnNames(name: TableName): readonly string[] {
  return Object.keys(tables[name].columns);
}

/** Renders the columns of a table for a selection. @param prefix stands before their names in the row. @param alias of the table in the statement. */
export function columnsSql(name: TableName, prefix = '', alias: string = name): string {
  return columnNames(name)
    .map((column) => `${alias}.${column} as ${prefix}${column}`)
    .join(', ');
}

/** Renders the statements that make the tables and their first rows. @param typeOf the engine's type of a column of a kind. */
export function createTablesSql(
  typeOf: (kind: ColumnKind) => string,
  afterTable: (table: Table) => string,
): string {
  const creations = Object.entries<Table>(tables).map(([name, table]) => {
    const { columns, key, nullable = [], unique, references = {}, indices = [] } = table;
    const lines = Object.entries(columns).map(([column, kind]) => {
      const isNull = nullable.includes(column) ? '' : ' not null';
      const isKey = key.length === 1 && key[0] === column ? ' primary key' : isNull;
      const reference = references[column] === undefined ? '' : ` references ${references[column]}`;
      return `${column} ${typeOf(kind)}${isKey}${reference}`;
    });
    if (key.length > 1) lines.push(`primary key (${key.join(', ')})`);
    if (unique !== undefined) lines.push(`unique (${unique.join(', ')})`);
    const indexed = indices.map(
      (list) => `create index ${name}_${list.replaceAll(', ', '_')} on ${name} (${list});\n`,
    );
    return `create table ${name} (\n  ${lines.join(',\n  ')}\n)${afterTable(table)};\n${indexed.join('')}`;
  });
  return `${creations.join('')}insert into generation values (1, 0, 0);\ninsert into collection values (1, 0);\n`;
}

/** Renders the end of an insertion that replaces the row with the same key. A row of values that is the same already is not written again. */
export function onConflictSql(name: TableName): string {
  const { columns, key }: Table = tables[name];
  const others = Object.keys(columns).filter((column) => !key.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  const differ = others.map((column) => `${name}.${column} is distinct from excluded.${column}`).join(' or ');
  const where = 'checksum' in columns ? ` where ${differ}` : '';
  return `on conflict (${key.join(', ')}) do update set ${set}${where}`;
}

/** Makes a row from the other columns and their checksum, a CRC-32 of the name of the table and all of them. */
export function withChecksum(table: CheckedTable, columns: readonly (string | number | null)[]): Columns {
  return [...columns, rowChecksum(table, columns)];
}

/** Orders the columns of a row that was read from a table. @param prefix that of their names in the row. */
export function storedColumns(
  table: CheckedTable,
  row: Readonly<Record<string, unknown>>,
  prefix = '',
): Columns {
  return columnNames(table).map((name) => {
    const value = row[prefix + name];
    return typeof value === 'string' || value === null ? value : Number(value);
  });
}

/** True for a row with the right checksum. */
export function isIntact(table: CheckedTable, stored: Columns): boolean {
  return stored.at(-1) === rowChecksum(table, stored.slice(0, -1));
}

/** The names of columns in rows, by prefix and table. */
const namesInRows = new Map<string, readonly string[]>();

/** True for a row that was read from a table, with the right checksum: as {@link isIntact}, without a list of its columns. */
export function isIntactRow(
  table: CheckedTable,
  row: Readonly<Record<string, unknown>>,
  prefix = '',
): boolean {
  const key = prefix + table;
  let names = namesInRows.get(key);
  if (names === undefined) {
    names = columnNames(table).map((name) => prefix + name);
    namesInRows.set(key, names);
  }
  let content: string = table;
  for (const name of names) {
    const value = row[name];
    if (name === names.at(-1)) return Number(value) === (crc32(content) | 0);
    content += `\0${typeof value === 'string' ? value : value === null ? '' : Number(value)}`;
  }
  return false;
}

/** Computes the checksum of a row from its other columns, the key included, as a signed integer of four bytes: the same in every store. */
export function rowChecksum(table: CheckedTable, columns: readonly unknown[]): number {
  // No text in a store has a NUL, so it separates columns; null is the empty text.
  return crc32([table, ...columns].join('\0')) | 0;
}
