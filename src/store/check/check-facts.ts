/** Computes all facts again, and names those that a store has otherwise. */
import { AppError } from '../../model/app-error.ts';
import { computeCharts, computePlugins, computeSoftware, readNewestTime } from '../facts.ts';
import { integer, type Row } from '../rows.ts';
import { idsIn, keyList, keysetPages, paged, type Sql, smallestKey } from '../sql.ts';
import { type CheckedTable, type Columns, columnNames, storedColumns } from '../tables.ts';

const pageRows = 512;

const chartsSql = paged('select uid, plugin_id, chart_id from chart where uid > ?1 order by uid', pageRows);
const pluginsSql = paged('select id from plugin where id > ?1 order by id', pageRows);
const softwareSql = paged('select id from software where id > ?1 order by id', pageRows);

/** Yields one line for each row of facts that is wrong, missing, or one too many. */
export async function* factFaults(sql: Sql): AsyncGenerator<string> {
  for await (const page of keysetPages(sql, chartsSql, { uid: smallestKey })) {
    const uids = page.map((row) => integer(row['uid']));
    const names = new Map(
      page.map((row) => [integer(row['uid']), `plugin ${row['plugin_id']}, chart ${row['chart_id']}`]),
    );
    yield* differences(
      sql,
      { table: 'chart_now', key: 'chart_uid', ids: uids, nameOf: (uid) => names.get(uid) ?? '' },
      () => computeCharts(sql, uids),
    );
  }
  const newest = await readNewestTime(sql);
  for await (const page of keysetPages(sql, pluginsSql, { id: smallestKey })) {
    const ids = page.map((row) => integer(row['id']));
    yield* differences(
      sql,
      { table: 'plugin_now', key: 'plugin_id', ids, nameOf: (id) => `plugin ${id}` },
      () => computePlugins(sql, ids, newest),
    );
  }
  for await (const page of keysetPages(sql, softwareSql, { id: smallestKey })) {
    const ids = page.map((row) => integer(row['id']));
    yield* differences(
      sql,
      { table: 'software_now', key: 'software_id', ids, nameOf: (id) => `software ${id}` },
      () => computeSoftware(sql, ids),
    );
  }
}

async function* differences(
  sql: Sql,
  {
    table,
    key,
    ids,
    nameOf,
  }: {
    readonly table: CheckedTable;
    readonly key: string;
    readonly ids: readonly number[];
    readonly nameOf: (id: number) => string;
  },
  compute: () => Promise<readonly Columns[]>,
): AsyncGenerator<string> {
  const columns = columnNames(table).join(', ');
  const rows = await sql.all(`select ${columns} from ${table} where ${key} in ${idsIn(1)}`, keyList(ids));
  const stored = new Map(rows.map((row) => [Number(row[key]), row]));
  let computed: readonly Columns[];
  try {
    computed = await compute();
  } catch (error) {
    // The damaged chunk, or row, has been named.
    if (error instanceof AppError) return;
    throw error;
  }
  const right = new Map(computed.map((row) => [Number(row[0]), row]));
  for (const id of ids) {
    const fault = differenceOf(table, stored.get(id), right.get(id));
    if (fault !== undefined) yield `${nameOf(id)}: ${fault}`;
  }
}

/** Says how a row differs from the right one. */
function differenceOf(
  table: CheckedTable,
  row: Row | undefined,
  right: Columns | undefined,
): string | undefined {
  if (row === undefined && right === undefined) return undefined;
  if (row === undefined) return `its row in ${table} is missing`;
  if (right === undefined) return `its row in ${table} is one too many`;
  const stored = storedColumns(table, row);
  const names = columnNames(table).filter((_, index) => stored[index] !== right[index]);
  return names.length === 0
    ? undefined
    : `${names.join(', ')} in ${table} ${names.length === 1 ? 'is' : 'are'} wrong`;
}
