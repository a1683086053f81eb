/** Computes all facts again, and reports those that are stored differently. */
import { throwUnexpected } from '../../model/app-error.ts';
import {
  computeCharts,
  computePlugins,
  computeSoftware,
  computeTrends,
  readNewestTime,
} from '../facts/compute-facts.ts';
import { computeShares } from '../facts/share-rows.ts';
import { idsIn, keyList, keysetPages, paged, type Sql, smallestKey } from '../sql.ts';
import { type Kind, snakeCase, statement } from '../statement.ts';
import type { Kinds, RowOfKinds, StoredRow, Table } from '../table.ts';
import { tables } from '../tables.ts';

const pageRows = 512;

const chartsSql = paged(
  statement`select ${tables.chart.pick('uid', 'pluginId', 'chartId')} from chart where uid > ?1 order by uid`,
  pageRows,
);

const pluginsSql = paged(
  statement`
  select ${tables.plugin.pick('id')}, ${tables.plugin.stored('plugin')}, ${tables.owner.stored('owner')}
  from plugin join owner on owner.id = plugin.owner_id where plugin.id > ?1 order by plugin.id`,
  pageRows,
);

const softwareSql = paged(
  statement`select ${tables.software.pick('id')} from software where id > ?1 order by id`,
  pageRows,
);

/** Called with each chart, such as `1337/players`, before it is checked. */
export type OnChart = (name: string) => void;

/** Names by id; undefined if the row is damaged, which has been reported already. */
type Subjects = ReadonlyMap<number, string | undefined>;

type Compute<K extends Kinds> = (ids: readonly number[]) => Promise<ReadonlyArray<RowOfKinds<K>>>;

/** Yields one line for each row of facts that is wrong, missing or superfluous. */
export async function* factFaults(sql: Sql, onChart: OnChart): AsyncGenerator<string> {
  const newest = await readNewestTime(sql);
  async function* charts(): AsyncGenerator<Subjects> {
    for await (const page of keysetPages(sql, chartsSql, { uid: smallestKey })) {
      for (const { pluginId, chartId } of page) onChart(`${pluginId}/${chartId}`);
      yield new Map(page.map(({ uid, pluginId, chartId }) => [uid, `plugin ${pluginId}, chart ${chartId}`]));
    }
  }
  async function* plugins(): AsyncGenerator<Subjects> {
    for await (const page of keysetPages(sql, pluginsSql, { id: smallestKey }))
      yield new Map(
        page.map(({ id, plugin, owner }) => [
          id,
          plugin.isIntact && owner.isIntact ? `plugin ${id}` : undefined,
        ]),
      );
  }
  async function* software(): AsyncGenerator<Subjects> {
    for await (const page of keysetPages(sql, softwareSql, { id: smallestKey }))
      yield new Map(page.map(({ id }) => [id, `software ${id}`]));
  }
  const { chartNow, chartShares, pluginNow, pluginTrend, softwareNow } = tables;
  yield* faultsOf(sql, chartNow, charts(), (uids) => computeCharts(sql, uids));
  yield* faultsOf(sql, chartShares, charts(), (uids) => computeShares(sql, uids));
  yield* faultsOf(sql, pluginNow, plugins(), (ids) => computePlugins(sql, ids));
  yield* faultsOf(sql, pluginTrend, plugins(), (ids) => computeTrends(sql, ids, newest));
  yield* faultsOf(sql, softwareNow, software(), (ids) => computeSoftware(sql, ids));
}

/** Yields the faults of the rows of one table. */
async function* faultsOf<K extends Kinds>(
  sql: Sql,
  table: Table<K>,
  pages: AsyncIterable<Subjects>,
  compute: Compute<K>,
): AsyncGenerator<string> {
  const [key = ''] = table.key;
  const storedSql = statement`
    select ${table.raw()}, ${table.stored(table.name)} from ${table.name} where ${snakeCase(key)} in ${idsIn(1)}`;
  for await (const subjects of pages) {
    const ids = [...subjects.keys()];
    const rows = await sql.read(storedSql, keyList(ids));
    const stored = new Map(rows.map((row) => [Number(row[key]), row]));
    const computed = await computeIntact(table, ids, compute);
    for (const [id, name] of subjects) {
      const [row, right] = [stored.get(id), computed.get(id)];
      if (name === undefined || right === undefined) continue;
      if (row === undefined && right === null) continue;
      if (row === undefined) yield `${name}: its row in ${table.name} is missing`;
      else if (right === null) yield `${name}: its row in ${table.name} must not exist`;
      else {
        const one = row[table.name] as StoredRow<RowOfKinds<K>>;
        const fault = differenceOf(table, row, one.isIntact, right);
        if (fault !== undefined) yield `${name}: ${fault}`;
      }
    }
  }
}

/**
 * Computes rows by id; null if there must be none. It leaves out rows that depend on damaged chunks, which
 * have been reported already.
 */
async function computeIntact<K extends Kinds>(
  table: Table<K>,
  ids: readonly number[],
  compute: Compute<K>,
): Promise<ReadonlyMap<number, RowOfKinds<K> | null>> {
  try {
    const computed = new Map<number, RowOfKinds<K> | null>(ids.map((id) => [id, null]));
    for (const row of await compute(ids)) computed.set(Number(row[table.key[0] ?? '']), row);
    return computed;
  } catch (error) {
    throwUnexpected(error);
    if (ids.length === 1) return new Map();
    const each: (readonly [number, RowOfKinds<K> | null])[] = [];
    for (const id of ids) each.push(...(await computeIntact(table, [id], compute)));
    return new Map(each);
  }
}

/** Says which columns differ from the right row; undefined if none does. */
function differenceOf<K extends Kinds>(
  table: Table<K>,
  row: Readonly<Record<string, unknown>>,
  isIntact: boolean,
  right: RowOfKinds<K>,
): string | undefined {
  const wrong = table.columns
    .filter(({ name, kind }) => name in right && !isSame(kind, row[name], right[name]))
    .map(({ sqlName }) => sqlName);
  if (wrong.length === 0 && !isIntact) wrong.push('checksum');
  if (wrong.length === 0) return undefined;
  return `${wrong.join(', ')} in ${table.name} ${wrong.length === 1 ? 'is' : 'are'} wrong`;
}

function isSame(kind: Kind<unknown>, value: unknown, right: unknown): boolean {
  try {
    return kind.read(value) === right;
  } catch (error) {
    throwUnexpected(error);
    return false;
  }
}
