/** Upgrades of stores that 0.3.0 made on a PostgreSQL server. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { endClient, openClient } from '../../src/store/postgres/postgres-client.ts';
import { parsePostgresName } from '../../src/store/postgres/postgres-settings.ts';
import { storeVersion } from '../../src/store/store-version.ts';
import { exportFrom } from '../contracts/store-contract.ts';
import { upgradeContract } from '../contracts/upgrade-contract.ts';
import { durationOf, killAfter } from '../support/killed-program.ts';
import { olderSql, olderText, olderVersion } from '../support/older-stores.ts';
import { runProgram } from '../support/run-program.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { TestServer } from './test-server.ts';

/** The number of kills; more of them find rare faults. */
const killCount = Number(process.env['PLUGIN_METRICS_TEST_MOMENTS'] ?? 6);

/** Declares the tests; they share one server. */
export function serverUpgradeTests({ emptyDatabase, run }: TestServer): void {
  const makeOlder = async () => {
    const uri = await emptyDatabase();
    await run(uri, olderSql);
    return uri;
  };
  const versionOf = async (uri: string) => {
    const [row] = await run(uri, 'select max(version) as version from plugin_metrics.migration');
    return Number(row?.['version']);
  };

  upgradeContract('PostgreSQL', async () => {
    const uri = await makeOlder();
    const inStore = async (sql: string) => {
      await run(uri, `set session_replication_role = replica; set search_path to plugin_metrics; ${sql}`);
    };
    return {
      store: parseStoreName(uri),
      run: inStore,
      setVersion: (version) => inStore(`update migration set version = ${version}`),
      version: () => versionOf(uri),
      chunks: () =>
        run(uri, 'select chart_uid, first_timestamp, bytes::text from plugin_metrics.chunk order by 1, 2'),
      async hold() {
        const client = await openClient(parsePostgresName(uri, {}), { queryTimeoutMs: 5000 });
        return { [Symbol.asyncDispose]: () => endClient(client) };
      },
    };
  });

  describe('PostgreSQL: an upgrade', () => {
    test('killed at any moment leaves the store as it was, or complete', async (t) => {
      const argvOf = (uri: string) => ['upgrade', '--store', uri];
      const durationMs = await durationOf(argvOf(await makeOlder()));
      let killedCount = 0;
      for (let kill = 0; kill < killCount; kill++) {
        const uri = await makeOlder();
        const store = parseStoreName(uri);
        if (await killAfter(argvOf(uri), (durationMs * kill) / killCount)) killedCount++;
        const others = () =>
          run(
            uri,
            "select 1 from pg_stat_activity where datname = current_database() and application_name = 'plugin-metrics'",
          );
        await waitUntil(async () => (await others()).length === 0);
        assert.ok([olderVersion, storeVersion].includes(await versionOf(uri)));
        const { code, stderr } = await runProgram(argvOf(uri));
        assert.deepEqual([code, stderr], [0, '']);
        assert.equal(await versionOf(uri), storeVersion);
        assert.equal(await exportFrom(store), olderText);
        assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
      }
      t.diagnostic(`${killedCount} of ${killCount} were killed within ${durationMs.toFixed(0)} ms`);
    });

    test('has the same tables as a new store', async () => {
      const tablesOf = (uri: string) =>
        run(
          uri,
          `select table_name, column_name, ordinal_position, data_type, is_nullable, collation_name from information_schema.columns
          where table_schema = 'plugin_metrics' order by 1, 3`,
        );
      const indexesOf = (uri: string) =>
        run(uri, "select indexdef from pg_indexes where schemaname = 'plugin_metrics' order by 1");
      const older = await makeOlder();
      await parseStoreName(older).upgrade({ makesBackup: true, onProgress: () => {} });
      const fresh = await emptyDatabase();
      await (await parseStoreName(fresh).openWriter()).commit();
      assert.deepEqual(await tablesOf(older), await tablesOf(fresh));
      assert.deepEqual(await indexesOf(older), await indexesOf(fresh));
    });
  });
}
