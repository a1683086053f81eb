/** `stats`: counts and sizes of a store. */
import type { StoreStats } from '../../model/store.ts';
import { command } from '../command.ts';
import { grouped, printResult, startStatus } from '../output.ts';
import { flag, storeSetting } from '../settings.ts';

export const stats = command({
  summary: 'count what is in the store',
  settings: { store: storeSetting, json: flag('print one JSON object') },
  async run({ store, json }) {
    using status = startStatus(() => `counting what ${store.name} holds`);
    status.draw();
    const counts = await store.loadStats();
    printResult(...(json ? [JSON.stringify(jsonOf(counts))] : linesOf(counts)));
  },
});

/** Renames the counts for `--json`; programs rely on these names. */
function jsonOf(stats: StoreStats) {
  return {
    software: stats.softwareCount,
    plugins: stats.pluginCount,
    charts: stats.chartCount,
    points: stats.pointCount,
    snapshots: stats.snapshotCount,
    events: stats.eventCount,
    bytes: stats.sizeBytes,
    oldestTimestamp: stats.oldestTimestamp,
    newestTimestamp: stats.newestTimestamp,
    newestPastTimestamp: stats.newestPastTimestamp,
  };
}

function linesOf(stats: StoreStats): string[] {
  const hasFuture = stats.newestPastTimestamp !== stats.newestTimestamp;
  const rows: ReadonlyArray<readonly [name: string, value: string]> = [
    ['software', grouped(stats.softwareCount)],
    ['plugins', grouped(stats.pluginCount)],
    ['charts', grouped(stats.chartCount)],
    ['points', grouped(stats.pointCount)],
    ...(stats.snapshotCount > 0 ? ([['snapshots', grouped(stats.snapshotCount)]] as const) : []),
    ...(stats.eventCount > 0 ? ([['events', grouped(stats.eventCount)]] as const) : []),
    ['bytes', grouped(stats.sizeBytes)],
    ['oldest point', timeText(stats.oldestTimestamp)],
    ['newest point', timeText(stats.newestTimestamp)],
    ...(hasFuture ? ([['newest so far', timeText(stats.newestPastTimestamp)]] as const) : []),
  ];
  return rows.map(([name, value]) => `${name.padEnd(13)} ${value}`);
}

function timeText(timestamp: number | null): string {
  return timestamp === null ? 'none' : new Date(timestamp).toISOString();
}
