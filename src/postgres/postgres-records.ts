/** The store on a server as a source of records: everything, in one order, as it stood at one moment. */
import { storageOf } from '../model/chart-data.ts';
import { trustedJson } from '../model/json-text.ts';
import type { MetricsRecord, SoftwareFields } from '../model/metrics-record.ts';
import { type Points, regroupPoints } from '../model/points.ts';
import { type Chunk, decodeChunk } from '../series/chunk.ts';
import { batchOptions, connect } from './connection/connect.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { postgresFault } from './connection/postgres-fault.ts';
import { checkVersion } from './migrate.ts';
import { type ChartRow, chartOf } from './rows.ts';

const softwareSql = `select id, name, url, global_plugin_id from plugin_metrics.software order by id`;

const pluginSql = `
  select plugin.id, plugin.name, owner_id, owner.name as owner_name, software_id, is_global
  from plugin_metrics.plugin join plugin_metrics.owner on owner.id = plugin.owner_id
  where plugin.id > $1
  order by plugin.id
  limit 1000`;

const chartSql = `
  select plugin_id, uid, chart_id, type, position, title, is_default, settings
  from plugin_metrics.chart
  where (plugin_id, chart_id) > ($1, $2)
  order by plugin_id, chart_id
  limit 64`;

const snapshotSql = 'select chart_uid, json from plugin_metrics.snapshot where chart_uid = any ($1)';

/** Rows of chunks that are held at once. */
const pageRows = 4096;

const chunksSql = `
  select chart_uid, first_timestamp, bytes
  from plugin_metrics.chunk
  where chart_uid = any ($1) and first_timestamp > $2
  order by chart_uid, first_timestamp
  limit ${pageRows}`;

interface ChunkRow {
  readonly chart_uid: number;
  readonly first_timestamp: number;
  readonly bytes: Buffer;
}

interface PluginRow {
  readonly id: number;
  readonly name: string;
  readonly owner_id: number;
  readonly owner_name: string;
  readonly software_id: number;
  readonly is_global: boolean;
}

type ChartOfPlugin = ChartRow & { readonly plugin_id: number };

/** Reads all records on a connection and in a transaction of its own. */
export async function* readRecords(settings: PostgresSettings): AsyncGenerator<readonly MetricsRecord[]> {
  const connection = await connect(settings, batchOptions);
  try {
    await beginReading(connection, settings.name);
    yield* allRecords(connection, { place: settings.name, withPoints: true });
  } catch (error) {
    throw postgresFault(error, settings.name);
  } finally {
    await connection.end();
  }
}

/**
 * Begins a transaction that sees one state of the store.
 * @throws AppError as `checkVersion`.
 */
export async function beginReading(connection: PostgresConnection, storeName: string): Promise<void> {
  await checkVersion(connection, storeName);
  await connection.query(`
    begin isolation level repeatable read read only;
    -- Whoever takes the records may be slow.
    set local idle_in_transaction_session_timeout = 0`);
}

/** Every record in batches, a chart's data behind the chart; without the points of lines if they are not wanted. */
export async function* allRecords(
  connection: PostgresConnection,
  options: { readonly place: string; readonly withPoints: boolean },
): AsyncGenerator<readonly MetricsRecord[]> {
  const { place } = options;
  yield (await connection.query(softwareSql)).map((row) => ({
    place,
    kind: 'software',
    software: softwareOf(row),
  }));
  for (let after = 0; ; ) {
    const rows = await connection.query<PluginRow>(pluginSql, [after]);
    yield rows.map((row) => ({ place, kind: 'plugin', plugin: pluginOf(row) }));
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  for (let after: readonly [number, string] = [0, '']; ; ) {
    const rows = await connection.query<ChartOfPlugin>(chartSql, [...after]);
    yield* chartRecords(connection, rows, options);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = [last.plugin_id, last.chart_id];
  }
  yield [{ place, kind: 'end' }];
}

async function* chartRecords(
  connection: PostgresConnection,
  rows: readonly ChartOfPlugin[],
  options: { readonly place: string; readonly withPoints: boolean },
): AsyncGenerator<readonly MetricsRecord[]> {
  const { place, withPoints } = options;
  const snapshots = await readSnapshots(connection, uidsOf(rows, 'snapshot'));
  const lines = new LinePages(connection, uidsOf(rows, 'series'));
  for (const row of rows) {
    const chart = chartOf(row);
    const data = { place, kind: 'data', pluginId: row.plugin_id, chartId: chart.chartId } as const;
    const records: MetricsRecord[] = [{ place, kind: 'chart', pluginId: row.plugin_id, chart }];
    const json = snapshots.get(chart.uid);
    if (json !== undefined)
      records.push({ ...data, dataFor: () => ({ storage: 'snapshot', json: trustedJson(json) }) });
    if (withPoints && storageOf(chart.type) === 'series') {
      for (const points of regroupPoints(await lines.pointsOf(chart.uid)))
        records.push({ ...data, dataFor: () => ({ storage: 'series', points }) });
    }
    yield records;
  }
}

function uidsOf(rows: readonly ChartRow[], storage: 'series' | 'snapshot'): number[] {
  return rows.filter((row) => storageOf(row.type) === storage).map((row) => row.uid);
}

async function readSnapshots(
  connection: PostgresConnection,
  uids: readonly number[],
): Promise<Map<number, string>> {
  if (uids.length === 0) return new Map();
  const rows = await connection.query<{ chart_uid: number; json: string }>(snapshotSql, [uids]);
  return new Map(rows.map((row) => [row.chart_uid, row.json]));
}

/** The chunks of several lines, read together where they are short and in pages where one is long. */
class LinePages {
  readonly #connection: PostgresConnection;
  readonly #unread: Set<number>;
  readonly #read = new Map<number, Points[]>();

  constructor(connection: PostgresConnection, uids: readonly number[]) {
    this.#connection = connection;
    this.#unread = new Set(uids);
  }

  async pointsOf(uid: number): Promise<readonly Points[]> {
    if (this.#unread.has(uid)) await this.#readWith(uid);
    const points = this.#read.get(uid) ?? [];
    this.#read.delete(uid);
    return points;
  }

  async #readWith(uid: number): Promise<void> {
    const chunks = await this.#page([...this.#unread], -1);
    const last = chunks.at(-1);
    if (chunks.length < pageRows || last === undefined) {
      this.#unread.clear();
      this.#keep(chunks);
      return;
    }
    // The page ends within the line of the last row; those behind it have not been reached.
    this.#keep(chunks.filter((chunk) => chunk.uid < last.uid));
    for (const one of this.#unread) if (one < last.uid) this.#unread.delete(one);
    if (this.#unread.has(uid)) await this.#readAlone(uid);
  }

  async #readAlone(uid: number): Promise<void> {
    this.#unread.delete(uid);
    for (let after = -1, isMore = true; isMore; ) {
      const chunks = await this.#page([uid], after);
      this.#keep(chunks);
      isMore = chunks.length === pageRows;
      after = chunks.at(-1)?.firstTimestamp ?? 0;
    }
  }

  async #page(uids: readonly number[], after: number): Promise<(Chunk & { readonly uid: number })[]> {
    const rows = await this.#connection.query<ChunkRow>(chunksSql, [uids, after]);
    return rows.map((row) => ({ uid: row.chart_uid, firstTimestamp: row.first_timestamp, bytes: row.bytes }));
  }

  #keep(chunks: readonly (Chunk & { readonly uid: number })[]): void {
    for (const chunk of chunks) {
      const points = this.#read.get(chunk.uid) ?? [];
      points.push(decodeChunk(chunk));
      this.#read.set(chunk.uid, points);
    }
  }
}

function softwareOf(row: Record<string, unknown>): SoftwareFields {
  return {
    id: Number(row['id']),
    name: String(row['name']),
    url: String(row['url']),
    globalPluginId: row['global_plugin_id'] === null ? null : Number(row['global_plugin_id']),
  };
}

function pluginOf(row: PluginRow) {
  return {
    id: row.id,
    name: row.name,
    owner: { id: row.owner_id, name: row.owner_name },
    softwareId: row.software_id,
    isGlobal: row.is_global,
  };
}
