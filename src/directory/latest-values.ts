/** The latest number of servers and of players of every plugin in memory. */
import type { Turns } from '../http/turns.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import type { Catalogue } from './catalogue.ts';

/** The latest points of a chart of every plugin, by position; NaN for a plugin that has none. */
export interface LatestColumn {
  readonly values: Float64Array;
  /** Unix milliseconds. */
  readonly timestamps: Float64Array;
}

/** The latest values of the charts of these names. */
export interface LatestValues {
  readonly servers: LatestColumn;
  readonly players: LatestColumn;
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
  const [servers, players] = [emptyColumn(entries.length), emptyColumn(entries.length)];
  const sums = { servers: 0, players: 0 };
  let position = 0;
  for await (const points of view.listLatestPoints(['servers', 'players'])) {
    for (const { pluginId, chartId, timestamp, value } of points) {
      // Both are by ascending id.
      while ((entries[position]?.id ?? Number.POSITIVE_INFINITY) < pluginId) position++;
      const entry = entries[position];
      if (entry?.id !== pluginId) continue;
      const of = chartId === 'servers' ? 'servers' : 'players';
      const column = of === 'servers' ? servers : players;
      column.values[position] = value;
      column.timestamps[position] = timestamp;
      if (!entry.isGlobal) sums[of] += value;
    }
    await turns.next();
  }
  return { servers, players, sums };
}

function emptyColumn(length: number): LatestColumn {
  return {
    values: new Float64Array(length).fill(Number.NaN),
    timestamps: new Float64Array(length).fill(Number.NaN),
  };
}
