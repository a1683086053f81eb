/**
 * How many records change the tables at once. What the records refer to is read in a few statements, the rules
 * are applied to the records in order, in memory, and what has come of it is written in a few statements. Nobody
 * else writes meanwhile.
 */

import { AppError } from '../model/app-error.ts';
import type { Chart } from '../model/chart.ts';
import type { MetricsRecord, PluginFields, SoftwareFields } from '../model/metrics-record.ts';
import { concatPoints, orderPoints, type Points } from '../model/points.ts';
import {
  checkChartReplacement,
  missingChart,
  missingGlobalPlugin,
  missingPlugin,
  missingSoftware,
  uidTaken,
  urlTaken,
} from '../store/import-rules.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { writePoints } from './write-points.ts';

/**
 * Writes records in order.
 * @throws AppError of the first record that breaks a rule, with its place: `conflict` for what must not change or
 *   is taken, `invalid` for a reference that leads nowhere and for data of the wrong shape.
 */
export async function writeRecords(
  connection: PostgresConnection,
  records: readonly MetricsRecord[],
): Promise<void> {
  const state = await readState(connection, records);
  const ends: MetricsRecord[] = [];
  for (const record of records) {
    try {
      applyRecord(state, record);
    } catch (error) {
      throw error instanceof AppError ? error.at(record.place) : error;
    }
    if (record.kind === 'end') ends.push(record);
  }
  await writeState(connection, state);
  const [end] = ends;
  if (end === undefined) return;
  try {
    await checkGlobalPlugins(connection);
  } catch (error) {
    throw error instanceof AppError ? error.at(end.place) : error;
  }
}

/** @throws AppError `invalid` where a software names a global plugin that is not there. */
export async function checkGlobalPlugins(connection: PostgresConnection): Promise<void> {
  const [row] = await connection.query<{ readonly id: number; readonly global_plugin_id: number }>(`
    select software.id, global_plugin_id from plugin_metrics.software
    left join plugin_metrics.plugin on plugin.id = global_plugin_id
    where global_plugin_id is not null and plugin.id is null
    order by software.id limit 1`);
  if (row !== undefined) throw missingGlobalPlugin(row.id, row.global_plugin_id);
}

/** A chart as the records before have left it. */
interface ChartState {
  readonly pluginId: number;
  readonly chartId: string;
  readonly uid: number;
  type: string;
  hasData: boolean;
}

/** What the records refer to, as it stands, and what they have changed. */
interface State {
  /** All software there is: id by url, url by id. */
  readonly softwareByUrl: Map<string, number>;
  readonly urlBySoftware: Map<number, string>;
  readonly pluginIds: Set<number>;
  readonly chartsByKey: Map<string, ChartState>;
  readonly chartsByUid: Map<number, ChartState>;
  /** In the order of the records: one may take a url that another has just let go. */
  readonly software: SoftwareFields[];
  readonly plugins: Map<number, PluginFields>;
  readonly owners: Map<number, string>;
  readonly charts: Map<number, { readonly pluginId: number; readonly chart: Chart }>;
  readonly snapshots: Map<number, string>;
  readonly points: Map<number, Points[]>;
}

function applyRecord(state: State, record: MetricsRecord): void {
  switch (record.kind) {
    case 'software':
      applySoftware(state, record.software);
      break;
    case 'plugin':
      applyPlugin(state, record.plugin);
      break;
    case 'chart':
      applyChart(state, record.pluginId, record.chart);
      break;
    case 'data':
      applyData(state, record);
      break;
    case 'end':
      break;
    default:
      record satisfies never;
  }
}

function applySoftware(state: State, software: SoftwareFields): void {
  const holder = state.softwareByUrl.get(software.url);
  if (holder !== undefined && holder !== software.id) throw urlTaken(software.url, holder);
  const before = state.urlBySoftware.get(software.id);
  if (before !== undefined) state.softwareByUrl.delete(before);
  state.softwareByUrl.set(software.url, software.id);
  state.urlBySoftware.set(software.id, software.url);
  state.software.push(software);
}

function applyPlugin(state: State, plugin: PluginFields): void {
  if (!state.urlBySoftware.has(plugin.softwareId)) throw missingSoftware(plugin.softwareId);
  state.pluginIds.add(plugin.id);
  state.owners.set(plugin.owner.id, plugin.owner.name);
  state.plugins.set(plugin.id, plugin);
}

function applyChart(state: State, pluginId: number, chart: Chart): void {
  const stored = state.chartsByKey.get(chartKey(pluginId, chart.chartId));
  if (stored !== undefined) {
    checkChartReplacement(stored, chart);
    stored.type = chart.type;
  } else {
    if (!state.pluginIds.has(pluginId)) throw missingPlugin(pluginId);
    const holder = state.chartsByUid.get(chart.uid);
    if (holder !== undefined) throw uidTaken(chart.uid, holder);
    addChart(state, { pluginId, chartId: chart.chartId, uid: chart.uid, type: chart.type, hasData: false });
  }
  state.charts.set(chart.uid, { pluginId, chart });
}

function applyData(state: State, record: MetricsRecord & { readonly kind: 'data' }): void {
  const { pluginId, chartId } = record;
  const chart = state.chartsByKey.get(chartKey(pluginId, chartId));
  if (chart === undefined) {
    throw state.pluginIds.has(pluginId) ? missingChart(pluginId, chartId) : missingPlugin(pluginId);
  }
  const data = record.dataFor(chart.type);
  if (data.storage === 'snapshot') state.snapshots.set(chart.uid, data.json);
  else {
    if (data.points.timestamps.length === 0) return;
    const parts = state.points.get(chart.uid);
    if (parts === undefined) state.points.set(chart.uid, [data.points]);
    else parts.push(data.points);
  }
  chart.hasData = true;
}

function addChart(state: State, chart: ChartState): void {
  state.chartsByKey.set(chartKey(chart.pluginId, chart.chartId), chart);
  state.chartsByUid.set(chart.uid, chart);
}

function chartKey(pluginId: number, chartId: string): string {
  return `${pluginId} ${chartId}`;
}

const chartsSql = `
  select uid, plugin_id, chart_id, type from plugin_metrics.chart
  where (plugin_id, chart_id) in (select * from unnest($1::bigint[], $2::text[]))
  union
  select uid, plugin_id, chart_id, type from plugin_metrics.chart where uid = any ($3)`;

const withDataSql = `
  select uid from unnest($1::bigint[]) as asked (uid)
  where exists (select 1 from plugin_metrics.snapshot where chart_uid = uid)
    or exists (select 1 from plugin_metrics.chunk where chart_uid = uid)`;

async function readState(connection: PostgresConnection, records: readonly MetricsRecord[]): Promise<State> {
  const state: State = {
    softwareByUrl: new Map(),
    urlBySoftware: new Map(),
    pluginIds: new Set(),
    chartsByKey: new Map(),
    chartsByUid: new Map(),
    software: [],
    plugins: new Map(),
    owners: new Map(),
    charts: new Map(),
    snapshots: new Map(),
    points: new Map(),
  };
  if (records.some((record) => record.kind === 'software' || record.kind === 'plugin')) {
    for (const row of await connection.query<{ readonly id: number; readonly url: string }>(
      'select id, url from plugin_metrics.software',
    )) {
      state.softwareByUrl.set(row.url, row.id);
      state.urlBySoftware.set(row.id, row.url);
    }
  }
  await readPlugins(connection, state, records);
  await readCharts(connection, state, records);
  return state;
}

async function readPlugins(
  connection: PostgresConnection,
  state: State,
  records: readonly MetricsRecord[],
): Promise<void> {
  const ids = new Set<number>();
  for (const record of records) if ('pluginId' in record) ids.add(record.pluginId);
  if (ids.size === 0) return;
  const rows = await connection.query<{ readonly id: number }>(
    { name: 'plugins-of-records', text: 'select id from plugin_metrics.plugin where id = any ($1)' },
    [[...ids]],
  );
  for (const row of rows) state.pluginIds.add(row.id);
}

async function readCharts(
  connection: PostgresConnection,
  state: State,
  records: readonly MetricsRecord[],
): Promise<void> {
  const keys = new Map<string, readonly [number, string]>();
  const typesByUid = new Map<number, Set<string>>();
  for (const record of records) {
    if (!('pluginId' in record)) continue;
    const chartId = record.kind === 'chart' ? record.chart.chartId : record.chartId;
    keys.set(chartKey(record.pluginId, chartId), [record.pluginId, chartId]);
    if (record.kind !== 'chart') continue;
    const { uid, type } = record.chart;
    typesByUid.set(uid, (typesByUid.get(uid) ?? new Set()).add(type));
  }
  if (keys.size === 0) return;
  const pairs = [...keys.values()];
  const rows = await connection.query<{
    readonly uid: number;
    readonly plugin_id: number;
    readonly chart_id: string;
    readonly type: string;
  }>({ name: 'charts-of-records', text: chartsSql }, [
    pairs.map(([pluginId]) => pluginId),
    pairs.map(([, chartId]) => chartId),
    [...typesByUid.keys()],
  ]);
  for (const row of rows)
    addChart(state, {
      pluginId: row.plugin_id,
      chartId: row.chart_id,
      uid: row.uid,
      type: row.type,
      hasData: false,
    });
  // Whether a chart has data matters only where its type would change.
  const changing = [...typesByUid].filter(([uid, types]) => {
    const stored = state.chartsByUid.get(uid);
    return stored !== undefined && [...types].some((type) => type !== stored.type);
  });
  if (changing.length === 0) return;
  const withData = await connection.query<{ readonly uid: number }>(withDataSql, [
    changing.map(([uid]) => uid),
  ]);
  for (const row of withData) {
    const stored = state.chartsByUid.get(row.uid);
    if (stored !== undefined) stored.hasData = true;
  }
}

const putSoftwareSql = `
  insert into plugin_metrics.software (id, name, url, global_plugin_id) values ($1, $2, $3, $4)
  on conflict (id) do update set name = excluded.name, url = excluded.url,
    global_plugin_id = excluded.global_plugin_id`;

const putOwnersSql = `
  insert into plugin_metrics.owner (id, name)
  select * from unnest($1::bigint[], $2::text[])
  on conflict (id) do update set name = excluded.name`;

const putPluginsSql = `
  insert into plugin_metrics.plugin (id, name, owner_id, software_id, is_global)
  select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::boolean[])
  on conflict (id) do update set name = excluded.name, owner_id = excluded.owner_id,
    software_id = excluded.software_id, is_global = excluded.is_global`;

const putChartsSql = `
  insert into plugin_metrics.chart (uid, plugin_id, chart_id, type, position, title, is_default, settings)
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[],
    $7::boolean[], $8::text[])
  on conflict (uid) do update set type = excluded.type, position = excluded.position,
    title = excluded.title, is_default = excluded.is_default, settings = excluded.settings`;

const putSnapshotsSql = `
  insert into plugin_metrics.snapshot (chart_uid, json)
  select * from unnest($1::bigint[], $2::text[])
  on conflict (chart_uid) do update set json = excluded.json`;

async function writeState(connection: PostgresConnection, state: State): Promise<void> {
  for (const { id, name, url, globalPluginId } of state.software)
    await connection.query(putSoftwareSql, [id, name, url, globalPluginId]);
  await putRows(connection, putOwnersSql, [...state.owners]);
  await putRows(
    connection,
    putPluginsSql,
    [...state.plugins.values()].map(({ id, name, owner, softwareId, isGlobal }) => [
      id,
      name,
      owner.id,
      softwareId,
      isGlobal,
    ]),
  );
  await putRows(
    connection,
    putChartsSql,
    [...state.charts.values()].map(({ pluginId, chart }) => {
      const { uid, chartId, type, position, title, isDefault, data } = chart;
      return [uid, pluginId, chartId, type, position, title, isDefault, data];
    }),
  );
  await putRows(connection, putSnapshotsSql, [...state.snapshots]);
  const lines = [...state.points].map(([uid, parts]) => ({ uid, points: orderPoints(concatPoints(parts)) }));
  await writePoints(connection, lines);
}

/** One statement for all rows, its parameters being their columns. */
async function putRows(
  connection: PostgresConnection,
  sql: string,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await connection.query(
    sql,
    first.map((_, column) => rows.map((row) => row[column])),
  );
}
