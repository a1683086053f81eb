/**
 * The rows of the tables as columns to write. The last column is the row's checksum: a CRC-32 of the table's name and
 * of every other column, the key among them, so that a damaged row and two rows that changed places are told from
 * good ones. It is the same in every store.
 */
import { crc32 } from 'node:zlib';
import type { Chart } from '../model/chart.ts';
import type { JsonText } from '../model/json-text.ts';
import type { PluginFields, SoftwareFields } from '../model/metrics-record.ts';
import type { Owner } from '../model/plugin.ts';

/** The value of a column; a boolean is 0 or 1. */
export type Column = string | number | null;

/** A row in the order of {@link columnNames}. */
export type Columns = readonly Column[];

/** The tables whose rows have a checksum, with their columns. */
export const columnNames = {
  software: ['id', 'name', 'url', 'global_plugin_id', 'checksum'],
  owner: ['id', 'name', 'checksum'],
  plugin: ['id', 'name', 'owner_id', 'software_id', 'is_global', 'checksum'],
  chart: ['uid', 'plugin_id', 'chart_id', 'type', 'position', 'title', 'is_default', 'settings', 'checksum'],
  snapshot: ['chart_uid', 'json', 'checksum'],
  removal: ['plugin_id', 'chart_id', 'before_timestamp', 'checksum'],
} as const;

/** One of the tables of {@link columnNames}. */
export type CheckedTable = keyof typeof columnNames;

/** The row of a software. */
export function softwareColumns({ id, name, url, globalPluginId }: SoftwareFields): Columns {
  return withChecksum('software', [id, name, url, globalPluginId]);
}

/** The row of an owner. */
export function ownerColumns({ id, name }: Owner): Columns {
  return withChecksum('owner', [id, name]);
}

/** The row of a plugin. */
export function pluginColumns({ id, name, owner, softwareId, isGlobal }: PluginFields): Columns {
  return withChecksum('plugin', [id, name, owner.id, softwareId, Number(isGlobal)]);
}

/** The row of a chart. */
export function chartColumns(pluginId: number, chart: Chart): Columns {
  const { uid, chartId, type, position, title, isDefault, data } = chart;
  return withChecksum('chart', [uid, pluginId, chartId, type, position, title, Number(isDefault), data]);
}

/** The row of the data of a chart that has no series. */
export function snapshotColumns(uid: number, json: JsonText): Columns {
  return withChecksum('snapshot', [uid, json]);
}

/** The row of a removal (`beforeTimestamp` is null) or of pruned points; 0 is every plugin, an empty chart id the whole plugin. */
export function removalColumns(pluginId: number, chartId: string, beforeTimestamp: number | null): Columns {
  return withChecksum('removal', [pluginId, chartId, beforeTimestamp]);
}

/** A row that was read from a table, in the same order. */
export function storedColumns(table: CheckedTable, row: Readonly<Record<string, unknown>>): Columns {
  return columnNames[table].map((name) => {
    const value = row[name];
    return typeof value === 'string' || value === null ? value : Number(value);
  });
}

/** Whether a row has the checksum that belongs to it. */
export function isIntact(table: CheckedTable, stored: Columns): boolean {
  return stored.at(-1) === rowChecksum(table, stored.slice(0, -1));
}

/** The checksum of a row of which all other columns are given, as a signed integer: it takes four bytes. */
export function rowChecksum(table: CheckedTable, columns: readonly unknown[]): number {
  // No text that a store takes holds a NUL; null is written as nothing.
  return crc32([table, ...columns].join('\0')) | 0;
}

function withChecksum(table: CheckedTable, columns: Columns): Columns {
  return [...columns, rowChecksum(table, columns)];
}
