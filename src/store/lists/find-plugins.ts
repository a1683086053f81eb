/**
 * Searches the plugins that may match: those of an owner, the global ones, or all. Each statement searches
 * one slice of them. The best matches come first by their ranks: 0 if the text is the whole name or the id, 1
 * if the name begins with the text, 2 if the name contains all words, 3 if some words are in the name of the
 * owner alone.
 */
import { foldText, lowerCase } from '../../model/names.ts';
import {
  maxFound,
  maxNear,
  type PluginKey,
  type PluginList,
  type PluginListRequest,
} from '../../model/plugin-list.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { idsIn, keyList, type Sql, smallestKey } from '../sql.ts';
import {
  column,
  flag,
  integer,
  orNull,
  type RowGiven,
  sortable,
  statement,
  text,
  type Value,
} from '../statement.ts';
import { tables } from '../tables.ts';
import { nearQuery, wordsOf } from './near-query.ts';
import { valueColumn, valueTable } from './plugin-order.ts';

/** The number of plugins that one statement searches, which takes some milliseconds. */
const pluginsAtOnce = 16_384;

/** The number of plugins whose names are compared in one turn. */
const nearAtOnce = 512;

/** A request for a list, with its search and the store's id of the software. */
export interface WantedPlugins extends PluginListRequest {
  readonly text: string;
  readonly find: 'part' | 'words' | 'best';
  readonly softwareId: number | undefined;
}

/** A plugin that matches, and its rank. */
interface Match extends PluginKey {
  readonly rank: number;
}

/** The first keys of a list, and its counts. */
type Found = Pick<PluginList, 'total' | 'globalCount' | 'isNear'> & { readonly keys: readonly PluginKey[] };

/**
 * Finds the first matches after a place, by rank if the best come first, then by the order. If nothing
 * matches, it finds plugins with similar names.
 */
export async function findBest(sql: Sql, wanted: WantedPlugins): Promise<Found> {
  const best = new Best(wanted);
  for await (const slice of searchSlices(sql, wanted)) best.addSlice(slice);
  if (best.total > 0 || wanted.find === 'part' || wanted.text === '') return best.found(false);
  for await (const slice of searchNearSlices(sql, wanted)) {
    best.addSlice(slice);
    if (best.total >= maxNear) break;
  }
  return best.found(best.total > 0);
}

/** The best matches in a slice, and the counts of all its matches. */
interface FoundSlice {
  readonly matches: readonly Match[];
  readonly total: number;
  readonly globalCount: number;
}

/** The best matches so far, and the counts of all matches. */
class Best {
  readonly #wanted: WantedPlugins;
  #matches: Match[] = [];
  total = 0;
  #globalCount = 0;

  constructor(wanted: WantedPlugins) {
    this.#wanted = wanted;
  }

  /** Adds a slice. */
  addSlice({ matches, total, globalCount }: FoundSlice): void {
    this.#matches.push(...matches);
    this.total += total;
    this.#globalCount += globalCount;
    const { skip = 0, limit } = this.#wanted;
    if (skip >= maxFound) this.#matches = [];
    this.#matches = this.#matches.sort((a, b) => this.#compare(a, b)).slice(0, skip + limit);
  }

  found(isNear: boolean): Found {
    const keys = this.#matches.slice(this.#wanted.skip ?? 0);
    return { total: this.total, globalCount: this.#globalCount, isNear, keys };
  }

  #compare(a: Match, b: Match): number {
    if (a.rank !== b.rank) return a.rank - b.rank;
    if (a.value === b.value) return a.id - b.id;
    if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
    return a.value < b.value === this.#wanted.descending ? 1 : -1;
  }
}

/** The SQL condition of a match, and the SQL expression of its rank. */
interface Condition {
  readonly condition: string;
  readonly rank: string;
}

/** The values of a statement, in the order of their numbers. */
class Values {
  readonly all: Value[] = [];

  /** Adds a value, and returns its placeholder. */
  add(value: Value): string {
    this.all.push(value);
    return `?${this.all.length}`;
  }
}

/** Searches slice by slice. A slice yields its best matches, and the counts of all its matches. */
async function* searchSlices(sql: Sql, wanted: WantedPlugins): AsyncGenerator<FoundSlice> {
  const { sort, descending, skip = 0, limit } = wanted;
  for await (const slice of slicesOf(sql, wanted)) {
    const values = new Values();
    const { condition, rank } = conditionOf(wanted, values);
    // The limit is rounded up, because SQLite plans a statement again for each new limit.
    const best = values.add(2 ** Math.ceil(Math.log2(Math.min(skip, maxFound) + limit + 64)));
    const search = statement`
      with found as materialized (
        select plugin_now.plugin_id as id, plugin_now.is_global, ${valueColumn(sort)} as value, ${rank} as rank
        ${fromSql(wanted, slice, values)} and ${condition}
      ), best as (
        select id, value, rank from found where ${behind(wanted, values)}
        order by rank, value ${descending ? 'desc' : 'asc'} nulls last, id limit ${best}
      )
      select id as ${column('id', orNull(integer))}, value as ${column('value', orNull(sortable))},
        rank as ${column('rank', orNull(integer))}, null as ${column('total', orNull(integer))},
        null as ${column('globalCount', orNull(integer))}
      from best
      union all select null, null, null, count(*), sum(case when is_global then 1 else 0 end) from found`;
    const rows = await sql.read(search, ...values.all);
    const counts = rows.find(({ id }) => id === null);
    yield {
      matches: rows.flatMap(({ id, value, rank }) => (id === null ? [] : { id, value, rank: rank ?? 0 })),
      total: counts?.total ?? 0,
      globalCount: counts?.globalCount ?? 0,
    };
    await nextTurn();
  }
}

/**
 * Renders the joined tables, and the conditions other than the search text. Slices divide the first table by
 * id. The plus sign keeps SQLite from using an index of the software.
 */
function fromSql(
  { ids, ownerId, softwareId, isGlobal, sort }: WantedPlugins,
  { from, to }: Slice,
  values: Values,
): string {
  const isOfPlugin = ownerId !== undefined || isGlobal === true;
  const id = isOfPlugin ? 'plugin.id' : 'plugin_now.plugin_id';
  // The index of `is_global` is on `plugin`.
  const global = ownerId === undefined && isGlobal === true ? 'plugin.is_global' : 'plugin_now.is_global';
  // A cross join makes SQLite read the tables in this order.
  const tables = [
    ...(isOfPlugin ? ['plugin', 'plugin_now'] : ['plugin_now']),
    ...(!isOfPlugin && sort === 'name' ? ['plugin'] : []),
    ...(valueTable(sort) === 'plugin_trend' ? ['plugin_trend'] : []),
  ];
  return `from ${tables.join(' cross join ')} where ${[
    ...(tables.includes('plugin') ? ['plugin_now.plugin_id = plugin.id'] : []),
    ...(tables.includes('plugin_trend') ? ['plugin_trend.plugin_id = plugin_now.plugin_id'] : []),
    ids === undefined
      ? `${id} > ${values.add(from)} and ${id} <= ${values.add(to)}`
      : `${id} in ${idsIn(values.all.push(keyList(ids)))}`,
    ...(ownerId === undefined ? [] : [`plugin.owner_id = ${values.add(ownerId)}`]),
    ...(softwareId === undefined ? [] : [`+plugin_now.software_id = ${values.add(softwareId)}`]),
    ...(isGlobal === undefined ? [] : [`${global} = ${isGlobal}`]),
  ].join(' and ')}`;
}

function conditionOf({ text: wanted, find }: WantedPlugins, values: Values): Condition {
  if (wanted === '') return { condition: 'true', rank: '0' };
  if (find === 'part') {
    // The first condition is cheap, and excludes nearly all plugins.
    const isFolded = holds('names', foldText(wanted), values);
    const isHeld = holds('coalesce(lower_names, names)', lowerCase(wanted), values);
    return { condition: `${isFolded} and ${isHeld}`, rank: '0' };
  }
  const whole = foldText(wanted).trim();
  const words = padded(wordsOf(wanted));
  const isId = /^\d{1,16}$/.test(whole) ? `plugin_now.plugin_id = ${values.add(Number(whole))}` : 'false';
  const condition = `(${isId} or ${words.map((word) => holds('names', word, values)).join(' and ')})`;
  if (find === 'words') return { condition, rank: '0' };
  const end = `instr(names, ${values.add('\n')})`;
  return {
    condition,
    rank: `case when ${isId} or instr(names, ${values.add(`${whole}\n`)}) = 1 then 0
      when instr(names, ${values.add(whole)}) = 1 then 1
      when ${words.map((word) => `instr(names, ${values.add(word)}) < ${end}`).join(' and ')} then 2
      else 3 end`,
  };
}

/**
 * Renders the condition that a column contains a text; both are in lower case. In SQLite, `like` is the
 * fastest way.
 */
function holds(column: string, part: string, values: Values): string {
  return `${column} like ${values.add(`%${part.replaceAll(/[%_!]/g, '!$&')}%`)} escape '!'`;
}

/** Repeats the last word up to a power of two, so that there are few statements. */
function padded(words: readonly string[]): readonly string[] {
  const count = 2 ** Math.ceil(Math.log2(words.length));
  return Array.from({ length: count }, (_, index) => words[Math.min(index, words.length - 1)] ?? '');
}

/** Renders the condition that a plugin follows a place in the order. */
function behind({ after, descending }: WantedPlugins, values: Values): string {
  if (after === undefined) return 'true';
  const id = values.add(after.id);
  if (after.value === null) return `value is null and id > ${id}`;
  const value = values.add(after.value);
  return `(value ${descending ? '<' : '>'} ${value} or value = ${value} and id > ${id} or value is null)`;
}

/** Searches for similar names, slice by slice. */
async function* searchNearSlices(sql: Sql, wanted: WantedPlugins): AsyncGenerator<FoundSlice> {
  const { parts, isNear } = nearQuery(wanted.text);
  for await (const slice of slicesOf(sql, wanted)) {
    for (let from: number | undefined = slice.from; from !== undefined; ) {
      const values = new Values();
      const hasPart = (some: readonly string[]) =>
        `(${padded(some)
          .map((part) => holds('names', part, values))
          .join(' or ')})`;
      const hasParts = parts.map(hasPart).join(' and ');
      const near = nearSql(wanted, { ...slice, from }, hasParts, values);
      const rows: RowGiven<typeof near>[] = await sql.read(near, ...values.all);
      const matches = rows
        .filter(({ name, ownerName }) => isNear([name, ownerName]))
        .map((row) => ({ ...row, rank: 0 }));
      const globalCount = matches.filter(({ isGlobal }) => isGlobal).length;
      yield { matches, total: matches.length, globalCount };
      from = rows.length < nearAtOnce ? undefined : rows.at(-1)?.id;
      await nextTurn();
    }
  }
}

/** Renders the statement that selects the names in a slice under a condition. */
function nearSql(wanted: WantedPlugins, slice: Slice, condition: string, values: Values) {
  return statement`
    select found.id as ${column('id', integer)}, found.is_global as ${column('isGlobal', flag)},
      found.value as ${column('value', orNull(sortable))}, plugin.name as ${column('name', text)},
      owner.name as ${column('ownerName', text)}
    from (
      select plugin_now.plugin_id as id, plugin_now.is_global, ${valueColumn(wanted.sort)} as value
      ${fromSql(wanted, slice, values)} and ${condition}
      order by plugin_now.plugin_id limit ${nearAtOnce}
    ) as found
    join plugin on plugin.id = found.id join owner on owner.id = plugin.owner_id
    order by found.id`;
}

/** The plugins with ids after `from`, up to and including `to`. */
interface Slice {
  readonly from: number;
  readonly to: number;
}

/** Divides the plugins to search into slices. */
async function* slicesOf(sql: Sql, { ids, ownerId, isGlobal }: WantedPlugins): AsyncGenerator<Slice> {
  if (ids !== undefined) return yield { from: smallestKey, to: Number.MAX_SAFE_INTEGER };
  const source = ownerId !== undefined ? 'owner_id = ?2' : isGlobal === true ? 'is_global = true' : 'true';
  const endSql = statement`
    select ${tables.plugin.pick('id')} from plugin where ${source} and id > ?1 order by id limit 1 offset ${pluginsAtOnce - 1}`;
  for (let from: number = smallestKey, isMore = true; isMore; ) {
    const [end] = await sql.read(endSql, from, ...(ownerId === undefined ? [] : [ownerId]));
    const to = end?.id ?? Number.MAX_SAFE_INTEGER;
    yield { from, to };
    isMore = end !== undefined;
    from = to;
  }
}
