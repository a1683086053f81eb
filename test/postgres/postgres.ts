// Stores on a PostgreSQL server: the contract, and faults that only a server can have. All tests share one
// server.
import { after } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import type { Store } from '../../src/model/store.ts';
import { endClient, openClient, runStatement } from '../../src/store/postgres/postgres-client.ts';
import { parsePostgresName } from '../../src/store/postgres/postgres-settings.ts';
import { archiveMirrorContract } from '../contracts/archive-mirror-contract.ts';
import { catalogueContract } from '../contracts/catalogue-contract.ts';
import { collectContract } from '../contracts/collect-contract.ts';
import { damageContract } from '../contracts/damage-contract.ts';
import { damagedWritesContract } from '../contracts/damaged-writes.ts';
import { historyContract } from '../contracts/history-contract.ts';
import { insightsContract } from '../contracts/insights-contract.ts';
import { keepingContract } from '../contracts/keeping-contract.ts';
import { listsContract } from '../contracts/lists-contract.ts';
import { makingContract } from '../contracts/making-contract.ts';
import { mirrorContract } from '../contracts/mirror-contract.ts';
import { reportContract } from '../contracts/report-contract.ts';
import { shareFactsContract } from '../contracts/share-facts-contract.ts';
import { storeContract } from '../contracts/store-contract.ts';
import { streamContract } from '../contracts/stream-contract.ts';
import { nextVersion, versionContract } from '../contracts/version-contract.ts';
import { windowsContract } from '../contracts/windows-contract.ts';
import { serverCollectorTests } from './collector-tests.ts';
import { serverDriverTests } from './driver-tests.ts';
import { serverKeepingTests } from './keeping-tests.ts';
import { listPlans } from './list-plans.ts';
import { sameAsSqlite } from './same-as-sqlite.ts';
import { sameSite } from './same-site.ts';
import { serverTests } from './server-tests.ts';
import { startTestServer } from './test-server.ts';
import { serverUpgradeTests } from './upgrade-tests.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());
const makeStore = async () => parseStoreName(await server.emptyDatabase());
storeContract('PostgreSQL', makeStore);
keepingContract('PostgreSQL', makeStore);
windowsContract('PostgreSQL', makeStore);
historyContract('PostgreSQL', makeStore);
listsContract('PostgreSQL', makeStore);
shareFactsContract('PostgreSQL', makeStore);
insightsContract('PostgreSQL', makeStore);
catalogueContract('PostgreSQL', makeStore);
streamContract('PostgreSQL', makeStore);
const runSql = async ({ givenName }: Store, sql: string) => {
  // A replica does not check foreign keys.
  await server.run(
    givenName,
    `set session_replication_role = replica; set search_path to plugin_metrics; ${sql}`,
  );
};
damageContract('PostgreSQL', makeStore, runSql);
damagedWritesContract('PostgreSQL', { makeStore, runSql });
makingContract('PostgreSQL', makeStore, async ({ givenName }) => {
  // Locks are listed for all databases of the server.
  const granted = await server.run(
    givenName,
    `select 1 from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and granted`,
  );
  return granted.length > 0;
});
versionContract('PostgreSQL', makeStore, async ({ givenName }) => {
  const client = await openClient(parsePostgresName(givenName, {}), { queryTimeoutMs: 5000 });
  const run = async (sql: string) => void (await runStatement(client, sql));
  await run(
    `begin; set search_path to plugin_metrics; update generation set id = 1; insert into migration values (${nextVersion})`,
  );
  return {
    commit: () => run('commit'),
    async undo() {
      await run(`delete from migration where version = ${nextVersion}`);
      await endClient(client);
    },
  };
});
mirrorContract('PostgreSQL', makeStore);
archiveMirrorContract('PostgreSQL', makeStore, 3);
collectContract('PostgreSQL', makeStore);
reportContract('PostgreSQL', async () => {
  const store = await makeStore();
  await (await store.openWriter()).commit();
  return () => store.openReports();
});
serverDriverTests(server);
serverCollectorTests(server);
serverTests(server);
listPlans(server);
serverKeepingTests(server);
serverUpgradeTests(server);
sameAsSqlite(server);
sameSite(server);
