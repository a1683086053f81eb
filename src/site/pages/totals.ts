/** Totals of all plugins, or of those of one software. */
import type { ListedSoftware } from '../../model/plugin-list.ts';

/** Totals of the plugins of some software. */
export interface Totals {
  /** Excludes global plugins. */
  readonly pluginCount: number;
  /** The software with plugins, the one with the most plugins first. */
  readonly software: readonly ListedSoftware[];
  /** Time of the newest number of all its plugins, in Unix milliseconds; undefined without numbers. */
  readonly newestTime: number | undefined;
}

/** Computes the totals; software without plugins is ignored. */
export function totalsOf(all: readonly ListedSoftware[]): Totals {
  const software = all
    .filter(({ pluginCount, globalCount }) => pluginCount + globalCount > 0)
    .sort((a, b) => b.pluginCount - a.pluginCount || a.id - b.id);
  const times = software.flatMap(({ newestTime }) => newestTime ?? []);
  return {
    pluginCount: software.reduce((sum, one) => sum + one.pluginCount, 0),
    software,
    newestTime: times.length === 0 ? undefined : Math.max(...times),
  };
}

/**
 * All servers of a software, or the players on them: the latest number of its global plugin. Without one,
 * there are at least as many as its plugin with the most has. Undefined without any number.
 */
export function countAll(
  chartId: 'servers' | 'players',
  software: ListedSoftware,
): { readonly count: number; readonly isExact: boolean } | undefined {
  const known = software[chartId];
  const count = known?.[1] ?? software.largest[chartId];
  return count === null ? undefined : { count, isExact: known !== null };
}
