/** Pages of the list of plugins: filtered, sorted, each beginning after the last row of the one before. */
import type { Turns } from '../http/turns.ts';
import type { PluginSummary } from '../model/plugin.ts';
import { type Entry, summaryOf } from './catalogue.ts';
import type { Directory, DirectorySort } from './directory.ts';
import { compareNames } from './names.ts';

/** The place of a plugin in an order. */
export interface PluginKey {
  readonly id: number;
  /** The name, the id or the number that the order sorts by; null for a plugin that has no number. */
  readonly value: number | string | null;
}

/** A request for a page. */
export interface PluginPageRequest {
  /** Part of the name of the plugin or of its owner, without regard to case; blank for all. */
  readonly part: string;
  readonly softwareUrl: string | undefined;
  readonly ownerId: number | undefined;
  readonly isGlobal: boolean | undefined;
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

/** Positions looked at in a turn. */
const positionsPerTurn = 16_384;

/** Finds a page, in turns. */
export async function findPluginPage(
  directory: Directory,
  request: PluginPageRequest,
  turns: Turns,
): Promise<PluginPage> {
  const { sort, descending, limit, after } = request;
  const order = await directory.order(sort, descending, turns);
  const matches = await findMatches(directory, request, turns);
  const keyAt = (position: number) => keyOf(directory, sort, position);
  const found: number[] = [];
  const start = after === undefined ? 0 : firstBehind(order, { after, descending, keyAt });
  // One more than the page has says whether another follows.
  for (let index = start; index < order.length && found.length <= limit; index++) {
    const position = order[index] ?? 0;
    if (matches === undefined || matches.isMatch[position] === 1) found.push(position);
    if (index % positionsPerTurn === positionsPerTurn - 1) await turns.next();
  }
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    total: matches?.count ?? order.length,
    rows: shown.flatMap((position) => rowAt(directory, position) ?? []),
    next: found.length > limit && last !== undefined ? keyAt(last) : undefined,
  };
}

/** The plugins that match a request. */
interface Matches {
  readonly count: number;
  /** 1 for a match, by position. */
  readonly isMatch: Uint8Array;
}

/** Finds the matches; undefined if every plugin matches. */
async function findMatches(
  { catalogue }: Directory,
  { part, softwareUrl, ownerId, isGlobal }: PluginPageRequest,
  turns: Turns,
): Promise<Matches | undefined> {
  const hasFilter = softwareUrl !== undefined || ownerId !== undefined || isGlobal !== undefined;
  if (part === '' && !hasFilter) return undefined;
  const { entries } = catalogue;
  const isMatch = new Uint8Array(entries.length);
  let count = 0;
  const isWanted = ({ software, owner, isGlobal: isEntryGlobal }: Entry) =>
    (softwareUrl === undefined || software.url === softwareUrl) &&
    (ownerId === undefined || owner.id === ownerId) &&
    (isGlobal === undefined || isEntryGlobal === isGlobal);
  const batches = part === '' ? allPositions(entries.length) : (await catalogue.nameText(turns)).find(part);
  for (const positions of batches) {
    for (const position of positions) {
      const entry = entries[position];
      if (entry === undefined || (hasFilter && !isWanted(entry))) continue;
      isMatch[position] = 1;
      count++;
    }
    await turns.next();
  }
  return { count, isMatch };
}

function* allPositions(count: number): Generator<readonly number[]> {
  for (let start = 0; start < count; start += positionsPerTurn)
    yield Array.from({ length: Math.min(positionsPerTurn, count - start) }, (_, index) => start + index);
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
