/** The latest number of servers and of players of every plugin in memory. */

import type { MetricsView } from '../model/metrics-reader.ts';
import { nextTurn } from '../model/next-turn.ts';
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
  /** The time of the newest point of all, in Unix milliseconds; undefined without any. */
  readonly newestTime: number | undefined;
  /** The largest values of one plugin, by the id of its software. Global plugins do not count. */
  readonly largest: ReadonlyMap<number, LargestValues>;
}

/** The largest latest values on a software: each is at most the number of its servers or players. */
export interface LargestValues {
  servers: number | undefined;
  players: number | undefined;
  /** The time of the newest latest value, in Unix milliseconds. */
  newestTime: number;
}

/** Loads the values, a batch in a turn; rejects as the view does. Plugins outside the catalogue are skipped. */
export async function loadLatestValues(view: MetricsView, catalogue: Catalogue): Promise<LatestValues> {
  const { entries } = catalogue;
  const [servers, players] = [emptyColumn(entries.length), emptyColumn(entries.length)];
  let newestTime: number | undefined;
  const largest = new Map<number, LargestValues>();
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
      newestTime = Math.max(newestTime ?? timestamp, timestamp);
      if (entry.isGlobal) continue;
      const known = largest.get(entry.software.id) ?? {
        servers: undefined,
        players: undefined,
        newestTime: timestamp,
      };
      largest.set(entry.software.id, known);
      known[of] = Math.max(known[of] ?? value, value);
      known.newestTime = Math.max(known.newestTime, timestamp);
    }
    await nextTurn();
  }
  return { servers, players, newestTime, largest };
}

function emptyColumn(length: number): LatestColumn {
  return {
    values: new Float64Array(length).fill(Number.NaN),
    timestamps: new Float64Array(length).fill(Number.NaN),
  };
}
