/** Plugins that match a search, found in turns. */
import { nextTurn } from '../model/next-turn.ts';
import type { Catalogue, Entry } from './catalogue.ts';
import type { NameQuery } from './name-query.ts';

/** Conditions besides names. */
export interface PluginFilter {
  readonly softwareUrl?: string | undefined;
  readonly ownerId?: number | undefined;
  readonly isGlobal?: boolean | undefined;
}

/** The matches of a search. */
export class Matches {
  /** By position: 0 for no match, otherwise one more than the rank. */
  readonly #ranks: Uint8Array;
  count = 0;

  constructor(pluginCount: number) {
    this.#ranks = new Uint8Array(pluginCount);
  }

  /** Adds a match; one that is there keeps its rank unless the new one is better. */
  add(position: number, rank: number): void {
    const before = this.#ranks[position] ?? 0;
    if (before === 0) this.count++;
    if (before === 0 || rank + 1 < before) this.#ranks[position] = rank + 1;
  }

  /** The rank of a match, 0 for the best; undefined for no match. */
  rankOf(position: number): number | undefined {
    const rank = this.#ranks[position] ?? 0;
    return rank === 0 ? undefined : rank - 1;
  }
}

/** Positions looked at in a turn. */
export const positionsPerTurn = 16_384;

/** Names compared in a turn: a fraction of a millisecond, and a few for a long search in long names. */
const namesPerTurn = 128;

/** A search for matches. */
interface MatchSearch {
  readonly catalogue: Catalogue;
  readonly filter: PluginFilter;
}

/** True if some plugins may not pass. */
export function hasConditions({ softwareUrl, ownerId, isGlobal }: PluginFilter): boolean {
  return softwareUrl !== undefined || ownerId !== undefined || isGlobal !== undefined;
}

/** Adds the plugins whose names match a query. */
export async function addNameMatches(
  matches: Matches,
  query: NameQuery,
  { catalogue, filter }: MatchSearch,
): Promise<void> {
  const { entries } = catalogue;
  let count = 0;
  for (const { positions, namesAt } of (await catalogue.nameText()).find(query.parts)) {
    for (const position of positions) {
      const entry = entries[position];
      if (entry === undefined || !isWanted(entry, filter)) continue;
      const rank = query.rankOf(namesAt(position), entry);
      if (rank !== undefined) matches.add(position, rank);
      if (++count % namesPerTurn === 0) await nextTurn();
    }
    await nextTurn();
  }
}

/** Finds the plugins that pass a filter. */
export async function findFiltered({ catalogue, filter }: MatchSearch): Promise<Matches> {
  const { entries } = catalogue;
  const matches = new Matches(entries.length);
  for (const [position, entry] of entries.entries()) {
    if (isWanted(entry, filter)) matches.add(position, 0);
    if (position % positionsPerTurn === positionsPerTurn - 1) await nextTurn();
  }
  return matches;
}

/** True for a plugin that passes a filter. */
export function isWanted(
  { software, owner, isGlobal }: Entry,
  { softwareUrl, ownerId, isGlobal: wantsGlobal }: PluginFilter,
): boolean {
  return (
    (softwareUrl === undefined || software.url === softwareUrl) &&
    (ownerId === undefined || owner.id === ownerId) &&
    (wantsGlobal === undefined || isGlobal === wantsGlobal)
  );
}
