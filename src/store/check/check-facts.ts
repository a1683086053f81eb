/** Computes all facts again, and names those that a store has otherwise. */
import { throwUnexpected } from '../../model/app-error.ts';
import { computeCharts, computePlugins, computeSoftware, computeTrends, readNewestTime } from '../facts.ts';
import { integer, type Row } from '../rows.ts';
import { computeShares, mayBeRounded } from '../share-rows.ts';
import { idsIn, keyList, keysetPages, type PagedSql, paged, type Sql, smallestKey } from '../sql.ts';
import {
  type CheckedTable,
  type Columns,
  columnNames,
  columnsSql,
  isIntactRow,
  storedColumns,
} from '../tables.ts';

/** Facts of one table. */
interface CheckedFacts {
  readonly table: CheckedTable;
  readonly key: string;
  /** Selects what the facts are of by `id`. */
  readonly subjects: PagedSql;
  /** Names a subject; undefined for one that has been named already, because its row is damaged. */
  readonly nameOf: (subject: Row) => string | undefined;
  readonly compute: (ids: readonly number[]) => Promise<readonly Columns[]>;
}

const pageRows = 512;

/** Called with each chart, such as `1337/players`, before it is checked. */
export type OnChart = (name: string) => void;

/** Yields one line for each row of facts that is wrong, missing, or one too many. */
export async function* factFaults(sql: Sql, onChart: OnChart): AsyncGenerator<string> {
  const newest = await readNewestTime(sql);
  const ofPlugins = {
    key: 'plugin_id',
    subjects: paged(
      `select ${columnsSql('plugin')}, ${columnsSql('owner', 'owner_')}
      from plugin join owner on owner.id = plugin.owner_id where plugin.id > ?1 order by plugin.id`,
      pageRows,
    ),
    nameOf: (plugin: Row) =>
      isIntactRow('plugin', plugin) && isIntactRow('owner', plugin, 'owner_')
        ? `plugin ${plugin['id']}`
        : undefined,
  };
  const ofCharts = {
    key: 'chart_uid',
    subjects: paged('select uid as id, plugin_id, chart_id from chart where uid > ?1 order by uid', pageRows),
    nameOf: (chart: Row) => `plugin ${chart['plugin_id']}, chart ${chart['chart_id']}`,
  };
  const all: readonly CheckedFacts[] = [
    { ...ofCharts, table: 'chart_now', compute: (uids) => computeCharts(sql, uids) },
    { ...ofCharts, table: 'chart_shares', compute: (uids) => computeShares(sql, uids) },
    { ...ofPlugins, table: 'plugin_now', compute: (ids) => computePlugins(sql, ids) },
    { ...ofPlugins, table: 'plugin_trend', compute: (ids) => computeTrends(sql, ids, newest) },
    {
      table: 'software_now',
      key: 'software_id',
      subjects: paged('select id from software where id > ?1 order by id', pageRows),
      nameOf: ({ id }) => `software ${id}`,
      compute: (ids) => computeSoftware(sql, ids),
    },
  ];
  for (const facts of all)
    for await (const page of keysetPages(sql, facts.subjects, { id: smallestKey })) {
      if (facts.key === 'chart_uid')
        for (const row of page) onChart(`${row['plugin_id']}/${row['chart_id']}`);
      yield* differences(sql, facts, page);
    }
}

async function* differences(
  sql: Sql,
  { table, key, nameOf, compute }: CheckedFacts,
  subjects: readonly Row[],
): AsyncGenerator<string> {
  const ids = subjects.map((subject) => integer(subject['id']));
  const selectSql = `select ${columnsSql(table)} from ${table} where ${key} in ${idsIn(1)}`;
  const rows = await sql.all(selectSql, keyList(ids));
  const stored = new Map(rows.map((row) => [integer(row[key]), row]));
  const computed = await computeIntact(ids, compute);
  for (const [index, id] of ids.entries()) {
    const name = computed.has(id) ? nameOf(subjects[index] ?? {}) : undefined;
    const fault = differenceOf(table, stored.get(id), computed.get(id));
    if (name !== undefined && fault !== undefined) yield `${name}: ${fault}`;
  }
}

/** Computes rows by id, null where there is none; without those of damaged chunks, which have been named. */
async function computeIntact(
  ids: readonly number[],
  compute: CheckedFacts['compute'],
): Promise<ReadonlyMap<number, Columns | null>> {
  try {
    const computed = new Map<number, Columns | null>(ids.map((id) => [id, null]));
    for (const row of await compute(ids)) computed.set(Number(row[0]), row);
    return computed;
  } catch (error) {
    throwUnexpected(error);
    if (ids.length === 1) return new Map();
    const each: (readonly [number, Columns | null])[] = [];
    for (const id of ids) each.push(...(await computeIntact([id], compute)));
    return new Map(each);
  }
}

/** Says how a row differs from the right one. */
function differenceOf(
  table: CheckedTable,
  row: Row | undefined,
  right: Columns | null | undefined,
): string | undefined {
  if (row === undefined) return right ? `its row in ${table} is missing` : undefined;
  if (!right) return `its row in ${table} is one too many`;
  if (table === 'chart_shares' && mayBeRounded(row, right)) return undefined;
  const stored = storedColumns(table, row);
  const wrong = columnNames(table).filter((_, index) => stored[index] !== right[index]);
  // The checksum is that of the others.
  const names = wrong.length > 1 ? wrong.filter((name) => name !== 'checksum') : wrong;
  if (names.length === 0) return undefined;
  return `${names.join(', ')} in ${table} ${names.length === 1 ? 'is' : 'are'} wrong`;
}
