/** Lists of plugins with their latest numbers: what is asked for, and what is found. */

import type { PluginSummary } from './plugin.ts';
import type { Software } from './software.ts';
import { dayMs } from './window.ts';

/** The orders of a list. Numbers are those of the charts `servers` and `players`; the change is that of the servers. */
export type PluginSort = 'servers' | 'players' | 'change' | 'name' | 'id';

/** The place of a plugin in an order. */
export interface PluginKey {
  readonly id: number;
  /** The name, the id or the number that the order sorts by; null for a plugin that has no number. */
  readonly value: number | string | null;
}

/** Largest `skip` for searches and owners; beyond it the list is empty. */
export const maxFound = 10_000;

/** A list that is asked for. */
export interface PluginListRequest {
  /** The text that is looked for; blank for all. */
  readonly text: string;
  /**
   * The way of looking. `part`: the text is a part of the name of the plugin or of its owner, without regard to case. `words`: all words are in the
   * names, or the text is the id; without case, accents and apostrophes. Best matches come first, whatever the order: the whole name, names that begin
   * so, names that hold the words, then those where the owner's name holds some. If there are none, names that are near.
   */
  readonly find: 'part' | 'words';
  readonly softwareUrl?: string | undefined;
  readonly ownerId?: number | undefined;
  /** The plugins with these ids alone. */
  readonly ids?: readonly number[] | undefined;
  /** True for global plugins alone, false for all others. */
  readonly isGlobal?: boolean | undefined;
  readonly sort: PluginSort;
  /** Plugins without a number come last either way, and equal ones are by ascending id. */
  readonly descending: boolean;
  readonly limit: number;
  /** The list begins behind it; it need not be there any more. */
  readonly after?: PluginKey | undefined;
  /** Plugins to leave out at the beginning. */
  readonly skip?: number | undefined;
}

/** A point as time in Unix milliseconds and value. */
export type LatestPoint = readonly [time: number, value: number];

/** A plugin in a list. */
export interface ListedPlugin extends PluginSummary {
  readonly servers: LatestPoint | null;
  readonly players: LatestPoint | null;
  /** The means of the servers of its last whole days in UTC, up to the newest; null for a day without. Empty for a plugin without servers. */
  readonly days: readonly (number | null)[];
  /**
   * The change from the mean of the first half of these days to that of the second as a share: 0.1 is a tenth more. Null if there is none, and for
   * a plugin whose newest number is a week older than the newest of all.
   */
  readonly change: number | null;
}

/** A list that was found. */
export interface PluginList {
  /** Number of all plugins that match. */
  readonly total: number;
  /** Number of those that are global plugins. */
  readonly globalCount: number;
  /** True if nothing matches, and these are the names that are near. */
  readonly isNear: boolean;
  readonly plugins: readonly ListedPlugin[];
  /** The place of the last one; undefined if no other follows. */
  readonly next: PluginKey | undefined;
}

/** A software with its plugins, as of now. */
export interface ListedSoftware extends Software {
  /** Number of its plugins without the global ones. */
  readonly pluginCount: number;
  readonly globalCount: number;
  /** The latest numbers of its global plugin. */
  readonly servers: LatestPoint | null;
  readonly players: LatestPoint | null;
  /** The largest latest numbers of another plugin. */
  readonly largest: { readonly servers: number | null; readonly players: number | null };
  /** The time of the newest latest number of all its plugins, in Unix milliseconds. */
  readonly newestTime: number | null;
}

/** The latest numbers of the plugins of an owner added up, without global ones: a server counts once for each of them. */
export interface OwnerNow {
  readonly name: string;
  readonly pluginCount: number;
  readonly servers: number | null;
  readonly players: number | null;
  readonly newestTime: number | null;
}

/** The place of a plugin by its servers among those of its software. */
export interface PluginPlace {
  readonly servers: number;
  /** The servers of the global plugin of the software; null if it has none. */
  readonly globalServers: number | null;
  /** The number of plugins with more servers. */
  readonly aheadCount: number;
  /** The number of plugins of which servers are known. */
  readonly knownCount: number;
}

/** Days of a trend. */
export const trendDays = 14;

/** The time before which a latest number is too old for a change: a week before the day of the newest number of the store. */
export function oldBefore(newestTime: number): number {
  return (Math.floor(newestTime / dayMs) - 7) * dayMs;
}
