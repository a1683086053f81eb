/** `compact`: space that a store no longer needs, given back to the system. */
import { printResult } from '../output.ts';
import { sizeText } from '../progress.ts';
import type { Store } from '../store-name.ts';

/** Compacts and prints the sizes before and after. */
export async function compact(store: Store, options: { readonly isDryRun: boolean }): Promise<void> {
  const { beforeBytes, afterBytes, isBlocked } = await store.compact(options);
  const sizes = `${sizeText(beforeBytes)} to ${sizeText(afterBytes)}`;
  if (options.isDryRun) printResult(`would compact ${store.name} from ${sizes} or less`);
  else {
    const rest = isBlocked ? '; a reader holds the rest, which goes with the next import or compact' : '';
    printResult(`compacted ${store.name} from ${sizes}${rest}`);
  }
}
