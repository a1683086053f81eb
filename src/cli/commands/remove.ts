/** `remove`: removes a plugin or a chart with its data. */
import type { ChartName } from '../../model/chart.ts';
import type { Removed } from '../../model/metrics-remover.ts';
import type { Store } from '../../model/store.ts';
import { printResult } from '../output.ts';
import { counted, pastCounts } from '../words.ts';

interface RemoveOptions {
  readonly isDryRun: boolean;
}

/** Removes a plugin and prints the counts. */
export async function removePlugin(store: Store, pluginId: number, options: RemoveOptions): Promise<void> {
  await using remover = await store.openRemover();
  const removed = await remover.removePlugin(pluginId);
  if (!options.isDryRun) await remover.commit();
  printRemoved(`plugin ${pluginId}`, removed, options);
}

/** Removes a chart and prints the counts. */
export async function removeChart(store: Store, name: ChartName, options: RemoveOptions): Promise<void> {
  await using remover = await store.openRemover();
  const removed = await remover.removeChart(name.pluginId, name.chartId);
  if (!options.isDryRun) await remover.commit();
  printRemoved(`chart ${name.pluginId}/${name.chartId}`, removed, options);
}

function printRemoved(what: string, removed: Removed, { isDryRun }: RemoveOptions): void {
  const verb = isDryRun ? 'would remove' : 'removed';
  const { chartCount, pointCount, snapshotCount, eventCount } = removed;
  const counts = [
    counted(chartCount, 'chart'),
    counted(pointCount, 'point'),
    ...pastCounts(snapshotCount, eventCount),
  ].join(', ');
  const ids = removed.softwareIds.join(', ');
  const software = ids === '' ? '' : `; it was the global plugin of software ${ids}, which has none now`;
  printResult(`${verb} ${what}: ${counts}${software}`);
}
