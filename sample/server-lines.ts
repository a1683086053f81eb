// The two lines that every plugin has: its servers, and the players on them.

import type { Point } from '../catalogues/lines.ts';
import { createRandom } from '../catalogues/random.ts';
import type { SamplePlugin } from './catalogue.ts';
import { createCounts, createPastCounts, pickMissingSlots, type SampleShape } from './lines.ts';

/** The points of a line. */
export interface LinePoints {
  /** Those of the two months. */
  readonly points: readonly Point[];
  /** Those before, of a plugin with a past. */
  readonly past: readonly Point[];
}

/** Counts the servers of a plugin. */
export function createServers(plugin: SamplePlugin): LinePoints {
  const rhythm = { dailySwing: 0.05, weeklySwing: 0.02 };
  return createLine(plugin, { ...rhythm, chartId: 'servers', level: plugin.serverCount });
}

/** Counts the players on the servers of a plugin. */
export function createPlayers(plugin: SamplePlugin): LinePoints {
  const level = plugin.serverCount * plugin.playersPerServer;
  return createLine(plugin, { dailySwing: 0.45, weeklySwing: 0.12, chartId: 'players', level });
}

function createLine(
  plugin: SamplePlugin,
  {
    chartId,
    ...rest
  }: Pick<SampleShape, 'level' | 'dailySwing' | 'weeklySwing'> & { readonly chartId: string },
): LinePoints {
  const { id, growth, peakHour, past } = plugin;
  const missingSlots = pickMissingSlots(createRandom(`${id}/missing`), plugin);
  const shape = { ...rest, seed: `${id}/${chartId}`, growth, peakHour, missingSlots };
  return {
    points: createCounts(shape),
    past: past === undefined ? [] : createPastCounts(shape, past.levelShare),
  };
}
