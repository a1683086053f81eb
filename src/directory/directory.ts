/** All plugins with their latest servers and players: search, order, sums. */
import type { Turns } from '../http/turns.ts';
import type { PluginSummary } from '../model/plugin.ts';
import { type Catalogue, type SoftwareCount, summaryOf } from './catalogue.ts';
import type { LatestValues } from './latest-values.ts';
import { createMatcher, type Matcher, rankCount } from './matcher.ts';
import { Orders } from './orders.ts';

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
  /** Words that must all be in the name of the plugin or of its owner, or the id of a plugin. Blank for all plugins. */
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
  readonly rows: readonly DirectoryRow[];
}

/** Sums over all plugins except global ones, which count the servers of other plugins again. */
export interface DirectoryTotals {
  readonly pluginCount: number;
  /** The sum of all plugins: a server counts once for each plugin on it. */
  readonly servers: number;
  /** The sum of all plugins: a player counts once for each plugin on the server. */
  readonly players: number;
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

  constructor(catalogue: Catalogue, values: LatestValues) {
    this.catalogue = catalogue;
    this.#values = values;
    const software = catalogue.listSoftware();
    const pluginCount = software.reduce((sum, one) => sum + one.pluginCount, 0);
    this.totals = { pluginCount, ...values.sums, software };
  }

  /** Finds a plugin; undefined for an unknown one. */
  find(pluginId: number): DirectoryRow | undefined {
    const position = this.catalogue.positionOf(pluginId);
    return position === undefined ? undefined : this.#rowAt(position);
  }

  /** The plugins that match, in order. */
  async search(search: DirectorySearch, turns: Turns): Promise<DirectoryPage> {
    const { sort, offset = 0, limit } = search;
    const { descending = sort !== 'name' && sort !== 'id' } = search;
    const order = await this.order(sort ?? 'servers', descending, turns);
    const match = createMatcher(search);
    if (match === undefined)
      return { total: order.length, rows: this.#rows(order.subarray(offset, offset + limit)) };
    const ranks = Array.from({ length: rankCount }, (): number[] => []);
    let total = 0;
    for (let index = 0; index < order.length; index++) {
      const position = order[index] ?? 0;
      const rank = this.#rankAt(position, match);
      if (rank !== undefined) {
        total++;
        const ranked = ranks[sort === undefined ? rank : 0] ?? [];
        if (ranked.length < offset + limit) ranked.push(position);
      }
      if (index % entriesPerTurn === entriesPerTurn - 1) await turns.next();
    }
    return { total, rows: this.#rows(ranks.flat().slice(offset, offset + limit)) };
  }

  /** All positions in this order. Plugins without a value come last; equal ones are by ascending id. */
  order(sort: DirectorySort, descending: boolean, turns: Turns): Promise<Uint32Array> {
    if (sort === 'name') return this.catalogue.orderByName(descending, turns);
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
    return this.#orders.get({ name: `${sort} ${descending}`, count, compare, turns });
  }

  /** The latest point of a chart of the plugin at a position, as time and value; undefined for a plugin that has none. */
  latest(chartId: 'servers' | 'players', position: number): readonly [number, number] | undefined {
    const { timestamps, values } = this.#values[chartId];
    const value = values[position] ?? Number.NaN;
    return Number.isNaN(value) ? undefined : [timestamps[position] ?? Number.NaN, value];
  }

  #rankAt(position: number, match: Matcher): number | undefined {
    const entry = this.catalogue.entries[position];
    return entry === undefined ? undefined : match(entry);
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

/** Plugins searched in a turn: about a millisecond. */
const entriesPerTurn = 2048;
