/** `upgrade`: upgrades a store of an older release to the version of this program. */
import { command } from '../command.ts';
import { printResult, secondsText, startCalledStatus } from '../output.ts';
import { flagSetting, storeSetting } from '../settings.ts';
import { stopOnSignals } from '../stopping.ts';

export const upgrade = command({
  summary: 'upgrade a store of an older release in place; copies a SQLite store to STORE.vN first',
  settings: {
    store: storeSetting,
    noBackup: flagSetting('make no copy of the store before the upgrade'),
  },
  async run({ store, noBackup }) {
    const startedAt = performance.now();
    using status = startCalledStatus(`upgrading ${store.name}`);
    using _ = stopOnSignals('the store is as it was');
    const { from, to, backup } = await store.upgrade({
      makesBackup: !noBackup,
      onProgress: status.onProgress,
    });
    if (from === to) {
      printResult(`${store.name} has version ${to} already: there is nothing to do`);
      return;
    }
    const kept = backup === undefined ? '' : `; ${backup} is the store as it was`;
    const took = secondsText(performance.now() - startedAt);
    printResult(`upgraded ${store.name} from version ${from} to version ${to} in ${took}${kept}`);
  },
});
