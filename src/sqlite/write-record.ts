/** How one record changes the tables of the embedded store, and what it must not change. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Chart } from '../model/chart.ts';
import type { MetricsRecord, PluginFields, SoftwareFields } from '../model/metrics-record.ts';
import type { Points } from '../model/points.ts';
import { mergeIntoChunks } from '../series/merge-chunks.ts';
import {
  checkChartReplacement,
  missingChart,
  missingGlobalPlugin,
  missingPlugin,
  missingSoftware,
  type StoredChart,
  uidTaken,
  urlTaken,
} from '../store/import-rules.ts';
import { chunkOf } from './rows.ts';

const sql = {
  softwareByUrl: 'select id from software where url = ? and id <> ?',
  hasSoftware: 'select 1 from software where id = ?',
  hasPlugin: 'select 1 from plugin where id = ?',
  openGlobalPlugin: `
    select software.id, global_plugin_id from software
    left join plugin on plugin.id = global_plugin_id
    where global_plugin_id is not null and plugin.id is null limit 1`,
  putSoftware: `
    insert into software (id, name, url, global_plugin_id) values (?, ?, ?, ?)
    on conflict (id) do update set name = excluded.name, url = excluded.url, global_plugin_id = excluded.global_plugin_id`,
  putOwner: 'insert into owner (id, name) values (?, ?) on conflict (id) do update set name = excluded.name',
  putPlugin: `
    insert into plugin (id, name, owner_id, software_id, is_global) values (?, ?, ?, ?, ?)
    on conflict (id) do update set name = excluded.name, owner_id = excluded.owner_id,
      software_id = excluded.software_id, is_global = excluded.is_global`,
  findChart: `
    select uid, type,
      exists (select 1 from snapshot where chart_uid = uid) or exists (select 1 from chunk where chart_uid = uid)
        as has_data
    from chart where plugin_id = ? and chart_id = ?`,
  chartOfUid: 'select plugin_id, chart_id from chart where uid = ?',
  putChart: `
    insert into chart (uid, plugin_id, chart_id, type, position, title, is_default, settings)
    values (?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (plugin_id, chart_id) do update set type = excluded.type, position = excluded.position,
      title = excluded.title, is_default = excluded.is_default, settings = excluded.settings`,
  putSnapshot: `
    insert into snapshot (chart_uid, json) values (?, ?)
    on conflict (chart_uid) do update set json = excluded.json`,
  touchedChunks: `
    select first_timestamp, bytes from chunk
    where chart_uid = :uid
      and first_timestamp >= :from
      and first_timestamp <= max(:from, :last)
    order by first_timestamp`,
  firstTouched: `
    select coalesce(
      (select max(first_timestamp) from chunk where chart_uid = :uid and first_timestamp <= :first),
      (select min(first_timestamp) from chunk where chart_uid = :uid)) as first_timestamp`,
  putChunk: `
    insert into chunk (chart_uid, first_timestamp, bytes) values (?, ?, ?)
    on conflict (chart_uid, first_timestamp) do update set bytes = excluded.bytes`,
  removeChunk: 'delete from chunk where chart_uid = ? and first_timestamp = ?',
};

/** The statements that writing needs, prepared once. */
export type RecordStatements = { readonly [name in keyof typeof sql]: StatementSync };

/** Prepares {@link RecordStatements} on a connection. */
export function prepareRecordStatements(db: DatabaseSync): RecordStatements {
  const prepared = Object.entries(sql).map(([name, text]) => [name, db.prepare(text)]);
  return Object.fromEntries(prepared) as RecordStatements;
}

/**
 * Writes one record.
 * @throws AppError `conflict` for what must not change or is taken, `invalid` for a reference that leads nowhere
 *   and for data of the wrong shape.
 */
export function writeRecord(statements: RecordStatements, record: MetricsRecord): void {
  switch (record.kind) {
    case 'software':
      writeSoftware(statements, record.software);
      break;
    case 'plugin':
      writePlugin(statements, record.plugin);
      break;
    case 'chart':
      writeChart(statements, record.pluginId, record.chart);
      break;
    case 'data':
      writeData(statements, record);
      break;
    case 'end':
      checkGlobalPlugins(statements);
      break;
    default:
      record satisfies never;
  }
}

function writeSoftware(statements: RecordStatements, software: SoftwareFields): void {
  const holder = statements.softwareByUrl.get(software.url, software.id);
  if (holder !== undefined) throw urlTaken(software.url, Number(holder['id']));
  statements.putSoftware.run(software.id, software.name, software.url, software.globalPluginId);
}

function writePlugin(statements: RecordStatements, plugin: PluginFields): void {
  if (statements.hasSoftware.get(plugin.softwareId) === undefined) throw missingSoftware(plugin.softwareId);
  statements.putOwner.run(plugin.owner.id, plugin.owner.name);
  statements.putPlugin.run(
    plugin.id,
    plugin.name,
    plugin.owner.id,
    plugin.softwareId,
    plugin.isGlobal ? 1 : 0,
  );
}

function writeChart(statements: RecordStatements, pluginId: number, chart: Chart): void {
  const { uid, chartId, type, position, title, isDefault, data } = chart;
  const stored = findChart(statements, pluginId, chartId);
  if (stored !== undefined) checkChartReplacement(stored, chart);
  else {
    if (statements.hasPlugin.get(pluginId) === undefined) throw missingPlugin(pluginId);
    const holder = statements.chartOfUid.get(uid);
    if (holder !== undefined) {
      throw uidTaken(uid, { pluginId: Number(holder['plugin_id']), chartId: String(holder['chart_id']) });
    }
  }
  statements.putChart.run(uid, pluginId, chartId, type, position, title, isDefault ? 1 : 0, data);
}

function writeData(statements: RecordStatements, record: MetricsRecord & { readonly kind: 'data' }): void {
  const { pluginId, chartId } = record;
  const chart = findChart(statements, pluginId, chartId);
  if (chart === undefined) {
    const isPluginKnown = statements.hasPlugin.get(pluginId) !== undefined;
    throw isPluginKnown ? missingChart(pluginId, chartId) : missingPlugin(pluginId);
  }
  const data = record.dataFor(chart.type);
  if (data.storage === 'snapshot') statements.putSnapshot.run(chart.uid, data.json);
  else writePoints(statements, chart.uid, data.points);
}

function writePoints(statements: RecordStatements, uid: number, points: Points): void {
  const pointCount = points.timestamps.length;
  if (pointCount === 0) return;
  const first = points.timestamps[0] ?? 0;
  const last = points.timestamps[pointCount - 1] ?? 0;
  const from = statements.firstTouched.get({ uid, first })?.['first_timestamp'] ?? null;
  const touched = from === null ? [] : statements.touchedChunks.all({ uid, from, last }).map(chunkOf);
  const { removed, written } = mergeIntoChunks(touched, points);
  for (const firstTimestamp of removed) statements.removeChunk.run(uid, firstTimestamp);
  for (const chunk of written) statements.putChunk.run(uid, chunk.firstTimestamp, chunk.bytes);
}

function checkGlobalPlugins(statements: RecordStatements): void {
  const open = statements.openGlobalPlugin.get();
  if (open !== undefined) throw missingGlobalPlugin(Number(open['id']), Number(open['global_plugin_id']));
}

function findChart(statements: RecordStatements, pluginId: number, chartId: string): StoredChart | undefined {
  const row = statements.findChart.get(pluginId, chartId);
  if (row === undefined) return undefined;
  return { uid: Number(row['uid']), type: String(row['type']), hasData: row['has_data'] === 1 };
}
