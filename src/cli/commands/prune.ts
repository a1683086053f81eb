/** `prune`: points that are older than a date. */
import type { Pruned, PruneOptions } from '../../model/metrics-remover.ts';
import { printResult } from '../output.ts';
import { counted, startStatus } from '../progress.ts';
import type { Store } from '../store-name.ts';

/** Prunes and prints what went. */
export async function pruneStore(
  store: Store,
  { isDryRun, ...options }: PruneOptions & { readonly isDryRun: boolean },
): Promise<void> {
  await using remover = await store.openRemover();
  let soFar: Pruned = { chartCount: 0, pointCount: 0 };
  using _ = startStatus(() => `pruned ${prunedText(soFar)}`);
  const pruned = await remover.prune({
    ...options,
    onProgress: (now) => {
      soFar = now;
    },
  });
  if (!isDryRun) await remover.commit();
  const before = new Date(options.beforeTimestamp).toISOString();
  const where = options.pluginId === undefined ? '' : ` from plugin ${options.pluginId}`;
  printResult(
    `${isDryRun ? 'would prune' : 'pruned'} points before ${before}${where}: ${prunedText(pruned)}`,
  );
}

function prunedText({ chartCount, pointCount }: Pruned): string {
  return `${counted(chartCount, 'chart')}, ${counted(pointCount, 'point')}`;
}
