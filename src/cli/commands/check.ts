/** `check`, `compact` and `stats`: verify a store, shrink it, and count what it holds. */
import type { StoreStats } from '../../model/store.ts';
import { command } from '../command.ts';
import { grouped, printResult, sizeText, startCalledStatus } from '../output.ts';
import { changeSettings, flagSetting, storeSetting } from '../settings.ts';

export const check = command({
  summary: 'read and verify everything in the store; prints one line per fault',
  settings: { store: storeSetting },
  async run({ store }) {
    const { recordChecker } = await import('../../archive/check-record.ts');
    using status = startCalledStatus(`checking ${store.name}`);
    let faultCount = 0;
    for await (const fault of store.check(recordChecker(), status.onProgress)) {
      faultCount++;
      printResult(fault);
    }
    if (faultCount === 0) printResult(`${store.name}: no faults`);
    else process.exitCode = 1;
  },
});

export const compact = command({
  summary: 'give space that the store no longer needs back to the system',
  settings: changeSettings,
  async run({ store, dryRun }) {
    if (dryRun) {
      const { sizeBytes, unusedBytes } = await store.measure();
      printResult(
        `would compact ${store.name}: ${sizeText(unusedBytes)} of ${sizeText(sizeBytes)} are not in use`,
      );
      return;
    }
    using _ = startCalledStatus(`compacting ${store.name}`);
    const { beforeBytes, afterBytes, isBlocked } = await store.compact();
    const rest = isBlocked
      ? '; a reader of an older state, such as an export, holds the rest: compact again later'
      : '';
    printResult(`compacted ${store.name} from ${sizeText(beforeBytes)} to ${sizeText(afterBytes)}${rest}`);
  },
});

export const stats = command({
  summary: 'count software, plugins, charts, points and bytes; shows the oldest and newest point',
  settings: {
    store: storeSetting,
    json: flagSetting('print one JSON object'),
    prometheus: flagSetting('print metrics in the text format of Prometheus, for the textfile collector'),
  },
  async run({ store, json, prometheus }, _argument, refuse) {
    if (json && prometheus) refuse('choose --json or --prometheus');
    using _ = startCalledStatus(`counting what ${store.name} holds`);
    const stats = await store.loadStats();
    const { oldestTimestamp, newestTimestamp, newestPastTimestamp } = stats;
    if (prometheus) {
      printResult(...metricLines(stats));
      return;
    }
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

/** The counts by name. Programs rely on the names. */
function countsOf(stats: StoreStats) {
  return {
    software: stats.softwareCount,
    plugins: stats.pluginCount,
    charts: stats.chartCount,
    points: stats.pointCount,
    snapshots: stats.historyTimeCount,
    events: stats.eventCount,
    bytes: stats.sizeBytes,
  };
}

/** Renders counts and times as gauges; a time that is null is left out. */
function metricLines(stats: StoreStats): readonly string[] {
  const times = {
    oldest: stats.oldestTimestamp,
    newest: stats.newestTimestamp,
    newest_past: stats.newestPastTimestamp,
  };
  const seconds = Object.entries(times).flatMap(([name, time]) =>
    time === null ? [] : [[`${name}_point_timestamp_seconds`, time / 1000] as const],
  );
  return [...Object.entries(countsOf(stats)), ...seconds].flatMap(([name, value]) => [
    `# HELP plugin_metrics_store_${name} ${name.replaceAll('_', ' ')} of the store`,
    `# TYPE plugin_metrics_store_${name} gauge`,
    `plugin_metrics_store_${name} ${value}`,
  ]);
}

function timeText(timestamp: number | null): string {
  return timestamp === null ? 'none' : new Date(timestamp).toISOString();
}
