/** `compact`: gives unused space of a store back to the system. */
import type { Compacted } from '../../model/store.ts';
import { command } from '../command.ts';
import { printResult, sizeText, startStatus } from '../output.ts';
import { changeSettings } from '../settings.ts';

export const compact = command({
  summary: 'give space that the store no longer needs back to the system',
  settings: changeSettings,
  async run({ store, dryRun }) {
    if (dryRun) {
      const { sizeBytes, unusedBytes } = await store.measure();
      printResult(
        `would compact ${store.name}: ${sizeText(unusedBytes)} of ${sizeText(sizeBytes)} are not in use`,
      );
      return;
    }
    using status = startStatus(() => `compacting ${store.name}`);
    status.draw();
    printResult(`compacted ${store.name}${changeText(await store.compact())}`);
  },
});

function changeText({ beforeBytes, afterBytes, isBlocked }: Compacted): string {
  const isGrown = afterBytes > beforeBytes;
  const change = `${isGrown ? ', which grew' : ''} from ${sizeText(beforeBytes)} to ${sizeText(afterBytes)}`;
  if (isBlocked)
    return `${change}; a reader of an older state, such as an export, holds the rest: compact again later`;
  return isGrown ? `${change}: there was nothing to give back` : change;
}
