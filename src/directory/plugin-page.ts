/** Pages of the list of plugins: filtered, sorted, each beginning after the last row of the one before. */
import { nextTurn } from '../model/next-turn.ts';
import type { PluginSummary } from '../model/plugin.ts';
import { summaryOf } from './catalogue.ts';
import type { Directory, DirectorySort } from './directory.ts';
import {
  addNameMatches,
  findFiltered,
  hasConditions,
  Matches,
  type PluginFilter,
  positionsPerTurn,
} from './matches.ts';
import { queryForPart } from './name-query.ts';
import { compareNames } from './names.ts';

/** The place of a plugin in an order. */
export interface PluginKey {
  readonly id: number;
  /** The name, the id or the number that the order sorts by; null for a plugin that has no number. */
  readonly value: number | string | null;
}

/** A request for a page. */
export interface PluginPageRequest extends PluginFilter {
  /** Part of the name of the plugin or of its owner, without regard to case; blank for all. */
  readonly part: string;
  readonly sort: DirectorySort;
  readonly descending: boolean;
  readonly limit: number;
  /** The page begins behind it; it need not be in the list any more. */
  readonly after: PluginKey | undefined;
}

/** A plugin with its latest points, as time and value. */
export interface PluginRow extends PluginSummary {
  readonly servers: readonly [number, number] | null;
  readonly players: readonly [number, number] | null;
}

/** A page. */
export interface PluginPage {
  /** Number of plugins on all pages. */
  readonly total: number;
  readonly rows: readonly PluginRow[];
  /** The key of the last row; undefined if no page follows. */
  readonly next: PluginKey | undefined;
}

/** Finds a page, in turns. */
export async function findPluginPage(directory: Directory, request: PluginPageRequest): Promise<PluginPage> {
  const { sort, descending, limit, after } = request;
  const order = await directory.order(sort, descending);
  const matches = await findMatches(directory, request);
  const keyAt = (position: number) => keyOf(directory, sort, position);
  const found: number[] = [];
  const start = after === undefined ? 0 : firstBehind(order, { after, descending, keyAt });
  // One more than the page has says whether another follows.
  for (let index = start; index < order.length && found.length <= limit; index++) {
    const position = order[index] ?? 0;
    if (matches === undefined || matches.rankOf(position) !== undefined) found.push(position);
    if (index % positionsPerTurn === positionsPerTurn - 1) await nextTurn();
  }
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    total: matches?.count ?? order.length,
    rows: shown.flatMap((position) => rowAt(directory, position) ?? []),
    next: found.length > limit && last !== undefined ? keyAt(last) : undefined,
  };
}

/** Finds the plugins that match; undefined if all do. */
async function findMatches(
  { catalogue }: Directory,
  { part, ...filter }: PluginPageRequest,
): Promise<Matches | undefined> {
  const search = { catalogue, filter };
  if (part === '') return hasConditions(filter) ? findFiltered(search) : undefined;
  const matches = new Matches(catalogue.entries.length);
  await addNameMatches(matches, queryForPart(part), search);
  return matches;
}

/** Finds the first index of an order that is behind a key. */
function firstBehind(
  order: Uint32Array,
  options: {
    readonly after: PluginKey;
    readonly descending: boolean;
    readonly keyAt: (position: number) => PluginKey;
  },
): number {
  const { after, descending, keyAt } = options;
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(keyAt(order[middle] ?? 0), after, descending) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Compares two keys as the orders of {@link Directory} do. */
function compareKeys(a: PluginKey, b: PluginKey, descending: boolean): number {
  const direction = descending ? -1 : 1;
  if (typeof a.value === 'string' && typeof b.value === 'string')
    return direction * compareNames(a.value, b.value) || a.id - b.id;
  if (typeof a.value === 'number' && typeof b.value === 'number')
    return direction * (a.value - b.value) || a.id - b.id;
  return Number(a.value === null) - Number(b.value === null) || a.id - b.id;
}

function keyOf(directory: Directory, sort: DirectorySort, position: number): PluginKey {
  const { id = 0, name = '' } = directory.catalogue.entries[position] ?? {};
  if (sort === 'name') return { id, value: name };
  if (sort === 'id') return { id, value: id };
  return { id, value: directory.latest(sort, position)?.[1] ?? null };
}

function rowAt(directory: Directory, position: number): PluginRow | undefined {
  const entry = directory.catalogue.entries[position];
  if (entry === undefined) return undefined;
  const [servers, players] = [directory.latest('servers', position), directory.latest('players', position)];
  return { ...summaryOf(entry), servers: servers ?? null, players: players ?? null };
}
