/**
 * `remove plugin`, `remove chart`, `remove point`, `remove event`, `remove software` and `prune`: take
 * things, or their older or newer points, out of the store.
 */
import { AppError, quote } from '../../model/app-error.ts';
import type { MetricsRemover, PruneOptions } from '../../model/metrics-remover.ts';
import type { Store } from '../../model/store.ts';
import { command } from '../command.ts';
import { countsText, printResult, startCalledStatus } from '../output.ts';
import {
  changeSettings,
  chartArgument,
  pluginArgument,
  pluginChart,
  pluginId,
  softwareArgument,
  timeSetting,
  titleText,
} from '../settings.ts';

const removePlugin = command({
  summary: 'remove a plugin with its charts and their data',
  settings: changeSettings,
  argument: { ...pluginArgument, name: '<ID>' },
  run: (options, pluginId) =>
    remove(options, async (remover) => {
      const removed = await remover.removePlugin(pluginId);
      const { softwareIds } = removed;
      const software =
        softwareIds.length === 0
          ? ''
          : `; it was the global plugin of software ${softwareIds.join(', ')}, which has none now`;
      return `plugin ${pluginId}: ${countsText(removed)}${software}`;
    }),
});

const removeChart = command({
  summary: 'remove a chart with its data',
  settings: changeSettings,
  argument: chartArgument,
  run: (options, { pluginId, chartId }) =>
    remove(
      options,
      async (remover) =>
        `chart ${pluginId}/${chartId}: ${countsText(await remover.removeChart(pluginId, chartId))}`,
    ),
});

/** The setting for the time of one thing. */
const requiredTime = { isRequired: true, ...timeSetting, placeholder: 'TIME' } as const;

const removePoint = command({
  summary: 'remove one point of a line, or what a history has at one time',
  settings: {
    ...changeSettings,
    time: { help: 'its exact time, to the millisecond; required', ...requiredTime },
  },
  argument: chartArgument,
  run: ({ time, ...options }, { pluginId, chartId }) =>
    remove(options, async (remover) => {
      const at = new Date(time).toISOString();
      const range = { from: time, to: time + 1 };
      const { pointCount, historyTimeCount } = await remover.prune({ ...range, pluginId, chartId });
      if (pointCount + historyTimeCount === 0)
        throw new AppError('not_found', `chart ${pluginId}/${chartId} has no point at ${at}`);
      return `point ${pluginId}/${chartId} at ${at}: ${countsText(pointCount > 0 ? { pointCount } : { historyTimeCount })}`;
    }),
});

const removeEvent = command({
  summary: 'remove an event of a plugin',
  settings: {
    ...changeSettings,
    time: { help: 'its time, as "list events" prints it; required', ...requiredTime },
    title: { help: 'its title, if the plugin has several events at that time', ...titleText },
  },
  argument: pluginArgument,
  run: ({ time, title, ...options }, pluginId) =>
    remove(options, async (remover) => {
      const removed = await remover.removeEvent(pluginId, { time, title });
      return `the event ${quote(removed)} at ${new Date(time).toISOString()} of plugin ${pluginId}`;
    }),
});

const removeSoftware = command({
  summary: 'remove a software that has no plugins',
  settings: changeSettings,
  argument: softwareArgument,
  run: (options, url) =>
    remove(options, async (remover) => {
      await remover.removeSoftware(url);
      return `software ${url}`;
    }),
});

export const prune = command({
  summary: 'remove points older or newer than a date',
  settings: {
    store: changeSettings.store,
    before: {
      help: 'remove points older than this: 2024-01-31, 2024-01-31T12:00:00Z, 90d for 90 days ago, or Unix milliseconds',
      ...timeSetting,
    },
    // Options that narrow a prune have no variable: one meant for a mirror would leave old points.
    after: {
      isOptionOnly: true,
      help: 'remove points newer than this; with --before, those between the two times',
      ...timeSetting,
    },
    plugin: {
      isOptionOnly: true,
      help: 'the plugin to remove points from; if not given, all',
      ...pluginId,
    },
    chart: {
      isOptionOnly: true,
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
      from: after === undefined ? undefined : after + 1,
      to: before,
      pluginId: chart?.pluginId ?? plugin,
      chartId: chart?.chartId,
    };
    await using remover = await store.openRemover();
    using status = startCalledStatus('pruning');
    const pruned = await remover.prune({
      ...options,
      onProgress: (soFar, share) => status.onProgress(`pruning ${countsText(soFar)}`, share),
    });
    if (!dryRun) await remover.commit();
    const verb = dryRun ? 'would prune' : 'pruned';
    printResult(`${verb} points${timesText({ after, before })}${whereText(options)}: ${countsText(pruned)}`);
  },
});

async function remove(
  { store, dryRun }: { readonly store: Store; readonly dryRun: boolean },
  removeFrom: (remover: MetricsRemover) => Promise<string>,
): Promise<void> {
  await using remover = await store.openRemover();
  const removed = await removeFrom(remover);
  if (!dryRun) await remover.commit();
  printResult(`${dryRun ? 'would remove' : 'removed'} ${removed}`);
}

function timesText({
  after,
  before,
}: {
  readonly after: number | undefined;
  readonly before: number | undefined;
}): string {
  const text = (word: string, timestamp: number | undefined) =>
    timestamp === undefined ? [] : [`${word} ${new Date(timestamp).toISOString()}`];
  return ` ${[...text('after', after), ...text('before', before)].join(' and ')}`;
}

function whereText({ pluginId, chartId }: PruneOptions): string {
  if (pluginId === undefined) return '';
  return chartId === undefined ? ` from plugin ${pluginId}` : ` from chart ${pluginId}/${chartId}`;
}

/** The commands of this file by name. */
export const removeCommands = {
  'remove plugin': removePlugin,
  'remove chart': removeChart,
  'remove point': removePoint,
  'remove event': removeEvent,
  'remove software': removeSoftware,
};
