/** `prune`: removes points that are older or newer than a date. */
import type { Pruned, PruneOptions } from '../../model/metrics-remover.ts';
import type { Store } from '../../model/store.ts';
import { printResult } from '../output.ts';
import { startStatus } from '../progress.ts';
import { counted, pastCounts } from '../words.ts';

/** Prunes and prints the counts. */
export async function pruneStore(
  store: Store,
  { isDryRun, ...options }: PruneOptions & { readonly isDryRun: boolean },
): Promise<void> {
  await using remover = await store.openRemover();
  let soFar: Pruned = { chartCount: 0, pointCount: 0, snapshotCount: 0 };
  using _ = startStatus(() => `pruned ${prunedText(soFar)}`);
  const pruned = await remover.prune({
    ...options,
    onProgress: (now) => {
      soFar = now;
    },
  });
  if (!isDryRun) await remover.commit();
  const verb = isDryRun ? 'would prune' : 'pruned';
  printResult(`${verb} points${timesText(options)}${whereText(options)}: ${prunedText(pruned)}`);
}

function timesText({ afterTimestamp, beforeTimestamp }: PruneOptions): string {
  const text = (word: string, timestamp: number | undefined) =>
    timestamp === undefined ? '' : ` ${word} ${new Date(timestamp).toISOString()}`;
  const after = text('after', afterTimestamp);
  const before = text('before', beforeTimestamp);
  return after !== '' && before !== '' ? `${after} and${before}` : after + before;
}

function whereText({ pluginId, chartId }: PruneOptions): string {
  if (pluginId === undefined) return '';
  return chartId === undefined ? ` from plugin ${pluginId}` : ` from chart ${pluginId}/${chartId}`;
}

function prunedText({ chartCount, pointCount, snapshotCount }: Pruned): string {
  return [counted(chartCount, 'chart'), counted(pointCount, 'point'), ...pastCounts(snapshotCount, 0)].join(
    ', ',
  );
}
