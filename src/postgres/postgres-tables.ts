/** Finds and writes rows of the store on a server within a write transaction, with few statements for a batch. */
import type { ChartName } from '../model/chart.ts';
import { maxCountedId } from '../model/identifier.ts';
import type { Changes } from '../store/changes.ts';
import type { SeriesTables } from '../store/damaged-chart.ts';
import type { ImportTables } from '../store/import-batch.ts';
import type { Row } from '../store/rows.ts';
import type { Columns } from '../store/stored-columns.ts';
import type { PostgresConnection, Statement } from './connection/postgres-connection.ts';
import { findPostgresChartName, writeHistories } from './write-series.ts';

const softwareSql: Statement = {
  name: 'software-of-records',
  text: `
    select id, name, url, global_plugin_id, checksum from plugin_metrics.software
    where id = any ($1) or url = any ($2)`,
};

const ownersSql: Statement = {
  name: 'owners-of-records',
  text: 'select id, name, checksum from plugin_metrics.owner where id = any ($1)',
};

const pluginsSql: Statement = {
  name: 'plugins-of-records',
  text: `
    select id, name, owner_id, software_id, is_global, checksum from plugin_metrics.plugin where id = any ($1)`,
};

const chartColumnsSql = `
  select uid, plugin_id, chart_id, type, position, title, is_default, settings, checksum,
    exists (select 1 from plugin_metrics.snapshot where chart_uid = uid)
      or exists (select 1 from plugin_metrics.chunk where chart_uid = uid) as has_data
  from plugin_metrics.chart`;

const chartsSql: Statement = {
  name: 'charts-of-records',
  text: `
    ${chartColumnsSql} where (plugin_id, chart_id) in (select * from unnest($1::bigint[], $2::text[]))
    union all
    ${chartColumnsSql} where uid = any ($3)`,
};

const chartTypesSql: Statement = {
  name: 'chart-types-of-records',
  text: `
    select uid, plugin_id, chart_id, type from plugin_metrics.chart
    where (plugin_id, chart_id) in (select * from unnest($1::bigint[], $2::text[]))`,
};

const openGlobalPluginSql = `
  select software.id, global_plugin_id from plugin_metrics.software
  left join plugin_metrics.plugin on plugin.id = global_plugin_id
  where global_plugin_id is not null and plugin.id is null
  order by software.id limit 1`;

const putSoftwareSql = `
  insert into plugin_metrics.software (id, name, url, global_plugin_id, checksum) values ($1, $2, $3, $4, $5)
  on conflict (id) do update set name = excluded.name, url = excluded.url,
    global_plugin_id = excluded.global_plugin_id, checksum = excluded.checksum`;

const putOwnersSql = `
  insert into plugin_metrics.owner (id, name, checksum)
  select * from unnest($1::bigint[], $2::text[], $3::integer[])
  on conflict (id) do update set name = excluded.name, checksum = excluded.checksum`;

const putPluginsSql = `
  insert into plugin_metrics.plugin (id, name, owner_id, software_id, is_global, checksum)
  select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::boolean[], $6::integer[])
  on conflict (id) do update set name = excluded.name, owner_id = excluded.owner_id,
    software_id = excluded.software_id, is_global = excluded.is_global, checksum = excluded.checksum`;

const putChartsSql = `
  insert into plugin_metrics.chart
    (uid, plugin_id, chart_id, type, position, title, is_default, settings, checksum)
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[],
    $7::boolean[], $8::text[], $9::integer[])
  on conflict (uid) do update set type = excluded.type, position = excluded.position,
    title = excluded.title, is_default = excluded.is_default, settings = excluded.settings,
    checksum = excluded.checksum`;

const shownTimesSql: Statement = {
  name: 'shown-times',
  text: `
    select chart_uid, json, at, checksum from plugin_metrics.snapshot
    where chart_uid = any ($1) and at is not null`,
};

/** Writes snapshots. */
export const putSnapshotsSql = `
  insert into plugin_metrics.snapshot (chart_uid, json, at, checksum)
  select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::integer[])
  on conflict (chart_uid) do update set json = excluded.json, at = excluded.at, checksum = excluded.checksum`;

const putEventsSql = `
  insert into plugin_metrics.event (plugin_id, time, title, url, checksum)
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::integer[])
  on conflict (plugin_id, time, title) do update set url = excluded.url, checksum = excluded.checksum
    where event.url is distinct from excluded.url or event.checksum <> excluded.checksum`;

const oldNamesSql =
  'select plugin_id, name, checksum from plugin_metrics.old_name where plugin_id = any ($1)';

const putOldNamesSql = `
  insert into plugin_metrics.old_name (plugin_id, name, checksum)
  select * from unnest($1::bigint[], $2::text[], $3::integer[])
  on conflict (plugin_id, name) do update set checksum = excluded.checksum`;

const largestIdsSql = `
  select
    (select max(id) from plugin_metrics.software where id <= $1) as software_id,
    (select max(id) from plugin_metrics.owner where id <= $1) as owner_id,
    (select max(id) from plugin_metrics.plugin where id <= $1) as plugin_id,
    (select max(plugin_id) from plugin_metrics.removal where plugin_id <= $1) as removed_plugin_id,
    (select max(uid) from plugin_metrics.chart where uid <= $1) as chart_uid`;

const hasRemovalsSql = 'select exists (select from plugin_metrics.removal) as has_removals';

const removalsSql: Statement = {
  name: 'removals-of-records',
  text: `
    select plugin_id, chart_id, before_timestamp, checksum from plugin_metrics.removal
    where (plugin_id, chart_id) in (select * from unnest($1::bigint[], $2::text[]))`,
};

/** Writes removals. */
export const putRemovalsSql = `
  insert into plugin_metrics.removal (plugin_id, chart_id, before_timestamp, checksum)
  select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::integer[])
  on conflict (plugin_id, chart_id) do update
    set before_timestamp = excluded.before_timestamp, checksum = excluded.checksum`;

const endRemovalsSql = `
  delete from plugin_metrics.removal
  where (plugin_id, chart_id) in (select * from unnest($1::bigint[], $2::text[]))`;

/** The tables on one connection. A lock of the transaction keeps other writers out. */
export class PostgresTables implements ImportTables, SeriesTables {
  readonly storeName: string;
  readonly #connection: PostgresConnection;
  /** Undefined until it is asked for; most stores have none. */
  #hasRemovals: boolean | undefined;

  constructor(connection: PostgresConnection, storeName: string) {
    this.storeName = storeName;
    this.#connection = connection;
  }

  findSoftware(ids: readonly number[], urls: readonly string[]): Promise<Row[]> {
    return this.#connection.query(softwareSql, [ids, urls]);
  }

  findOwners(ids: readonly number[]): Promise<Row[]> {
    return this.#connection.query(ownersSql, [ids]);
  }

  findPlugins(ids: readonly number[]): Promise<Row[]> {
    return this.#connection.query(pluginsSql, [ids]);
  }

  findOldNames(pluginIds: readonly number[]): Promise<Row[]> {
    return this.#connection.query(oldNamesSql, [pluginIds]);
  }

  findCharts(names: readonly ChartName[], uids: readonly number[]): Promise<Row[]> {
    return this.#connection.query(chartsSql, [...nameColumns(names), uids]);
  }

  findChartTypes(names: readonly ChartName[]): Promise<Row[]> {
    return this.#connection.query(chartTypesSql, nameColumns(names));
  }

  async findOpenGlobalPlugin(): Promise<Row | undefined> {
    return (await this.#connection.query(openGlobalPluginSql))[0];
  }

  async findLargestIds(): Promise<Row> {
    return (await this.#connection.query(largestIdsSql, [maxCountedId]))[0] ?? {};
  }

  async write(changes: Changes): Promise<void> {
    for (const row of changes.software) await this.#connection.query(putSoftwareSql, row);
    await putColumns(this.#connection, putOwnersSql, changes.owners.values());
    await putColumns(this.#connection, putPluginsSql, changes.plugins.values());
    await putColumns(this.#connection, putOldNamesSql, changes.oldNames);
    await putColumns(this.#connection, putChartsSql, changes.charts.values());
    await putColumns(this.#connection, putSnapshotsSql, changes.snapshots.values());
    await writeHistories(this.#connection, changes.histories, this);
    await putColumns(this.#connection, putEventsSql, changes.events);
    const ended = changes.endedRemovals;
    if (ended.length > 0) await this.#connection.query(endRemovalsSql, nameColumns(ended));
    await putColumns(this.#connection, putRemovalsSql, changes.removals);
    if (changes.removals.length > 0) this.#hasRemovals = true;
  }

  findShownTimes(uids: readonly number[]): Promise<Row[]> {
    return this.#connection.query(shownTimesSql, [uids]);
  }

  findChartName(uid: number): Promise<ChartName | undefined> {
    return findPostgresChartName(this.#connection, uid);
  }

  async findRemovals(names: readonly ChartName[]): Promise<Row[]> {
    if (this.#hasRemovals === undefined) {
      const [row] = await this.#connection.query(hasRemovalsSql);
      this.#hasRemovals = row?.['has_removals'] === true;
    }
    return this.#hasRemovals ? this.#connection.query(removalsSql, nameColumns(names)) : [];
  }
}

/** Writes all rows with one statement, whose parameters are their columns. */
export async function putColumns(
  connection: PostgresConnection,
  sql: string,
  changed: Iterable<Columns>,
): Promise<void> {
  const rows = [...changed];
  const [first] = rows;
  if (first === undefined) return;
  const columns = first.map((_, column) => rows.map((row) => row[column]));
  await connection.query(sql, columns);
}

function nameColumns(names: readonly ChartName[]): [number[], string[]] {
  return [names.map(({ pluginId }) => pluginId), names.map(({ chartId }) => chartId)];
}
