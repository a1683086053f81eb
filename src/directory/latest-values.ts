/** The latest number of servers and of players of every plugin in memory. */
import type { Turns } from '../http/turns.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import type { Catalogue } from './catalogue.ts';

/** The latest values of the charts of these names. */
export interface LatestValues {
  /** By position; NaN for a plugin that has none. */
  readonly servers: Float64Array;
  readonly players: Float64Array;
  /** Global plugins do not count. */
  readonly sums: { readonly servers: number; readonly players: number };
}

/** Loads the values, a batch in a turn; rejects as the view does. Plugins outside the catalogue are skipped. */
export async function loadLatestValues(
  view: MetricsView,
  catalogue: Catalogue,
  turns: Turns,
): Promise<LatestValues> {
  const { entries } = catalogue;
  const servers = new Float64Array(entries.length).fill(Number.NaN);
  const players = new Float64Array(entries.length).fill(Number.NaN);
  const sums = { servers: 0, players: 0 };
  let position = 0;
  for await (const points of view.listLatestPoints(['servers', 'players'])) {
    for (const { pluginId, chartId, value } of points) {
      // Both are by ascending id.
      while ((entries[position]?.id ?? Number.POSITIVE_INFINITY) < pluginId) position++;
      const entry = entries[position];
      if (entry?.id !== pluginId) continue;
      const of = chartId === 'servers' ? 'servers' : 'players';
      (of === 'servers' ? servers : players)[position] = value;
      if (!entry.isGlobal) sums[of] += value;
    }
    await turns.next();
  }
  return { servers, players, sums };
}
