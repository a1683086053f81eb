/** `prune`: removes points that are older or newer than a date. */
import type { Pruned, PruneOptions } from '../../model/metrics-remover.ts';
import { command } from '../command.ts';
import { countsText, printResult, startStatus } from '../output.ts';
import { changeSettings, pluginChart, pluginId, time } from '../settings.ts';

export const prune = command({
  summary: 'remove points that are older or newer than a date',
  settings: {
    store: changeSettings.store,
    before: {
      help: 'remove points older than this: 2024-01-31, 2024-01-31T12:00:00Z, 90d for 90 days ago, or Unix milliseconds',
      ...time,
    },
    after: {
      help: 'remove points newer than this; with --before, those between the two',
      ...time,
    },
    plugin: {
      help: 'the plugin to remove points from; all unless given',
      ...pluginId,
    },
    chart: {
      placeholder: 'PLUGIN/CHART',
      help: 'the chart to remove points from, such as 1337/players',
      ...pluginChart,
    },
    dryRun: changeSettings.dryRun,
  },
  async run({ store, before, after, plugin, chart, dryRun }, _, refuse) {
    if (before === undefined && after === undefined)
      refuse('say which points go: --before DATE, --after DATE or both');
    if (before !== undefined && before > Date.now())
      refuse(
        `--before: it must not be after now, as --after alone removes what lies in the future, got ${new Date(before).toISOString()}`,
      );
    if (before !== undefined && after !== undefined && after >= before)
      refuse('nothing lies between: --after must be earlier than --before');
    if (plugin !== undefined && chart !== undefined) refuse('--chart names its plugin: leave out --plugin');
    const options = {
      afterTimestamp: after,
      beforeTimestamp: before,
      pluginId: chart?.pluginId ?? plugin,
      chartId: chart?.chartId,
    };
    await using remover = await store.openRemover();
    let soFar: Pruned = { chartCount: 0, pointCount: 0, snapshotCount: 0 };
    using _status = startStatus(() => `pruned ${countsText(soFar)}`);
    const pruned = await remover.prune({
      ...options,
      onProgress(now) {
        soFar = now;
      },
    });
    if (!dryRun) await remover.commit();
    const verb = dryRun ? 'would prune' : 'pruned';
    printResult(`${verb} points${timesText(options)}${whereText(options)}: ${countsText(pruned)}`);
  },
});

function timesText({ afterTimestamp, beforeTimestamp }: PruneOptions): string {
  const text = (word: string, timestamp: number | undefined) =>
    timestamp === undefined ? [] : [`${word} ${new Date(timestamp).toISOString()}`];
  return ` ${[...text('after', afterTimestamp), ...text('before', beforeTimestamp)].join(' and ')}`;
}

function whereText({ pluginId, chartId }: PruneOptions): string {
  if (pluginId === undefined) return '';
  return chartId === undefined ? ` from plugin ${pluginId}` : ` from chart ${pluginId}/${chartId}`;
}
