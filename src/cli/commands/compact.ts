/** `compact`: gives unused space of a store back to the system. */
import type { Compacted, Store } from '../../model/store.ts';
import { printResult } from '../output.ts';
import { startStatus } from '../progress.ts';
import { sizeText } from '../words.ts';

/** Compacts and prints the sizes before and after; a dry run prints the unused size. */
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
  printResult(`compacted ${store.name}${changeText(await store.compact())}`);
}

function changeText({ beforeBytes, afterBytes, isBlocked }: Compacted): string {
  const change = `from ${sizeText(beforeBytes)} to ${sizeText(afterBytes)}`;
  const isGrown = afterBytes > beforeBytes;
  if (!isBlocked) return isGrown ? `, which grew ${change}: there was nothing to give back` : ` ${change}`;
  const rest = 'a reader of an older state, such as an export, holds the rest: compact again later';
  return `${isGrown ? ', which grew' : ''} ${change}; ${rest}`;
}
