/** The embedded store as a source of records: everything, in one order, as it stood at one moment. */
import type { DatabaseSync } from 'node:sqlite';
import { storageOf } from '../model/chart-data.ts';
import { trustedJson } from '../model/json-text.ts';
import {
  batchRecords,
  type MetricsRecord,
  type PluginFields,
  type SoftwareFields,
} from '../model/metrics-record.ts';
import { type Points, regroupPoints } from '../model/points.ts';
import { decodeChunk } from '../series/chunk.ts';
import { type ChartRow, chartOf, chunkOf } from './rows.ts';
import { openForReading, sqliteFault } from './sqlite-database.ts';

const softwareSql = `select id, name, url, global_plugin_id as "globalPluginId" from software order by id`;

const pluginSql = `
  select plugin.id, plugin.name, owner_id, owner.name as owner_name, software_id, is_global
  from plugin join owner on owner.id = plugin.owner_id
  order by plugin.id`;

const chartSql = `
  select plugin_id, uid, chart_id, type, position, title, is_default, settings
  from chart order by plugin_id, chart_id`;

const snapshotSql = 'select json from snapshot where chart_uid = ?';

const chunksSql = 'select first_timestamp, bytes from chunk where chart_uid = ? order by first_timestamp';

interface PluginRow {
  readonly id: number;
  readonly name: string;
  readonly owner_id: number;
  readonly owner_name: string;
  readonly software_id: number;
  readonly is_global: number;
}

/** Reads all records on a connection and in a transaction of its own. */
export async function* readRecords(path: string): AsyncGenerator<readonly MetricsRecord[]> {
  const db = openForReading(path);
  try {
    db.exec('begin');
    const chunks = db.prepare(chunksSql);
    yield* batchRecords(allRecords(db, path, (uid) => regroupPoints(decodeAll(chunks.iterate(uid)))));
  } catch (error) {
    throw sqliteFault(error, path);
  } finally {
    db.close();
  }
}

/**
 * Every record, a chart's data behind the chart.
 * @param linePoints the points of the line with this chart uid, in the runs that its data records shall hold.
 */
export function* allRecords(
  db: DatabaseSync,
  place: string,
  linePoints: (uid: number) => Iterable<Points>,
): Generator<MetricsRecord> {
  for (const row of rows<SoftwareFields>(db, softwareSql)) {
    yield { place, kind: 'software', software: { ...row } };
  }
  for (const row of rows<PluginRow>(db, pluginSql)) {
    yield { place, kind: 'plugin', plugin: pluginOf(row) };
  }
  const snapshot = db.prepare(snapshotSql);
  for (const row of rows<ChartRow & { readonly plugin_id: number }>(db, chartSql)) {
    const chart = chartOf(row);
    const data = { place, kind: 'data', pluginId: row.plugin_id, chartId: chart.chartId } as const;
    yield { place, kind: 'chart', pluginId: row.plugin_id, chart };
    if (storageOf(chart.type) === 'snapshot') {
      const json = snapshot.get(chart.uid)?.['json'];
      if (typeof json !== 'string') continue;
      yield { ...data, dataFor: () => ({ storage: 'snapshot', json: trustedJson(json) }) };
    } else {
      for (const points of linePoints(chart.uid))
        yield { ...data, dataFor: () => ({ storage: 'series', points }) };
    }
  }
  yield { place, kind: 'end' };
}

function pluginOf(row: PluginRow): PluginFields {
  return {
    id: row.id,
    name: row.name,
    owner: { id: row.owner_id, name: row.owner_name },
    softwareId: row.software_id,
    isGlobal: row.is_global === 1,
  };
}

function* decodeAll(stored: Iterable<Record<string, unknown>>): Generator<Points> {
  for (const row of stored) yield decodeChunk(chunkOf(row));
}

/** The rows of a statement; their type is what it selects from strict tables. */
function rows<Row>(db: DatabaseSync, sql: string): Iterable<Row> {
  return db.prepare(sql).iterate() as Iterable<Row>;
}
