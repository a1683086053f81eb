/** Lists of plugins with their latest numbers: requests and results. */

import type { PluginSummary, Software } from './catalogue.ts';
import { dayMs } from './window.ts';

/**
 * Sort keys of a list. Numbers are those of the charts `servers` and `players`; changes are those of servers.
 */
export type PluginSort = 'servers' | 'players' | keyof RecentChanges | 'name' | 'id';

/**
 * Relative changes of the mean between two consecutive periods of 7 or 28 whole UTC days: 0.1 means 10% more.
 * Null if unknown.
 */
export interface RecentChanges {
  readonly '7d': number | null;
  readonly '28d': number | null;
}

/** Position of a plugin in a sorted list. */
export interface PluginKey {
  readonly id: number;
  /** Name, id or number that the list is sorted by; null for a plugin without the number. */
  readonly value: number | string | null;
}

/** Largest `skip` for searches and owners; beyond it the list is empty. */
export const maxFound = 10_000;

/** Number of similar names from which on no more are looked for; those with the lowest ids are listed. */
export const maxNear = 1000;

/** Largest number of plugins that are published without a request for all. */
export const maxPublished = 500;

/** Request for a list of plugins. */
export interface PluginListRequest {
  /** Search text; all plugins without one. */
  readonly text?: string;
  /**
   * Search mode. `part`, the default: the name of the plugin or its owner contains the text, ignoring case.
   * `words`: the names contain all words, or the text is the id; ignores case, accents and apostrophes. If
   * nothing matches, similar names are listed. `best`: as `words`, with the best matches first, whatever
   * `sort` is: the whole name, names that start with the text, names that contain all words, then plugins
   * whose owner's name contains some of them.
   */
  readonly find?: 'part' | 'words' | 'best';
  readonly softwareUrl?: string | undefined;
  readonly ownerId?: number | undefined;
  /** Restricts the list to these ids. */
  readonly ids?: readonly number[] | undefined;
  /** True for global plugins only, false for all others. */
  readonly isGlobal?: boolean | undefined;
  readonly sort: PluginSort;
  /** Sort direction. Plugins without a number always come last; ties are sorted by ascending id. */
  readonly descending: boolean;
  readonly limit: number;
  /** The list begins after this position; its plugin need not exist any more. */
  readonly after?: PluginKey | undefined;
  /** Number of plugins to skip at the beginning. */
  readonly skip?: number | undefined;
}

/** A point: time in Unix milliseconds, and value. */
export type LatestPoint = readonly [time: number, value: number];

/** A plugin in a list. */
export interface ListedPlugin extends PluginSummary {
  readonly servers: LatestPoint | null;
  readonly players: LatestPoint | null;
  /**
   * Mean number of servers on each of the last {@link trendDays} whole UTC days, rounded to four digits; null
   * for a day without points. Begins with the first of these days that has points.
   */
  readonly days: readonly (number | null)[];
  /**
   * Changes of its servers; null if the newest number of the plugin is a week older than the newest of all.
   */
  readonly changes: RecentChanges;
}

/** Result of a list request. */
export interface PluginList {
  /** Number of all matching plugins. */
  readonly total: number;
  /** Number of global plugins among them. */
  readonly globalCount: number;
  /** True if nothing matches and similar names are listed. */
  readonly isNear: boolean;
  readonly plugins: readonly ListedPlugin[];
  /** Position of the last plugin; undefined on the last page. */
  readonly next: PluginKey | undefined;
}

/** A software with its plugins, in its current state. */
export interface ListedSoftware extends Software {
  /** Number of its plugins, without global ones. */
  readonly pluginCount: number;
  readonly globalCount: number;
  /** Latest numbers of its global plugin. */
  readonly servers: LatestPoint | null;
  readonly players: LatestPoint | null;
  /** Means of the servers of its global plugin, as in {@link ListedPlugin}; empty without one. */
  readonly days: readonly (number | null)[];
  /** Largest latest numbers of a plugin that is not global. */
  readonly largest: { readonly servers: number | null; readonly players: number | null };
  /** Time of the newest of the latest numbers of all its plugins, in Unix milliseconds. */
  readonly newestTime: number | null;
}

/**
 * Sum of the latest numbers of an owner's plugins, without global ones: a server counts once for each plugin.
 */
export interface OwnerNow {
  readonly name: string;
  readonly pluginCount: number;
  readonly servers: number | null;
  readonly players: number | null;
  readonly newestTime: number | null;
}

/** Rank of a plugin by servers among the plugins of its software. */
export interface PluginPlace {
  readonly servers: number;
  /** Servers of the global plugin of the software; null if it has none. */
  readonly globalServers: number | null;
  /** Number of plugins with more servers. */
  readonly aheadCount: number;
  /** Number of plugins whose servers are known. */
  readonly knownCount: number;
}

/** Days of a trend. */
export const trendDays = 90;

/**
 * Returns the time before which a latest number is too old for a change: a week before the day of the newest
 * number in the store.
 */
export function oldBefore(newestTime: number): number {
  return (Math.floor(newestTime / dayMs) - 7) * dayMs;
}
