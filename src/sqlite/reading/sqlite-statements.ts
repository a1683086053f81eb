/** The statements of the reader, prepared once for each connection. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { eventsPerBatch, oldNamesPerBatch, pluginsPerBatch } from '../../model/metrics-reader.ts';
import { keysPerPage } from '../../store/chart-batches.ts';
import { lineTypesSql } from '../../store/stored-columns.ts';

const sql = {
  software: `
    select software.id, software.name, software.url, plugin.id as plugin_id, plugin.name as plugin_name
    from software left join plugin on plugin.id = software.global_plugin_id
    order by software.id`,

  /** The plugins after an id. */
  plugins: `
    select plugin.id, plugin.name, plugin.is_global, plugin.owner_id, owner.name as owner_name,
      plugin.software_id, software.name as software_name, software.url
    from plugin
    join owner on owner.id = plugin.owner_id
    join software on software.id = plugin.software_id
    where plugin.id > ?
    order by plugin.id
    limit ${pluginsPerBatch}`,

  /** The old names after a plugin and a name, up to a plugin. */
  oldNames: `
    select plugin_id, name from old_name
    where (plugin_id, name) > (?, ?) and plugin_id <= ?
    order by plugin_id, name
    limit ${oldNamesPerBatch}`,

  /**
   * The plugins after an id: a row for each of their charts with one of the given ids and its newest chunk, if there is one.
   * Every plugin has a row.
   */
  latestPoints: `
    select plugin.id, chart.chart_id, chunk.chart_uid, chunk.first_timestamp, chunk.bytes
    from (select id from plugin where id > ? order by id limit ${pluginsPerBatch}) as plugin
    left join chart on chart.plugin_id = plugin.id and chart.chart_id in (select value from json_each(?))
    left join chunk on chunk.chart_uid = chart.uid
      and chunk.first_timestamp = (select max(first_timestamp) from chunk where chart_uid = chart.uid)
    order by plugin.id, chart.chart_id`,

  /** The lines after a uid: a row for each, with its last chunk that begins at a time or before. */
  lastChunks: `
    select chart.uid, chunk.chart_uid, chunk.first_timestamp, chunk.bytes
    from (select uid from chart where uid > ? and type in (${lineTypesSql}) order by uid limit 128) as chart
    left join chunk on chunk.chart_uid = chart.uid
      and chunk.first_timestamp =
        (select max(first_timestamp) from chunk where chart_uid = chart.uid and first_timestamp <= ?)
    order by chart.uid`,

  plugin: `
    select plugin.id, plugin.name, plugin.is_global, plugin.owner_id, owner.name as owner_name,
      plugin.software_id, software.name as software_name, software.url
    from plugin
    join owner on owner.id = plugin.owner_id
    join software on software.id = plugin.software_id
    where plugin.id = ?`,

  chartKeys: `
    select uid, chart_id, position, octet_length(settings) as settings_bytes
    from chart
    where plugin_id = ? and chart_id > ?
    order by chart_id
    limit ${keysPerPage}`,

  charts: `
    select uid, chart_id, type, position, title, is_default, settings
    from chart
    where uid in (select value from json_each(?))`,

  isKnown: 'select 1 from plugin where id = ?',

  chart: `
    select chart.uid, chart.chart_id, chart.type, chart.position, chart.title, chart.is_default, chart.settings,
      plugin.name as plugin_name, exists (select 1 from event where event.plugin_id = plugin.id) as has_events
    from chart join plugin on plugin.id = chart.plugin_id
    where chart.plugin_id = ? and chart.chart_id = ?`,

  chartType: 'select uid, type from chart where plugin_id = ? and chart_id = ?',

  snapshot: 'select json, at from snapshot where chart_uid = ?',

  /** The latest chunk of a chart. With a bound limit, SQLite would plan the statement again for each value. */
  latestChunk: `
    select first_timestamp, bytes from chunk where chart_uid = ? order by first_timestamp desc limit 1`,

  /** All chunks, the latest first. */
  chunks: 'select first_timestamp, bytes from chunk where chart_uid = ? order by first_timestamp desc',

  /** The last chunk of each of some charts, and the first time. */
  spans: `
    select chart_uid, first_timestamp, bytes,
      (select min(first_timestamp) from chunk where chart_uid = asked.value) as first
    from json_each(:uids) as asked join chunk on chart_uid = asked.value
      and first_timestamp = (select max(first_timestamp) from chunk where chart_uid = asked.value)`,

  /** The key of the last chunk of a chart that begins at a time or before. */
  chunkStart: 'select max(first_timestamp) as start from chunk where chart_uid = ? and first_timestamp <= ?',

  /** The chunks of a chart that begin from a time, inclusive, to another. */
  chunksFrom: `
    select first_timestamp, bytes from chunk
    where chart_uid = ? and first_timestamp >= ? and first_timestamp < ?
    order by first_timestamp`,

  /** The events of a plugin after a time and a title. */
  events: `
    select time, title, url from event
    where plugin_id = ? and (time, title) > (?, ?)
    order by time, title
    limit ${eventsPerBatch}`,
} as const;

/** The statements of one connection. */
export type ReaderStatements = Readonly<Record<keyof typeof sql, StatementSync>>;

/** Prepares the statements. @throws the error of SQLite. */
export function prepareStatements(db: DatabaseSync): ReaderStatements {
  return {
    software: db.prepare(sql.software),
    plugins: db.prepare(sql.plugins),
    oldNames: db.prepare(sql.oldNames),
    latestPoints: db.prepare(sql.latestPoints),
    lastChunks: db.prepare(sql.lastChunks),
    plugin: db.prepare(sql.plugin),
    chartKeys: db.prepare(sql.chartKeys),
    charts: db.prepare(sql.charts),
    isKnown: db.prepare(sql.isKnown),
    chart: db.prepare(sql.chart),
    chartType: db.prepare(sql.chartType),
    snapshot: db.prepare(sql.snapshot),
    latestChunk: prepareArrays(db, sql.latestChunk),
    chunks: prepareArrays(db, sql.chunks),
    spans: db.prepare(sql.spans),
    chunkStart: db.prepare(sql.chunkStart),
    chunksFrom: prepareArrays(db, sql.chunksFrom),
    events: db.prepare(sql.events),
  };
}

/** Prepares a statement whose rows are arrays, which are cheaper than objects. */
function prepareArrays(db: DatabaseSync, text: string): StatementSync {
  const statement = db.prepare(text);
  statement.setReturnArrays(true);
  return statement;
}
