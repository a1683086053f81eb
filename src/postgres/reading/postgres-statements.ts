/**
 * The statements of the reader. Each selects a whole answer with the generation that it belongs to: without a match there is
 * one row, whose other columns are null.
 */
import { eventsPerBatch, oldNamesPerBatch } from '../../model/metrics-reader.ts';
import { keysPerPage } from '../../store/chart-batches.ts';
import { lineTypesSql } from '../../store/stored-columns.ts';
import type { Statement } from '../connection/postgres-connection.ts';

/** All software. */
export const software: Statement = {
  name: 'software',
  text: `
    select g.value as generation, g.token, g.catalogue,
      software.id, software.name, software.url, plugin.id as plugin_id, plugin.name as plugin_name
    from plugin_metrics.generation as g
    left join plugin_metrics.software on true
    left join plugin_metrics.plugin on plugin.id = software.global_plugin_id
    where g.id = 1
    order by software.id`,
};

/** The plugins after $1, without the generation, which their transaction has got already. */
export const pluginsPage: Statement = {
  name: 'plugins',
  text: `
    select plugin.id, plugin.name, plugin.is_global, plugin.owner_id, owner.name as owner_name,
      plugin.software_id, software.name as software_name, software.url
    from plugin_metrics.plugin
    join plugin_metrics.owner on owner.id = plugin.owner_id
    join plugin_metrics.software on software.id = plugin.software_id
    where plugin.id > $1
    order by plugin.id
    limit 256`,
};

/**
 * The plugins after $1: a row for each of their charts with an id in $2 and its newest chunk, if there is one. The chunk is
 * looked up by uid, so that only one chunk of each chart is read.
 */
export const latestPointsPage: Statement = {
  name: 'latest-points',
  text: `
    select plugin.id, chart.chart_id, chart.uid as chart_uid, chunk.first_timestamp, chunk.bytes
    from (select id from plugin_metrics.plugin where id > $1 order by id limit 64) as plugin
    left join plugin_metrics.chart on chart.plugin_id = plugin.id and chart.chart_id = any ($2)
    left join lateral (
      select first_timestamp, bytes
      from plugin_metrics.chunk
      where chart_uid = chart.uid
      order by first_timestamp desc
      limit 1
    ) as chunk on true
    order by plugin.id, chart.chart_id`,
};

/** The lines after the uid $1: a row for each, with its last chunk that begins at the time $2 or before. */
export const lastChunksPage: Statement = {
  name: 'last-chunks',
  text: `
    select chart.uid, chart.uid as chart_uid, chunk.first_timestamp, chunk.bytes
    from (
      select uid from plugin_metrics.chart where uid > $1 and type in (${lineTypesSql}) order by uid limit 512
    ) as chart
    left join lateral (
      select first_timestamp, bytes
      from plugin_metrics.chunk
      where chart_uid = chart.uid and first_timestamp <= $2
      order by first_timestamp desc
      limit 1
    ) as chunk on true
    order by chart.uid`,
};

/** One plugin. */
export const plugin: Statement = {
  name: 'plugin',
  text: `
    select g.value as generation, g.token, g.catalogue,
      plugin.id, plugin.name, plugin.is_global, plugin.owner_id, owner.name as owner_name,
      plugin.software_id, software.name as software_name, software.url
    from plugin_metrics.generation as g
    left join (
      plugin_metrics.plugin
      join plugin_metrics.owner on owner.id = plugin.owner_id
      join plugin_metrics.software on software.id = plugin.software_id
    ) on plugin.id = $1
    where g.id = 1`,
};

/** The keys of the charts of plugin $1 after chart id $2, without the generation. */
export const chartKeys: Statement = {
  name: 'chart-keys',
  text: `
    select uid, chart_id, position, octet_length(settings) as settings_bytes
    from plugin_metrics.chart
    where plugin_id = $1 and chart_id > $2
    order by chart_id
    limit ${keysPerPage}`,
};

/** The charts with the uids $1, without the generation. */
export const charts: Statement = {
  name: 'charts',
  text: `
    select uid, chart_id, type, position, title, is_default, settings
    from plugin_metrics.chart
    where uid = any ($1)`,
};

/** One chart. */
export const chart: Statement = {
  name: 'chart',
  text: `
    select g.value as generation, g.token, g.catalogue,
      plugin.id is not null as is_plugin_known, plugin.name as plugin_name,
      chart.uid, chart.chart_id, chart.type, chart.position, chart.title, chart.is_default, chart.settings,
      exists (select 1 from plugin_metrics.event where event.plugin_id = $1) as has_events
    from plugin_metrics.generation as g
    left join plugin_metrics.plugin on plugin.id = $1
    left join plugin_metrics.chart on chart.plugin_id = $1 and chart.chart_id = $2
    where g.id = 1`,
};

/** The uid of a chart. */
export const uid: Statement = {
  name: 'uid',
  text: `
    select g.value as generation, g.token, g.catalogue,
      exists (select 1 from plugin_metrics.plugin where id = $1) as is_plugin_known, chart.uid
    from plugin_metrics.generation as g
    left join plugin_metrics.chart on chart.plugin_id = $1 and chart.chart_id = $2
    where g.id = 1`,
};

/**
 * The data of the chart with the uid $1, if that is chart $3 of plugin $2; of a series the latest $4 chunks. Data is selected by
 * a uid that is a parameter, so that an engine which shards by it reads one shard.
 */
export const data: Statement = {
  name: 'data',
  text: `
    select g.value as generation, g.token, g.catalogue, chart.type, snapshot.json, snapshot.at,
      $1::bigint as chart_uid, chunk.first_timestamp, chunk.bytes
    from plugin_metrics.generation as g
    left join plugin_metrics.chart on chart.uid = $1 and chart.plugin_id = $2 and chart.chart_id = $3
    left join plugin_metrics.snapshot on snapshot.chart_uid = $1
    left join lateral (
      select first_timestamp, bytes
      from plugin_metrics.chunk
      where chart_uid = $1
      order by first_timestamp desc
      limit $4
    ) as chunk on true
    where g.id = 1
    order by chunk.first_timestamp desc`,
};

/** The $5 first chunks of the chart with the uid $1 that may reach from $2 to before $3 and begin after $4, without the generation. */
export const windowPage: Statement = {
  name: 'window',
  text: `
    select chart_uid, first_timestamp, bytes from plugin_metrics.chunk
    where chart_uid = $1 and first_timestamp > $4 and first_timestamp < $3 and first_timestamp >= coalesce(
      (select max(first_timestamp) from plugin_metrics.chunk where chart_uid = $1 and first_timestamp <= $2), $2)
    order by first_timestamp
    limit $5`,
};

/** The first time and the last chunk of the charts with the uids $1, without the generation. */
export const spans: Statement = {
  name: 'spans',
  text: `
    select asked.uid as chart_uid, first_timestamp, bytes,
      (select min(first_timestamp) from plugin_metrics.chunk where chart_uid = asked.uid) as first
    from unnest($1::bigint[]) as asked (uid)
    join lateral (
      select first_timestamp, bytes from plugin_metrics.chunk
      where chart_uid = asked.uid order by first_timestamp desc limit 1
    ) as last on true`,
};

/** The old names after the plugin $1 and the name $2, up to the plugin $3, without the generation. */
export const oldNamesPage: Statement = {
  name: 'old-names',
  text: `
    select plugin_id, name from plugin_metrics.old_name
    where (plugin_id, name) > ($1, $2) and plugin_id <= $3
    order by plugin_id, name
    limit ${oldNamesPerBatch}`,
};

/** The events of the plugin $3 after the time $1 and the title $2, without the generation. */
export const eventsPage: Statement = {
  name: 'events',
  text: `
    select time, title, url from plugin_metrics.event
    where plugin_id = $3 and (time, title) > ($1, $2)
    order by time, title
    limit ${eventsPerBatch}`,
};
