/** `compact`: gives unused space of a store back to the system. */
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
    const { beforeBytes, afterBytes, isBlocked } = await store.compact();
    const rest = isBlocked
      ? '; a reader of an older state, such as an export, holds the rest: compact again later'
      : '';
    printResult(`compacted ${store.name} from ${sizeText(beforeBytes)} to ${sizeText(afterBytes)}${rest}`);
  },
});
