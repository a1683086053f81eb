/** The contract of stores for removing entries of the catalogue without data: events and software. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import type { MetricsRemover } from '../../src/model/metrics-remover.ts';
import type { Store } from '../../src/model/store.ts';
import { chartLine, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { waitUntil } from '../support/wait-until.ts';
import { exportFrom, importInto } from './store-contract.ts';

const event = (time: number, title: string) =>
  JSON.stringify({ record: 'event', pluginId: 7, time, title, url: null });
const base = [softwareLine(), pluginLine(), chartLine()];

/** Defines the tests. `makeStore` names an empty store. */
export function catalogueContract(name: string, makeStore: () => Promise<Store>): void {
  const storeWith = async (...lines: readonly string[]) => {
    const store = await makeStore();
    await importInto(store, pastText(lines));
    return store;
  };
  const remove = async (store: Store, work: (remover: MetricsRemover) => Promise<unknown>) => {
    await using remover = await store.openRemover();
    const result = await work(remover);
    await remover.commit();
    assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
    return result;
  };
  const refuses = async (store: Store, code: string, work: (remover: MetricsRemover) => Promise<unknown>) => {
    const before = await exportFrom(store);
    await assert.rejects(remove(store, work), { code });
    assert.equal(await exportFrom(store), before);
  };

  describe(`${name}: events and software`, () => {
    test('an event is removed by its time, and by its title where there are several', async () => {
      const store = await storeWith(...base, event(1000, '1.0'), event(1000, '2.0'), event(2000, '3.0'));
      await using reader = await store.openReader();
      const generation = reader.generation('catalogue');
      assert.equal(await remove(store, (one) => one.removeEvent(7, { time: 2000 })), '3.0');
      assert.equal(await remove(store, (one) => one.removeEvent(7, { time: 1000, title: '2.0' })), '2.0');
      // A reader of a server notices a write within half a second.
      await waitUntil(
        () => reader.generation('catalogue') !== generation,
        () => 'the generation of the catalogue stays',
      );
      const left = await exportFrom(await storeWith(...base, event(1000, '1.0')));
      assert.equal(await exportFrom(store), left);
    });

    test('an event that is not there, or one of several, is refused', async () => {
      const store = await storeWith(...base, event(1000, '1.0'), event(1000, '2.0'));
      await refuses(store, 'not_found', (one) => one.removeEvent(8, { time: 1000 }));
      await refuses(store, 'not_found', (one) => one.removeEvent(7, { time: 999 }));
      await refuses(store, 'not_found', (one) => one.removeEvent(7, { time: 1000, title: '3.0' }));
      await refuses(store, 'conflict', (one) => one.removeEvent(7, { time: 1000 }));
    });

    test('a software is removed once it has no plugins', async () => {
      const store = await storeWith(...base, softwareLine({ id: 2, name: 'Two', url: 'two' }));
      await refuses(store, 'conflict', (one) => one.removeSoftware('bukkit'));
      await refuses(store, 'not_found', (one) => one.removeSoftware('three'));
      await remove(store, (one) => one.removeSoftware('two'));
      assert.equal(await exportFrom(store), await exportFrom(await storeWith(...base)));
      await remove(store, (one) => one.removePlugin(7));
      await remove(store, (one) => one.removeSoftware('bukkit'));
      const software = (await exportFrom(store)).split('\n').filter((line) => line.includes('"software"'));
      assert.deepEqual(software, []);
    });
  });
}
