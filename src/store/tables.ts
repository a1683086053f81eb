/** The tables of a store, each described once. */
import {
  bytes,
  type ColumnType,
  flag,
  integer,
  json,
  number,
  orNull,
  serial,
  statement,
  text,
} from './statement.ts';
import { type RowOf, type Table, table } from './table.ts';

/** The plugin id in the row of a removal that applies to every plugin. */
export const everyPlugin = 0;

/** The chart id in the row of a removal that applies to a whole plugin. */
export const everyChart = '';

const owner = table(
  'owner',
  { id: integer, name: text, nameKey: text },
  {
    key: ['id'],
    indices: ['name_key'],
    called: ({ id }, beside) =>
      `${beside['ownerId'] === undefined ? '' : `plugin ${beside['id']}, `}owner ${id}`,
  },
);

// A software may be stored before its global plugin, so this is no foreign key: the writer checks it at the
// end of a source.
const software = table(
  'software',
  { id: integer, name: text, url: text, globalPluginId: orNull(integer) },
  { key: ['id'], unique: ['url'], called: ({ id }) => `software ${id}` },
);

const plugin = table(
  'plugin',
  { id: integer, name: text, ownerId: integer, softwareId: integer, isGlobal: flag, nameKey: text },
  {
    key: ['id'],
    references: { ownerId: 'owner', softwareId: 'software' },
    indices: [
      'name_key, id',
      'software_id, name_key, id',
      'software_id, id',
      'owner_id, id',
      'is_global, id',
    ],
    called: ({ id }) => `plugin ${id}`,
  },
);

const oldName = table(
  'old_name',
  { pluginId: integer, name: text, nameKey: text },
  {
    key: ['pluginId', 'name'],
    references: { pluginId: 'plugin' },
    indices: ['name_key, plugin_id'],
    called: ({ pluginId }) => `plugin ${pluginId}, old name`,
  },
);

const chart = table(
  'chart',
  {
    uid: integer,
    pluginId: integer,
    chartId: text,
    type: text,
    position: integer,
    title: text,
    isDefault: flag,
    settings: json,
  },
  {
    key: ['uid'],
    unique: ['pluginId', 'chartId'],
    references: { pluginId: 'plugin' },
    called: ({ pluginId, chartId }) => `plugin ${pluginId}, chart ${chartId}`,
    wayOut: ({ pluginId, chartId }) =>
      `"plugin-metrics remove chart ${pluginId}/${chartId}" and import it again`,
  },
);

/** The data of a chart that is not a line; `at` is the time of the data, if known. */
const snapshot = table(
  'snapshot',
  { chartUid: integer, json, at: orNull(integer) },
  {
    key: ['chartUid'],
    references: { chartUid: 'chart' },
    called: (_, beside) => `plugin ${beside['pluginId']}, data of chart ${beside['chartId']}`,
  },
);

const chunk = table(
  'chunk',
  { chartUid: integer, firstTimestamp: integer, bytes },
  { key: ['chartUid', 'firstTimestamp'], references: { chartUid: 'chart' } },
);

const event = table(
  'event',
  { pluginId: integer, time: integer, title: text, url: orNull(text) },
  {
    key: ['pluginId', 'time', 'title'],
    references: { pluginId: 'plugin' },
    called: ({ pluginId, time }) => `plugin ${pluginId}, event ${time}`,
  },
);

/** Removals. For their keys see {@link everyPlugin} and {@link everyChart}. */
const removal = table(
  'removal',
  { pluginId: integer, chartId: text, beforeTimestamp: orNull(integer) },
  {
    key: ['pluginId', 'chartId'],
    called: ({ pluginId, chartId }) => {
      const what = chartId === everyChart ? `plugin ${pluginId}` : `chart ${pluginId}/${chartId}`;
      return `the removal of ${String(pluginId) === String(everyPlugin) ? 'points of every plugin' : what}`;
    },
    wayOut: () => 'import a removal of the same with "before":null',
  },
);

/**
 * Windows of removed points. If an import brings a point back, its time leaves the window. The windows of a
 * chart do not touch each other.
 */
const removedWindow = table(
  'removed_window',
  { pluginId: integer, chartId: text, fromTime: integer, toTime: integer },
  {
    key: ['pluginId', 'chartId', 'fromTime'],
    called: ({ pluginId, chartId }) => `the removal of points of chart ${pluginId}/${chartId}`,
    wayOut: () => 'import a removal of the same chart with the same "after"',
  },
);

// The five tables of facts, which facts.ts computes from the other tables.
const chartNow = table(
  'chart_now',
  { chartUid: integer, firstTime: integer, lastTime: integer, lastValue: orNull(number) },
  {
    key: ['chartUid'],
    references: { chartUid: 'chart' },
    called: ({ chartUid }) => `chart uid ${chartUid}, its latest value`,
  },
);

/** Totals of charts of shares with several chunks. */
const chartShares = table(
  'chart_shares',
  { chartUid: integer, untilTime: integer, mostUsed: orNull(text), since: orNull(integer), sums: text },
  {
    key: ['chartUid'],
    references: { chartUid: 'chart' },
    called: ({ chartUid }) => `chart uid ${chartUid}, the sums of its shares`,
  },
);

const pluginNow = table(
  'plugin_now',
  {
    pluginId: integer,
    softwareId: integer,
    isGlobal: flag,
    names: text,
    lowerNames: orNull(text),
    servers: orNull(number),
    serversTime: orNull(integer),
    players: orNull(number),
    playersTime: orNull(integer),
  },
  {
    key: ['pluginId'],
    references: { pluginId: 'plugin' },
    indices: [
      'servers, plugin_id',
      'software_id, servers, plugin_id',
      'players, plugin_id',
      'software_id, players, plugin_id',
    ],
    called: ({ pluginId }) => `plugin ${pluginId}, its latest numbers`,
  },
);

/**
 * Trends of plugins. They have a table of their own because they change once a day, and `pluginNow` with
 * every point.
 */
const pluginTrend = table(
  'plugin_trend',
  {
    pluginId: integer,
    softwareId: integer,
    isGlobal: flag,
    weekChange: orNull(number),
    monthChange: orNull(number),
    days: text,
  },
  {
    key: ['pluginId'],
    references: { pluginId: 'plugin' },
    indices: [
      'week_change, plugin_id',
      'software_id, week_change, plugin_id',
      'month_change, plugin_id',
      'software_id, month_change, plugin_id',
    ],
    called: ({ pluginId }) => `plugin ${pluginId}, its trend`,
  },
);

const softwareNow = table(
  'software_now',
  {
    softwareId: integer,
    pluginCount: integer,
    globalCount: integer,
    servers: orNull(number),
    players: orNull(number),
    newestTime: orNull(integer),
  },
  {
    key: ['softwareId'],
    references: { softwareId: 'software' },
    called: ({ softwareId }) => `software ${softwareId}, its counts`,
  },
);

/** One row: the random token of the last write, and that of the last write that changed the catalogue. */
const generation = table('generation', { id: integer, data: integer, catalogue: integer }, { key: ['id'] });

/** One row: all slots of reports before this time are closed. */
const collection = table('collection', { id: integer, closedUntil: integer }, { key: ['id'] });

/** The tables of a store. A table follows the tables that it refers to. */
export const tables = {
  owner,
  software,
  plugin,
  oldName,
  chart,
  snapshot,
  chunk,
  event,
  removal,
  removedWindow,
  chartNow,
  chartShares,
  pluginNow,
  pluginTrend,
  softwareNow,
  generation,
  collection,
} as const;

/** The tables for the reports of open slots. */
export const reportTables = {
  slot: table(
    'report_slot',
    { start: integer, key: bytes, covered: integer, isFrozen: integer },
    { key: ['start'] },
  ),
  batch: table('report_batch', { id: serial, slot: integer, bytes }, { key: ['id'] }),
} as const;

/** All tables of a store. */
export const allTables: readonly Table[] = Object.values(tables);

/** A row of the table with this name. */
export type Row<Name extends keyof typeof tables> = RowOf<(typeof tables)[Name]>;

/** The columns of a plugin with its owner and its software. */
export const pluginColumns = statement`${tables.plugin.all}, ${tables.owner.as('owner')}, ${tables.software.as('software')}`;

/** The joins to `plugin` that {@link pluginColumns} need. */
export const pluginJoins =
  'left join owner on owner.id = plugin.owner_id left join software on software.id = plugin.software_id';

/** Renders the statements that create the tables and insert their first rows. */
export function createTablesSql(
  types: Readonly<Record<ColumnType, string>>,
  endOf: (table: Table) => string = () => '',
): string {
  const creations = allTables.map((one) => one.createSql(types, endOf(one)));
  return `${creations.join('')}insert into generation values (1, 0, 0);\ninsert into collection values (1, 0);\n`;
}
