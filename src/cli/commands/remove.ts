/** `remove plugin`, `remove chart` and `prune`: take things, or their older or newer points, out of the store. */
import type { MetricsRemover, Pruned, PruneOptions, Removed } from '../../model/metrics-remover.ts';
import type { Store } from '../../model/store.ts';
import { command } from '../command.ts';
import { countsText, printResult, startStatus } from '../output.ts';
import { changeSettings, chartArgument, pluginArgument, pluginChart, pluginId, time } from '../settings.ts';

export const removePlugin = command({
  summary: 'with its charts and their data',
  settings: changeSettings,
  argument: { ...pluginArgument, name: '<ID>' },
  run: (options, pluginId) =>
    remove(options, `plugin ${pluginId}`, (remover) => remover.removePlugin(pluginId)),
});

export const removeChart = command({
  summary: 'with its data',
  settings: changeSettings,
  argument: chartArgument,
  run: (options, { pluginId, chartId }) =>
    remove(options, `chart ${pluginId}/${chartId}`, (remover) => remover.removeChart(pluginId, chartId)),
});

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

async function remove(
  { store, dryRun }: { readonly store: Store; readonly dryRun: boolean },
  what: string,
  removeFrom: (remover: MetricsRemover) => Promise<Removed>,
): Promise<void> {
  await using remover = await store.openRemover();
  const removed = await removeFrom(remover);
  if (!dryRun) await remover.commit();
  const { softwareIds } = removed;
  const software =
    softwareIds.length === 0
      ? ''
      : `; it was the global plugin of software ${softwareIds.join(', ')}, which has none now`;
  printResult(`${dryRun ? 'would remove' : 'removed'} ${what}: ${countsText(removed)}${software}`);
}

function timesText({ afterTimestamp, beforeTimestamp }: PruneOptions): string {
  const text = (word: string, timestamp: number | undefined) =>
    timestamp === undefined ? [] : [`${word} ${new Date(timestamp).toISOString()}`];
  return ` ${[...text('after', afterTimestamp), ...text('before', beforeTimestamp)].join(' and ')}`;
}

function whereText({ pluginId, chartId }: PruneOptions): string {
  if (pluginId === undefined) return '';
  return chartId === undefined ? ` from plugin ${pluginId}` : ` from chart ${pluginId}/${chartId}`;
}
