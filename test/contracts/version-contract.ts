/**
 * The contract for a store whose version changes while programs use it: they answer 503, or exit with 1, and
 * say why.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Store } from '../../src/model/store.ts';
import { storeVersion } from '../../src/store/store-version.ts';
import { makeCollectingStore, sendReport, startCollecting } from '../collect/collecting.ts';
import { startServing } from '../serve/support/serving.ts';
import { archiveText, softwareLine } from '../support/archive-text.ts';
import { endOf, startProgram } from '../support/run-program.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The version that the next program would write. */
export const nextVersion = storeVersion + 1;

/** A transaction that holds the writers' lock and has written the next version. */
interface Upgrade {
  readonly commit: () => Promise<void>;
  /** Restores the version after the commit, and ends the transaction. */
  readonly undo: () => Promise<void>;
}

const reason = `has version ${nextVersion}, written by a newer plugin-metrics; this one knows version ${storeVersion}`;

/** Declares the tests. */
export function versionContract(
  name: string,
  makeStore: () => Promise<Store>,
  beginUpgrade: (store: Store) => Promise<Upgrade>,
): void {
  describe(`${name}: a store that gets another version`, () => {
    test('is answered with 503 by servers and collectors, also what is cached, and they go on when it has its own again', async () => {
      const store = await makeStore();
      await makeCollectingStore(store.givenName);
      await using server = await startServing(['--store', store.givenName, '--admin-port', '0']);
      await using collector = await startCollecting(store.givenName);
      const statusOf = async (path: string, url = server.url) => (await fetch(url + path)).status;
      const paths = ['/api/v1/plugins', '/api/v1/plugins/2', '/embed/2.svg', '/'];
      for (const path of paths) assert.equal(await statusOf(path), 200, path);
      assert.equal(await sendReport(collector.url, 'a'), 202);
      const upgrade = await beginUpgrade(store);
      await upgrade.commit();
      await waitUntil(async () => (await statusOf('/api/v1/plugins')) === 503);
      for (const path of [...paths, '/api/v2/software']) assert.equal(await statusOf(path), 503, path);
      assert.equal(await statusOf('/ready', server.adminUrl), 503);
      await waitUntil(async () => (await sendReport(collector.url, 'b')) === 503);
      for (const { said } of [server, collector]) await said(new RegExp(reason));
      await upgrade.undo();
      await waitUntil(async () => (await statusOf('/api/v1/plugins')) === 200);
      await waitUntil(async () => (await sendReport(collector.url, 'c')) === 202);
    });

    test('is not written by an import that waited for it', async () => {
      const store = await makeStore();
      await makeCollectingStore(store.givenName);
      const upgrade = await beginUpgrade(store);
      const waiting = startProgram(['import', '--store', store.givenName, '-']);
      const ended = endOf(waiting);
      waiting.stdin.end(archiveText([softwareLine({ id: 3, url: 'late' })]));
      let said = '';
      waiting.stderr.on('data', (text) => {
        said += text;
      });
      await waitUntil(() => said !== '');
      await upgrade.commit();
      const { code, stderr } = await ended;
      assert.equal(code, 1);
      assert.match(
        stderr,
        new RegExp(`^waiting for another import\nerror: the store \\S+ has version ${nextVersion}`),
      );
      await upgrade.undo();
    });
  });
}
