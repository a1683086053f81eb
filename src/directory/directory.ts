/** All plugins with their latest servers and players: search, order, sums. */
import { nextTurn } from '../model/next-turn.ts';
import type { PluginSummary } from '../model/plugin.ts';
import { type Catalogue, type SoftwareCount, summaryOf } from './catalogue.ts';
import type { LatestValues } from './latest-values.ts';
import {
  addNameMatches,
  findFiltered,
  hasConditions,
  isWanted,
  Matches,
  positionsPerTurn,
} from './matches.ts';
import { queryForSimilarWords, queryForWords, rankCount } from './name-query.ts';
import { Orders } from './orders.ts';
import { Trends } from './trends.ts';

/** A plugin in a list. */
export interface DirectoryRow extends PluginSummary {
  /** The latest value of the chart `servers`; undefined without one. */
  readonly servers: number | undefined;
  /** The latest value of the chart `players`; undefined without one. */
  readonly players: number | undefined;
}

/** Orders of a list. */
export type DirectorySort = 'name' | 'servers' | 'players' | 'id';

/** A search in the directory. */
export interface DirectorySearch {
  /**
   * Words that must all be in the name of the plugin or of its owner, or the id of a plugin. Blank for all plugins. If few match, those with
   * similar names follow.
   */
  readonly text?: string | undefined;
  /** Only plugins of this software. */
  readonly softwareUrl?: string | undefined;
  /** Only plugins of this owner. */
  readonly ownerId?: number | undefined;
  /** Left out: the best matches first; among equals, those with the most servers. */
  readonly sort?: DirectorySort | undefined;
  /** Left out: true for servers and players. Plugins without a value come last either way. */
  readonly descending?: boolean | undefined;
  /** Number of rows to skip. */
  readonly offset?: number | undefined;
  /** Most rows to return. */
  readonly limit: number;
}

/** A part of a list. */
export interface DirectoryPage {
  /** Number of plugins that match. */
  readonly total: number;
  /** Number of those that are global plugins. */
  readonly globalCount: number;
  /** Number of those that match because their name is similar. */
  readonly similarCount: number;
  readonly rows: readonly DirectoryRow[];
}

/** All servers of some software, or the players on them. */
export interface ServerCount {
  /** The latest number of the global plugin of each software; if it has none, that of its plugin with the most. */
  readonly count: number;
  /** False if there may be more, because a software has no global plugin. */
  readonly isExact: boolean;
  /** The time of the newest number in it, in Unix milliseconds. */
  readonly newestTime: number;
}

/** The latest values of some plugins added up. */
interface PluginSums extends Pick<DirectoryRow, 'servers' | 'players'> {
  readonly pluginCount: number;
  /** The time of the newest value, in Unix milliseconds; undefined without any. */
  readonly newestTime: number | undefined;
}

/** Totals of all plugins. */
export interface DirectoryTotals {
  /** Global plugins do not count. */
  readonly pluginCount: number;
  /** Each server counts once, however many plugins it has. Undefined without any number. */
  readonly servers: ServerCount | undefined;
  readonly players: ServerCount | undefined;
  /** All software with plugins, the one with the most plugins first. */
  readonly software: readonly SoftwareCount[];
}

/** The directory of one state of the store. */
export class Directory {
  readonly #values: LatestValues;
  readonly #orders = new Orders();
  /** The plugins without their values. */
  readonly catalogue: Catalogue;
  readonly totals: DirectoryTotals;
  /** The time of the newest number, in Unix milliseconds; undefined without any. */
  readonly newestTime: number | undefined;
  /** The servers of plugins by day. */
  readonly trends = new Trends('servers');

  constructor(catalogue: Catalogue, values: LatestValues) {
    this.catalogue = catalogue;
    this.#values = values;
    this.newestTime = values.newestTime;
    const software = catalogue.listSoftware();
    const pluginCount = software.reduce((sum, one) => sum + one.pluginCount, 0);
    const [servers, players] = [this.countAll('servers', software), this.countAll('players', software)];
    this.totals = { pluginCount, servers, players, software };
  }

  /** Finds a plugin; undefined for an unknown one. */
  find(pluginId: number): DirectoryRow | undefined {
    const position = this.catalogue.positionOf(pluginId);
    return position === undefined ? undefined : this.#rowAt(position);
  }

  /** Counts the servers or the players of some software; undefined without any number. */
  countAll(chartId: 'servers' | 'players', allSoftware: readonly SoftwareCount[]): ServerCount | undefined {
    let total: ServerCount | undefined;
    for (const { id, url } of allSoftware) {
      const globalId = this.catalogue.findSoftware(url)?.globalPlugin?.id;
      const position = globalId === undefined ? undefined : this.catalogue.positionOf(globalId);
      const known = position === undefined ? undefined : this.latest(chartId, position);
      const largest = this.#values.largest.get(id);
      const [time, count] = known ?? [largest?.newestTime, largest?.[chartId]];
      if (time === undefined || count === undefined) continue;
      total = {
        count: (total?.count ?? 0) + count,
        isExact: known !== undefined && (total?.isExact ?? true),
        newestTime: Math.max(total?.newestTime ?? time, time),
      };
    }
    return total;
  }

  /** Adds up the plugins of an owner: a server counts once for each of them. Global plugins do not count. */
  async addUp(ownerId: number): Promise<PluginSums> {
    const sums: { servers?: number; players?: number } = {};
    let pluginCount = 0;
    let newestTime: number | undefined;
    for (const { id, isGlobal } of this.catalogue.findOwner(ownerId)?.plugins ?? []) {
      const position = isGlobal ? undefined : this.catalogue.positionOf(id);
      if (position === undefined) continue;
      for (const chartId of ['servers', 'players'] as const) {
        const latest = this.latest(chartId, position);
        if (latest === undefined) continue;
        const [time, value] = latest;
        sums[chartId] = (sums[chartId] ?? 0) + value;
        newestTime = Math.max(newestTime ?? time, time);
      }
      if (++pluginCount % pluginsPerTurn === 0) await nextTurn();
    }
    return { pluginCount, servers: sums.servers, players: sums.players, newestTime };
  }

  /** The plugins that match, in order. */
  async search(search: DirectorySearch): Promise<DirectoryPage> {
    const { sort, offset = 0, limit } = search;
    const { descending = sort !== 'name' && sort !== 'id' } = search;
    const order = await this.order(sort ?? 'servers', descending);
    const found = await this.#findMatches(search);
    if (found === undefined) {
      const rows = this.#rows(order.subarray(offset, offset + limit));
      const globalCount = order.length - this.totals.pluginCount;
      return { total: order.length, globalCount, similarCount: 0, rows };
    }
    const { matches, similarCount } = found;
    let globalCount = 0;
    const ranks = Array.from({ length: rankCount }, (): number[] => []);
    for (let index = 0; index < order.length; index++) {
      const position = order[index] ?? 0;
      const rank = matches.rankOf(position);
      if (rank !== undefined && this.catalogue.entries[position]?.isGlobal) globalCount++;
      const ranked = rank === undefined ? undefined : ranks[sort === undefined ? rank : 0];
      if (ranked !== undefined && ranked.length < offset + limit) ranked.push(position);
      if (index % positionsPerTurn === positionsPerTurn - 1) await nextTurn();
    }
    const rows = this.#rows(ranks.flat().slice(offset, offset + limit));
    return { total: matches.count, globalCount, similarCount, rows };
  }

  /** Finds the plugins that match; undefined if all do. */
  async #findMatches({
    text = '',
    softwareUrl,
    ownerId,
  }: DirectorySearch): Promise<{ readonly matches: Matches; readonly similarCount: number } | undefined> {
    const { catalogue } = this;
    const search = { catalogue, filter: { softwareUrl, ownerId } };
    if (text.trim() === '') {
      if (!hasConditions(search.filter)) return undefined;
      return { matches: await findFiltered(search), similarCount: 0 };
    }
    const matches = new Matches(catalogue.entries.length);
    const position = /^\s*\d+\s*$/.test(text) ? catalogue.positionOf(Number(text)) : undefined;
    const named = catalogue.entries[position ?? -1];
    if (position !== undefined && named !== undefined && isWanted(named, search.filter))
      matches.add(position, 0);
    await addNameMatches(matches, queryForWords(text), search);
    const { count } = matches;
    const similar = count < fewMatches ? queryForSimilarWords(text) : undefined;
    if (similar !== undefined) await addNameMatches(matches, similar, search);
    return { matches, similarCount: matches.count - count };
  }

  /** All positions in this order. Plugins without a value come last; equal ones are by ascending id. */
  order(sort: DirectorySort, descending: boolean): Promise<Uint32Array> {
    if (sort === 'name') return this.catalogue.orderByName(descending);
    const values = sort === 'id' ? undefined : this.#values[sort].values;
    const direction = descending ? -1 : 1;
    const compare = (a: number, b: number) => {
      if (values === undefined) return direction * (a - b);
      const [valueA = Number.NaN, valueB = Number.NaN] = [values[a], values[b]];
      const [isNoneA, isNoneB] = [Number.isNaN(valueA), Number.isNaN(valueB)];
      if (isNoneA || isNoneB) return Number(isNoneA) - Number(isNoneB) || a - b;
      return direction * (valueA - valueB) || a - b;
    };
    const count = this.catalogue.entries.length;
    return this.#orders.get({ name: `${sort} ${descending}`, count, compare });
  }

  /** The latest point of a chart of the plugin at a position, as time and value; undefined for a plugin that has none. */
  latest(chartId: 'servers' | 'players', position: number): readonly [number, number] | undefined {
    const { timestamps, values } = this.#values[chartId];
    const value = values[position] ?? Number.NaN;
    return Number.isNaN(value) ? undefined : [timestamps[position] ?? Number.NaN, value];
  }

  #rows(positions: Iterable<number>): DirectoryRow[] {
    return Array.from(positions).flatMap((position) => this.#rowAt(position) ?? []);
  }

  #rowAt(position: number): DirectoryRow | undefined {
    const entry = this.catalogue.entries[position];
    if (entry === undefined) return undefined;
    return {
      ...summaryOf(entry),
      servers: this.latest('servers', position)?.[1],
      players: this.latest('players', position)?.[1],
    };
  }
}

/** Plugins added up in a turn: about a millisecond. */
const pluginsPerTurn = 4096;

/** So many matches are enough: similar names would only be in the way. */
const fewMatches = 10;
