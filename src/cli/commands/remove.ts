/** `remove plugin` and `remove chart`: take it out of the store with its data. */
import type { MetricsRemover, Removed } from '../../model/metrics-remover.ts';
import type { Store } from '../../model/store.ts';
import { command } from '../command.ts';
import { countsText, printResult } from '../output.ts';
import { changeSettings, chartArgument, pluginArgument } from '../settings.ts';

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
