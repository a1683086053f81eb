/**
 * Holds rows to their checksums where they are read, so that a damaged one is neither answered nor exported, and nothing is written that builds on it.
 * A statement says which rows of tables it selects whole; the drivers check those that it returns.
 */
import { AppError } from '../model/app-error.ts';
import { everyChart, everyPlugin } from './stored-columns.ts';
import { type CheckedTable, columnsSql, isIntactRow, tables } from './tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** A statement, and the rows of tables that it selects whole. Its text alone selects them as they are stored. */
export interface Selection {
  readonly text: string;
  readonly rows: readonly WholeRow[];
}

interface WholeRow {
  readonly table: CheckedTable;
  /** Stands before the names of its columns. */
  readonly prefix: string;
  /** True for one that may not be there, of an outer join. */
  readonly isOptional: boolean;
}

/** All columns of a table, for {@link selecting}. @param prefix stands before their names in the row. */
export function whole(table: CheckedTable, prefix = '', alias: string = table): Selection {
  return { text: columnsSql(table, prefix, alias), rows: [{ table, prefix, isOptional: false }] };
}

/** As {@link whole}, of a row that may not be there. */
export function wholeIfAny(table: CheckedTable, prefix: string, alias?: string): Selection {
  const { text, rows } = whole(table, prefix, alias);
  return { text, rows: rows.map((row) => ({ ...row, isOptional: true })) };
}

/** The text of a statement with the rows that it selects whole. */
export function selecting(
  texts: TemplateStringsArray,
  ...parts: readonly (string | number | Selection)[]
): Selection {
  return {
    text: String.raw({ raw: texts }, ...parts.map((part) => (typeof part === 'object' ? part.text : part))),
    rows: parts.flatMap((part) => (typeof part === 'object' ? part.rows : [])),
  };
}

/** Returns the rows of a statement, which must be intact. @throws AppError `unavailable` that names the first that is not. */
export function intactRows<Some extends Row>(statement: string | Selection, rows: Some[]): Some[] {
  if (typeof statement === 'string') return rows;
  for (const row of rows)
    for (const { table, prefix, isOptional } of statement.rows) {
      if (isOptional && row[prefix + tables[table].key[0]] === null) continue;
      if (!isIntactRow(table, row, prefix)) throw damagedRow(table, row, prefix);
    }
  return rows;
}

/** Reads a column by its name in the table. */
type Columns = (name: string) => unknown;

const again = 'import it again';

/** Names of rows in messages, by the table, and the ways out beside a backup. A row of `owner` is read with its plugin, and one of `snapshot` with its chart. */
const names: Readonly<Record<CheckedTable, (of: Columns, row: Row) => string>> = {
  chart_now: (of) => `chart uid ${of('chart_uid')}, its latest value`,
  chart_shares: (of) => `chart uid ${of('chart_uid')}, the sums of its shares`,
  plugin_now: (of) => `plugin ${of('plugin_id')}, its latest numbers`,
  plugin_trend: (of) => `plugin ${of('plugin_id')}, its trend`,
  software_now: (of) => `software ${of('software_id')}, its counts`,
  software: (of) => `software ${of('id')}`,
  plugin: (of) => `plugin ${of('id')}`,
  owner: (of, row) => `${row['owner_id'] === undefined ? '' : `plugin ${row['id']}, `}owner ${of('id')}`,
  old_name: (of) => `plugin ${of('plugin_id')}, old name`,
  chart: (of) => `plugin ${of('plugin_id')}, chart ${of('chart_id')}`,
  snapshot: (of) => `plugin ${of('plugin_id')}, data of chart ${of('chart_id')}`,
  event: (of) => `plugin ${of('plugin_id')}, event ${of('time')}`,
  removal: (of) => {
    const [pluginId, chartId] = [of('plugin_id'), of('chart_id')];
    const what = chartId === everyChart ? `plugin ${pluginId}` : `chart ${pluginId}/${chartId}`;
    return `the removal of ${String(pluginId) === String(everyPlugin) ? 'points of every plugin' : what}`;
  },
};

/** Names a row in messages. @param prefix that of the names of the columns of this table, in a row with columns of several tables. */
export function nameOfRow(table: CheckedTable, row: Row, prefix = ''): string {
  return names[table]((name) => row[prefix + name] ?? row[name], row);
}

/** Makes the error `unavailable` for a row with a wrong checksum. */
export function damagedRow(table: CheckedTable, row: Row, prefix = ''): AppError {
  const of = (name: string) => row[prefix + name];
  const way =
    table === 'chart'
      ? `"plugin-metrics remove chart ${of('plugin_id')}/${of('chart_id')}" and ${again}`
      : table === 'removal'
        ? 'import a removal of the same with "before":null'
        : again;
  return new AppError(
    'store-unavailable',
    `the store is damaged: ${nameOfRow(table, row, prefix)} has a wrong checksum: restore a backup, or ${way}; ` +
      '"plugin-metrics check" names all faults',
  );
}
