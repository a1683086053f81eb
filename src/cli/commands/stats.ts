/** `stats`: counts and sizes of a store. */
import type { Store, StoreStats } from '../../model/store.ts';
import { printResult } from '../output.ts';
import { startStatus } from '../progress.ts';
import { grouped } from '../words.ts';

/** Prints a line per number, or one JSON object. */
export async function printStats(store: Store, options: { readonly isJson: boolean }): Promise<void> {
  using status = startStatus(() => `counting what ${store.name} holds`);
  status.draw();
  const stats = await store.loadStats();
  printResult(...(options.isJson ? [JSON.stringify(jsonOf(stats))] : linesOf(stats)));
}

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
