/**
 * Turns rows into the nouns of the model. A column of a wrong kind means that the store is damaged: then each function throws AppError
 * `unavailable`. Rows were held to their checksums before (intact-row.ts).
 */
import { AppError } from '../model/app-error.ts';
import type { Chart } from '../model/chart.ts';
import type { ChartSpan } from '../model/chart-data.ts';
import { type JsonText, trustedJson, wellFormedJson } from '../model/json-text.ts';
import type { PluginFields, SoftwareFields } from '../model/metrics-record.ts';
import type { Removal } from '../model/metrics-remover.ts';
import type { StoredChart } from '../model/metrics-writer.ts';
import type { OldName, PluginChart, PluginSummary } from '../model/plugin.ts';
import type { PluginEvent } from '../model/plugin-event.ts';
import type { LatestPoint, ListedPlugin, SoftwareNow } from '../model/plugin-list.ts';
import type { Software } from '../model/software.ts';
import type { Chunk } from '../series/chunk.ts';
import { everyChart, everyPlugin } from './stored-columns.ts';

/** Columns by name, as a driver gives them. Booleans may be 0 and 1; integers may be bigints. */
export type Row = Readonly<Record<string, unknown>>;

/** Makes an element of the software list; the columns of the global plugin begin with `plugin_`. */
export function softwareOf(row: Row): Software {
  const { globalPluginId, ...software } = softwareFieldsOf(row);
  if (row['plugin_id'] === null) return { ...software, globalPlugin: null };
  return {
    ...software,
    globalPlugin: { id: integer(row['plugin_id']), name: text(row['plugin_name']) },
  };
}

/** Makes the software of a record. */
export function softwareFieldsOf(row: Row): SoftwareFields {
  const globalPluginId = row['global_plugin_id'] === null ? null : integer(row['global_plugin_id']);
  return { id: integer(row['id']), name: text(row['name']), url: text(row['url']), globalPluginId };
}

/** Makes an element of the plugin list; the columns of its software begin with `software_`. */
export function pluginSummaryOf(row: Row): PluginSummary {
  const { id, name, owner, softwareId, isGlobal } = pluginFieldsOf(row);
  const software = { id: softwareId, name: text(row['software_name']), url: text(row['software_url']) };
  return { id, name, owner, software, isGlobal };
}

/** Makes the plugin of a record; the columns of its owner begin with `owner_`. */
export function pluginFieldsOf(row: Row): PluginFields {
  return {
    id: integer(row['id']),
    name: text(row['name']),
    owner: { id: integer(row['owner_id']), name: text(row['owner_name']) },
    softwareId: integer(row['software_id']),
    isGlobal: boolean(row['is_global']),
  };
}

/** Makes a chart. */
export function chartOf(row: Row): Chart {
  return {
    chartId: text(row['chart_id']),
    uid: integer(row['uid']),
    type: text(row['type']),
    position: integer(row['position']),
    title: text(row['title']),
    isDefault: boolean(row['is_default']),
    data: trustedJson(text(row['settings'])),
  };
}

/** Makes a chart with the name of its plugin, whose columns begin with `plugin_`. */
export function pluginChartOf(row: Row): PluginChart {
  return { ...chartOf(row), pluginName: text(row['plugin_name']), hasEvents: boolean(row['has_events']) };
}

/** Makes the data of a chart from the columns that begin with `snapshot_`; undefined for none. */
export function snapshotOf(row: Row): { readonly json: JsonText; readonly at: number | null } | undefined {
  if (row['snapshot_chart_uid'] === null) return undefined;
  const json = text(row['snapshot_json']);
  if (row['snapshot_at'] === null) return { json: trustedJson(json), at: null };
  return { json: trustedJson(wellFormedJson(json)), at: integer(row['snapshot_at']) };
}

/** Makes a chunk. */
export function chunkOf(row: Row): Chunk {
  return {
    uid: integer(row['chart_uid']),
    firstTimestamp: integer(row['first_timestamp']),
    bytes: bytes(row['bytes']),
  };
}

/** Makes the spans of charts by uid from rows of `chart_now`. */
export function spansOf(rows: readonly Row[]): Map<number, ChartSpan> {
  return new Map(
    rows.map((row) => {
      const [first, last] = [integer(row['first_time']), integer(row['last_time'])];
      return [integer(row['chart_uid']), { first, last, lastValue: Number(row['last_value'] ?? Number.NaN) }];
    }),
  );
}

/** Makes a plugin of a list; the columns of `plugin_now` begin with `now_`, those of `plugin_trend` with `trend_`. */
export function listedPluginOf(row: Row): ListedPlugin {
  return {
    ...pluginSummaryOf(row),
    servers: latestPointOf(row, 'now_servers'),
    players: latestPointOf(row, 'now_players'),
    days: JSON.parse(text(row['trend_days'])),
    change: numberOrNull(row['trend_change']),
  };
}

/** Makes a software with its numbers; the columns of `software_now` begin with `now_`, those of `plugin_now` for its global plugin with `latest_`. */
export function softwareNowOf(row: Row): SoftwareNow {
  return {
    ...softwareOf(row),
    ...countsOf(row),
    servers: latestPointOf(row, 'latest_servers'),
    players: latestPointOf(row, 'latest_players'),
    largest: { servers: numberOrNull(row['now_servers']), players: numberOrNull(row['now_players']) },
    newestTime: row['now_newest_time'] === null ? null : integer(row['now_newest_time']),
  };
}

/** Makes the counts of a software, whose columns begin with `now_`; one without plugins has none. */
export function countsOf(row: Row): Pick<SoftwareNow, 'pluginCount' | 'globalCount'> {
  if (row['now_software_id'] === null) return { pluginCount: 0, globalCount: 0 };
  return { pluginCount: integer(row['now_plugin_count']), globalCount: integer(row['now_global_count']) };
}

function latestPointOf(row: Row, column: string): LatestPoint | null {
  const time = row[`${column}_time`];
  return time === null ? null : [integer(time), Number(row[column])];
}

/** Makes a name that a plugin had. */
export function oldNameOf(row: Row): OldName {
  return { pluginId: integer(row['plugin_id']), name: text(row['name']) };
}

/** Makes a removal. */
export function removalOf(row: Row): Removal {
  const [pluginId, chartId] = [integer(row['plugin_id']), text(row['chart_id'])];
  return {
    ...(pluginId === everyPlugin ? {} : { pluginId }),
    ...(chartId === everyChart ? {} : { chartId }),
    before: row['before_timestamp'] === null ? null : integer(row['before_timestamp']),
  };
}

/** Makes a chart with the column `has_data`. */
export function storedChartOf(row: Row): StoredChart {
  return {
    pluginId: integer(row['plugin_id']),
    chartId: text(row['chart_id']),
    type: text(row['type']),
    settings: trustedJson(text(row['settings'])),
    hasData: boolean(row['has_data']),
  };
}

/** Makes an event. */
export function eventOf(row: Row): PluginEvent {
  const url = row['url'] === null ? null : text(row['url']);
  return { time: integer(row['time']), title: text(row['title']), url };
}

/** Checks an integer column. */
export function integer(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw damagedColumn('an integer of at most 2^53-1', value);
}

/** Checks a text column. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw damagedColumn('a text', value);
}

/** Checks a column of bytes. */
export function bytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw damagedColumn('bytes', value);
}

/** Checks a column of a number that may be null. */
export function numberOrNull(value: unknown): number | null {
  if (value === null || typeof value === 'number') return value;
  throw damagedColumn('a number', value);
}

function boolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const number = Number(value);
  if (number === 0 || number === 1) return number === 1;
  throw damagedColumn('true or false', value);
}

function damagedColumn(expected: string, value: unknown): AppError {
  const found = value instanceof Uint8Array ? 'bytes' : String(value).slice(0, 40);
  return new AppError(
    'store-unavailable',
    `the store is damaged: a row has ${found} where ${expected} belongs`,
  );
}
