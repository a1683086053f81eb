/**
 * The contract of stores for responses of more than 16 MiB: each reads one state to its end, on a connection
 * of its own.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Store } from '../../src/model/store.ts';
import { askSlowly, largeArchive, largeArchivePath, largeCsvPath } from '../http/support/large-plugin.ts';
import { serveReader } from '../http/support/test-server.ts';
import { get, getText } from '../http/support/validated-client.ts';
import { importInto } from './store-contract.ts';

/** Declares the tests for one kind of store. `makeStore` names a new store. */
export function streamContract(name: string, makeStore: () => Promise<Store>): void {
  describe(`large responses of ${name}`, () => {
    test('are of one state, however slowly they are read, and keep nobody from importing', async () => {
      const store = await makeStore();
      const [before, after] = [largeArchive(), largeArchive({ value: 2, title: 'Other' })];
      await importInto(store, before);
      await using server = await serveReader(await store.openReader());
      using slow = await askSlowly(server.url, largeArchivePath);
      await importInto(store, after);
      assert.equal(await getText(server.url, largeArchivePath), after);
      assert.equal((await slow.rest()).toString() === before, true);
    });

    test('that nobody reads leave all others to be answered', async () => {
      const store = await makeStore();
      await importInto(store, largeArchive());
      await using server = await serveReader(await store.openReader(), { trustedProxies: ['127.0.0.1/32'] });
      using open = new DisposableStack();
      for (const client of [1, 2, 3, 4])
        for (const path of [largeArchivePath, largeCsvPath]) {
          const from = { 'X-Forwarded-For': `198.51.100.${client}` };
          assert.equal(open.use(await askSlowly(server.url, path, from)).status, 200);
        }
      // Each of these requests needs a state too.
      const others = Array.from({ length: 12 }, (_, index) => `/api/v2/plugins/${8 + index}/archive`);
      const answers = await Promise.all(others.map((path) => get(server.url, path)));
      for (const { status } of answers) assert.equal(status, 404);
      assert.match(await getText(server.url, '/api/v1/plugins'), /ExamplePlugin/);
    });
  });
}
