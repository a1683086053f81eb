/** The totals of all plugins, or of those of one software. */
import type { ListedSoftware } from '../../model/plugin-list.ts';

/** All servers of some software, or the players on them. */
export interface ServerCount {
  /** The latest number of the global plugin of each software; if it has none, that of its plugin with the most. */
  readonly count: number;
  /** False if there may be more, because a software has no global plugin. */
  readonly isExact: boolean;
  /** The time of the newest number in it, in Unix milliseconds. */
  readonly newestTime: number;
}

/** Totals of the plugins of some software. */
export interface Totals {
  /** Global plugins do not count. */
  readonly pluginCount: number;
  /** Each server counts once, however many plugins it has. Undefined without any number. */
  readonly servers: ServerCount | undefined;
  readonly players: ServerCount | undefined;
  /** The software with plugins, the one with the most plugins first. */
  readonly software: readonly ListedSoftware[];
  /** The time of the newest number of all their plugins, in Unix milliseconds; undefined without any. */
  readonly newestTime: number | undefined;
}

/** Adds up software; that without plugins does not count. */
export function totalsOf(all: readonly ListedSoftware[]): Totals {
  const software = all
    .filter(({ pluginCount, globalCount }) => pluginCount + globalCount > 0)
    .sort((a, b) => b.pluginCount - a.pluginCount || a.id - b.id);
  const times = software.flatMap(({ newestTime }) => newestTime ?? []);
  return {
    pluginCount: software.reduce((sum, one) => sum + one.pluginCount, 0),
    servers: countAll('servers', software),
    players: countAll('players', software),
    software,
    newestTime: times.length === 0 ? undefined : Math.max(...times),
  };
}

function countAll(
  chartId: 'servers' | 'players',
  software: readonly ListedSoftware[],
): ServerCount | undefined {
  let total: ServerCount | undefined;
  for (const one of software) {
    const known = one[chartId];
    const [time, count] = known ?? [one.newestTime, one.largest[chartId]];
    if (time === null || count === null) continue;
    total = {
      count: (total?.count ?? 0) + count,
      isExact: known !== null && (total?.isExact ?? true),
      newestTime: Math.max(total?.newestTime ?? time, time),
    };
  }
  return total;
}
