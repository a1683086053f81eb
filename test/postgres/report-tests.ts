/** Reports of open slots on a server that ends connections. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import type { OpenReports } from '../report-contract.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { TestServer } from './test-server.ts';

const start = 1_782_864_000_000;

/** Makes a store and returns a function that opens its reports. */
export async function makeReports(server: TestServer): Promise<OpenReports> {
  const store = parseStoreName(await server.emptyDatabase());
  await (await store.openWriter()).commit();
  return () => store.openReports();
}

/** Declares the tests. */
export function serverReportTests(server: TestServer): void {
  describe('PostgreSQL: reports of open slots', () => {
    test('go on over a new connection when the server has ended one', async () => {
      const uri = await server.emptyDatabase();
      await (await parseStoreName(uri).openWriter()).commit();
      await using reports = await parseStoreName(uri).openReports();
      await reports.openSlot(start);
      await reports.append(start, 'one\n');
      const end =
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
      await server.run(uri, end);
      const append = () => reports.append(start, 'two\n');
      await waitUntil(() => Promise.all([append(), reports.cover(start, 1)]).then(Boolean, () => false));
      const text = (await Array.fromAsync(reports.readLog(start))).join('');
      assert.match(text, /^one\n(two\n)+$/);
      const [row] = await server.run(
        uri,
        'select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      assert.equal(row?.['count'], 1);
    });
  });
}
