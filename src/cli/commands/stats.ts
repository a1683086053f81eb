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
    const stats = await store.loadStats();
    const { oldestTimestamp, newestTimestamp, newestPastTimestamp } = stats;
    if (json) {
      const times = { oldestTimestamp, newestTimestamp, newestPastTimestamp };
      printResult(JSON.stringify({ ...countsOf(stats), ...times }));
      return;
    }
    const counts = Object.entries(countsOf(stats))
      .filter(([name, count]) => count > 0 || (name !== 'snapshots' && name !== 'events'))
      .map(([name, count]) => [name, grouped(count)] as const);
    const rows = [
      ...counts,
      ['oldest point', timeText(oldestTimestamp)],
      ['newest point', timeText(newestTimestamp)],
      ...(newestPastTimestamp === newestTimestamp ? [] : [['newest so far', timeText(newestPastTimestamp)]]),
    ];
    printResult(...rows.map(([name = '', value]) => `${name.padEnd(13)} ${value}`));
  },
});

/** The counts by their names, on which programs rely. */
function countsOf(stats: StoreStats) {
  return {
    software: stats.softwareCount,
    plugins: stats.pluginCount,
    charts: stats.chartCount,
    points: stats.pointCount,
    snapshots: stats.snapshotCount,
    events: stats.eventCount,
    bytes: stats.sizeBytes,
  };
}

function timeText(timestamp: number | null): string {
  return timestamp === null ? 'none' : new Date(timestamp).toISOString();
}
