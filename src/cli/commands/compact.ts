/** `compact`: space that a store no longer needs, given back to the system. */
import { printResult } from '../output.ts';
import { sizeText, startStatus } from '../progress.ts';
import type { Store } from '../store-name.ts';

/** Compacts and prints the sizes before and after; a dry run, what is not in use. */
export async function compact(store: Store, { isDryRun }: { readonly isDryRun: boolean }): Promise<void> {
  if (isDryRun) {
    const { sizeBytes, unusedBytes } = await store.measure();
    printResult(
      `would compact ${store.name}: ${sizeText(unusedBytes)} of ${sizeText(sizeBytes)} are not in use`,
    );
    return;
  }
  using status = startStatus(() => `compacting ${store.name}`);
  status.draw();
  const { beforeBytes, afterBytes, isBlocked } = await store.compact();
  const rest = isBlocked
    ? '; a reader of an older state, such as an export, holds the rest: compact again later'
    : '';
  printResult(`compacted ${store.name} from ${sizeText(beforeBytes)} to ${sizeText(afterBytes)}${rest}`);
}
