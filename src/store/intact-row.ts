/** Holds rows to their checksums when they are read, so that a damaged one is neither answered nor exported. */
import { AppError } from '../model/app-error.ts';
import { everyChart, everyPlugin } from './stored-columns.ts';
import { type CheckedTable, isIntactRow } from './tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** The names of rows in messages, by the table. A row of `owner` is read with its plugin, and one of `snapshot` with its chart. */
const names: Readonly<Record<CheckedTable, (row: Row, prefix: string) => string>> = {
  chart_now: (row) => `chart uid ${row['chart_uid']}, its latest value`,
  chart_shares: (row, prefix) => `chart uid ${row[`${prefix}chart_uid`]}, the sums of its shares`,
  plugin_now: (row, prefix) => `plugin ${row[`${prefix}plugin_id`]}, its latest numbers`,
  plugin_trend: (row, prefix) => `plugin ${row[`${prefix}plugin_id`]}, its trend`,
  software_now: (row, prefix) => `software ${row[`${prefix}software_id`]}, its counts`,
  software: (row, prefix) => `software ${row[`${prefix}id`]}`,
  plugin: (row, prefix) => `plugin ${row[`${prefix}id`]}`,
  owner: (row, prefix) => `${prefix === '' ? '' : `plugin ${row['id']}, `}owner ${row[`${prefix}id`]}`,
  old_name: (row) => `plugin ${row['plugin_id']}, old name`,
  chart: (row) => `plugin ${row['plugin_id']}, chart ${row['chart_id']}`,
  snapshot: (row) => `plugin ${row['plugin_id']}, data of chart ${row['chart_id']}`,
  event: (row) => `plugin ${row['plugin_id']}, event ${row['time']}`,
  removal: ({ plugin_id: pluginId, chart_id: chartId }) => {
    const of = chartId === everyChart ? `plugin ${pluginId}` : `chart ${pluginId}/${chartId}`;
    return `the removal of ${String(pluginId) === String(everyPlugin) ? 'points of every plugin' : of}`;
  },
};

/** Names a row in messages. @param prefix as in {@link holdToChecksum}. */
export function nameOfRow(table: CheckedTable, row: Row, prefix = ''): string {
  return names[table](row, prefix);
}

/**
 * Refuses a row whose checksum is wrong.
 * @param prefix that of the names of the columns of this table, in a row with columns of several tables.
 * @throws AppError `unavailable`.
 */
export function holdToChecksum(table: CheckedTable, row: Row, prefix = ''): void {
  if (isIntactRow(table, row, prefix)) return;
  throw new AppError(
    'unavailable',
    `the store is damaged: ${nameOfRow(table, row, prefix)} has a wrong checksum; "plugin-metrics check" names all faults`,
    { kind: 'store-unavailable' },
  );
}
