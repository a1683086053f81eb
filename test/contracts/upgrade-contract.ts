/**
 * The contract of stores for upgrades: a store of an older release becomes one of this program, or stays as
 * it was.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { closeSlot } from '../../src/collect/close-slot.ts';
import type { Store } from '../../src/model/store.ts';
import { releasedVersions, storeVersion } from '../../src/store/store-version.ts';
import { linesIn, pastText, windowLine, windowsText } from '../support/archive-text.ts';
import { assertDocumented } from '../support/documented-messages.ts';
import { allParts } from '../support/logged-report.ts';
import { olderText, olderVersion, openSlot } from '../support/older-stores.ts';
import { withReads } from '../support/reads.ts';
import { runProgram } from '../support/run-program.ts';
import { exportFrom, importInto } from './store-contract.ts';

const hourMs = 3_600_000;

/** A store of 0.3.0, and operations that depend on its engine. */
interface Older {
  readonly store: Store;
  /** Runs statements on the store. */
  readonly run: (sql: string) => Promise<void>;
  /** Sets the version of the store. */
  readonly setVersion: (version: number) => Promise<void>;
  /** Gets the version of the store. */
  readonly version: () => Promise<number>;
  /** Lists the first bytes of the stored chunks. */
  readonly chunks: () => Promise<readonly unknown[]>;
  /** Opens the store as another program does. */
  readonly hold: () => Promise<AsyncDisposable>;
}

/** Declares the tests. */
export function upgradeContract(name: string, makeOlder: () => Promise<Older>): void {
  const upgrade = (store: Store) => store.upgrade({ makesBackup: false, onProgress: () => {} });
  const faultsOf = (store: Store) => Array.fromAsync(store.check(recordChecker()));
  const upgraded = async () => {
    const older = await makeOlder();
    await upgrade(older.store);
    return older;
  };

  describe(`${name}: upgrades`, () => {
    test('a store of 0.3.0 has everything that it had, chunk by chunk, and no faults', async () => {
      const { store, chunks, version } = await makeOlder();
      assert.equal(await version(), olderVersion);
      const before = await chunks();
      assert.ok(before.length > 5, String(before.length));
      assert.deepEqual(await upgrade(store), { from: olderVersion, to: storeVersion });
      assert.deepEqual(await faultsOf(store), []);
      assert.equal(await exportFrom(store), olderText);
      assert.deepEqual(await chunks(), before);
      assert.equal(await version(), storeVersion);
    });

    test('it is written, pruned and read like any other', async () => {
      const [{ store }, fresh] = [await upgraded(), await upgraded()];
      const more = pastText([
        '{"record":"data","pluginId":7,"chartId":"players","data":[[1,5],[3960000000,7]]}',
        '{"record":"history","pluginId":7,"chartId":"versions","times":[5,3960000000],"series":[{"name":"2.0","values":[1,0.3]}]}',
      ]);
      await importInto(store, more);
      await importInto(fresh.store, windowsText(linesIn(olderText)));
      await importInto(fresh.store, more);
      assert.equal(await exportFrom(store), await exportFrom(fresh.store));
      {
        await using remover = await store.openRemover();
        await remover.prune({ from: 3_960_000_000, pluginId: 7, chartId: 'players' });
        await remover.commit();
      }
      assert.ok((await exportFrom(store)).includes(windowLine([3_960_000_000, 3_960_000_001])));
      assert.deepEqual(await faultsOf(store), []);
      await using reader = await store.openReader();
      const facts = await reader.read((view) => view.loadShareFacts(72));
      assert.deepEqual(facts?.colours, ['1.0', '2.0']);
    });

    test('reports of the open slot are kept, and are closed', async () => {
      const { store } = await upgraded();
      const slot = { start: openSlot, covered: allParts };
      await closeSlot(slot, { store, slotMs: hourMs / 2, historyMs: hourMs });
      const text = await exportFrom(store);
      assert.ok(text.includes(`[1800000,2.5],[${openSlot},4]]`));
      assert.ok(text.includes(`"data":[{"name":"2.0","y":1}],"at":${openSlot}}`));
      assert.deepEqual(await faultsOf(store), []);
    });

    test('a second one does nothing', async () => {
      const { store } = await upgraded();
      const run = () => runProgram(['upgrade', '--store', store.givenName]);
      const { code, stdout } = await run();
      assert.deepEqual(
        [code, stdout],
        [0, `${store.name} has version ${storeVersion} already: there is nothing to do\n`],
      );
      assert.equal(await exportFrom(store), olderText);
    });

    test('every other command refuses the store, and names the command', async () => {
      const { store, version } = await makeOlder();
      const message = `the store ${store.name} has version ${olderVersion}, of an older plugin-metrics: "plugin-metrics upgrade" brings it to version ${storeVersion}, once no other program has it open`;
      assertDocumented(message);
      for (const work of [
        store.openReader,
        store.openWriter,
        store.openRemover,
        store.loadStats,
        () => store.loadRemovals(7),
        store.compact,
        store.measure,
        () => faultsOf(store),
      ])
        await assert.rejects(async () => work(), { code: 'invalid', message }, String(work));
      for (const command of ['serve --port 0', 'collect --port 0', 'check', 'import -']) {
        const { code, stderr } = await runProgram([...command.split(' '), '--store', store.givenName]);
        assert.deepEqual(
          [code, stderr.replaceAll('\\"', '"').includes(message)],
          [1, true],
          `${command}: ${stderr}`,
        );
      }
      assert.equal(await version(), olderVersion);
    });

    test('a store of a commit between two releases, and of an older or newer release, is refused', async () => {
      const { store, setVersion, version } = await makeOlder();
      const others = Array.from({ length: storeVersion - 1 }, (_, index) => index + 1);
      const released: readonly number[] = releasedVersions;
      for (const other of [...others.filter((one) => !released.includes(one)), storeVersion + 1]) {
        await setVersion(other);
        await assert.rejects(upgrade(store), {
          code: 'invalid',
          message: new RegExp(`has version ${other}, `),
        });
        assert.equal(await version(), other);
      }
      await setVersion(olderVersion);
      await upgrade(store);
      assert.equal(await exportFrom(store), olderText);
    });

    test('a store that another program has open is refused, until that ends', async () => {
      const { store, hold, version } = await makeOlder();
      {
        await using _ = await hold();
        await assert.rejects(upgrade(store), (error: Error) => {
          assertDocumented(error.message);
          return error.message.includes('stop what serves it, collects into it or writes it');
        });
        assert.equal(await version(), olderVersion);
      }
      await upgrade(store);
      assert.equal(await exportFrom(store), olderText);
    });

    test('a damaged row stays one, and is named afterwards', async () => {
      const { store, run } = await makeOlder();
      await run(`update plugin set name = 'Other' where id = 8`);
      await run(
        `update chunk set bytes = (select bytes from chunk as other where other.chart_uid = 80) where chart_uid = 72`,
      );
      await run(`update removal set before_timestamp = 5 where plugin_id = 9`);
      await upgrade(store);
      const faults = (await faultsOf(store)).join('\n');
      for (const fault of [
        /plugin 8: its checksum is wrong/,
        /plugin 7, chart versions/,
        /the removal of plugin 9/,
      ])
        assert.match(faults, fault);
    });

    test('a plugin whose servers are damaged is listed without its days', async () => {
      const { store, run } = await makeOlder();
      await run(
        'update chunk set bytes = (select bytes from chunk as other where other.chart_uid = 70 and other.first_timestamp = 0) where chart_uid = 80',
      );
      await upgrade(store);
      assert.match((await faultsOf(store)).join('\n'), /plugin 8, chart servers/);
      await using reader = withReads(await store.openReader());
      const request = { text: '', find: 'part', sort: '28d', descending: true, limit: 9 } as const;
      const { plugins } = await reader.findPlugins(request);
      assert.deepEqual(
        plugins.map(({ id, days, changes }) => [id, days, changes]),
        [7, 8].map((id) => [id, [], { '7d': null, '28d': null }]),
      );
    });

    test('one that fails leaves the store as it was', async () => {
      const { store, run, version } = await makeOlder();
      await run('create table removed_window (x integer)');
      await assert.rejects(upgrade(store), { code: 'unavailable', message: /already exists/ });
      assert.equal(await version(), olderVersion);
      await run('drop table removed_window');
      await upgrade(store);
      assert.equal(await exportFrom(store), olderText);
    });
  });
}
