/**
 * Turns the nouns of the model into rows to write. The last column of a row is its checksum, the same in every store: a CRC-32
 * of the name of the table and all other columns, the key included. It finds damaged rows, and rows that changed places.
 */
import { crc32 } from 'node:zlib';
import type { Chart } from '../model/chart.ts';
import { chartTypes } from '../model/chart-types.ts';
import { storageOf } from '../model/data-shapes.ts';
import type { JsonText } from '../model/json-text.ts';
import type { PluginFields, SoftwareFields } from '../model/metrics-record.ts';
import type { Removal } from '../model/metrics-remover.ts';
import type { OldName, Owner } from '../model/plugin.ts';
import type { PluginEvent } from '../model/plugin-event.ts';

/** The types of charts that are lines, as a list of SQL. */
export const lineTypesSql = Object.keys(chartTypes)
  .filter((type) => storageOf(type) === 'series')
  .map((type) => `'${type}'`)
  .join();

/** The value of a column; a boolean is 0 or 1. */
type Column = string | number | null;

/** A row in the order of {@link columnNames}. */
export type Columns = readonly Column[];

/** The tables whose rows have a checksum, with their columns. */
export const columnNames = {
  software: ['id', 'name', 'url', 'global_plugin_id', 'checksum'],
  owner: ['id', 'name', 'checksum'],
  plugin: ['id', 'name', 'owner_id', 'software_id', 'is_global', 'checksum'],
  chart: ['uid', 'plugin_id', 'chart_id', 'type', 'position', 'title', 'is_default', 'settings', 'checksum'],
  snapshot: ['chart_uid', 'json', 'at', 'checksum'],
  old_name: ['plugin_id', 'name', 'checksum'],
  event: ['plugin_id', 'time', 'title', 'url', 'checksum'],
  removal: ['plugin_id', 'chart_id', 'before_timestamp', 'checksum'],
} as const;

/** One of the tables of {@link columnNames}. */
export type CheckedTable = keyof typeof columnNames;

/** Makes the row of a software. */
export function softwareColumns({ id, name, url, globalPluginId }: SoftwareFields): Columns {
  return withChecksum('software', [id, name, url, globalPluginId]);
}

/** Makes the row of an owner. */
export function ownerColumns({ id, name }: Owner): Columns {
  return withChecksum('owner', [id, name]);
}

/** Makes the row of a plugin. */
export function pluginColumns({ id, name, owner, softwareId, isGlobal }: PluginFields): Columns {
  return withChecksum('plugin', [id, name, owner.id, softwareId, Number(isGlobal)]);
}

/** Makes the row of a chart. */
export function chartColumns(pluginId: number, chart: Chart): Columns {
  const { uid, chartId, type, position, title, isDefault, data } = chart;
  return withChecksum('chart', [uid, pluginId, chartId, type, position, title, Number(isDefault), data]);
}

/** Makes the row for the data of a chart that is not a line; `at` is their time, if they have one. */
export function snapshotColumns(uid: number, json: JsonText, at: number | null): Columns {
  return withChecksum('snapshot', [uid, json, at]);
}

/** Makes the row of a name that a plugin had. */
export function oldNameColumns({ pluginId, name }: OldName): Columns {
  return withChecksum('old_name', [pluginId, name]);
}

/** Makes the row of an event. */
export function eventColumns(pluginId: number, { time, title, url }: PluginEvent): Columns {
  return withChecksum('event', [pluginId, time, title, url]);
}

/** The plugin id in the row of a removal of every plugin. */
export const everyPlugin = 0;

/** The chart id in the row of a removal of a whole plugin. */
export const everyChart = '';

/** Makes the row of a removal. Of that and the stored one for the same, null wins, otherwise the later time. */
export function removalColumns(
  { pluginId = everyPlugin, chartId = everyChart, before }: Removal,
  stored?: Columns,
): Columns {
  const both = stored !== undefined && isIntact('removal', stored) ? [before, stored[2]] : [before];
  return withChecksum('removal', [
    pluginId,
    chartId,
    both.includes(null) ? null : Math.max(...both.map(Number)),
  ]);
}

/** Orders the columns of a row that was read from a table. */
export function storedColumns(table: CheckedTable, row: Readonly<Record<string, unknown>>): Columns {
  return columnNames[table].map((name) => {
    const value = row[name];
    return typeof value === 'string' || value === null ? value : Number(value);
  });
}

/** True for a row with the right checksum. */
export function isIntact(table: CheckedTable, stored: Columns): boolean {
  return stored.at(-1) === rowChecksum(table, stored.slice(0, -1));
}

/** Computes the checksum of a row from its other columns, as a signed integer of four bytes. */
export function rowChecksum(table: CheckedTable, columns: readonly unknown[]): number {
  // A snapshot without a time has the checksum that it had before there were times.
  if (table === 'snapshot' && columns.at(-1) === null) return rowChecksumOf([table, ...columns.slice(0, -1)]);
  return rowChecksumOf([table, ...columns]);
}

function rowChecksumOf(columns: readonly unknown[]): number {
  // No text in a store has a NUL, so it separates columns; null is the empty text.
  return crc32(columns.join('\0')) | 0;
}

function withChecksum(table: CheckedTable, columns: Columns): Columns {
  return [...columns, rowChecksum(table, columns)];
}
