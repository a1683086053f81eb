/** The store on a server: its contract, and faults that only a server has. All tests share one server. */
import { after } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { archiveMirrorContract } from '../archive-mirror-contract.ts';
import { collectContract } from '../collect-contract.ts';
import { damageContract } from '../damage-contract.ts';
import { historyContract } from '../history-contract.ts';
import { keepingContract } from '../keeping-contract.ts';
import { mirrorContract } from '../mirror-contract.ts';
import { reportContract } from '../report-contract.ts';
import { storeContract } from '../store-contract.ts';
import { sumsContract } from '../sums-contract.ts';
import { serverKeepingTests } from './keeping-tests.ts';
import { makeReports, serverReportTests } from './report-tests.ts';
import { sameAsSqlite } from './same-as-sqlite.ts';
import { sameSite } from './same-site.ts';
import { serverTests } from './server-tests.ts';
import { startTestServer } from './test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());
const makeStore = async () => parseStoreName(await server.emptyDatabase());
storeContract('PostgreSQL', makeStore);
keepingContract('PostgreSQL', makeStore);
historyContract('PostgreSQL', makeStore);
sumsContract('PostgreSQL', makeStore);
damageContract('PostgreSQL', makeStore, async (store, sql) => {
  await server.run(store.givenName, `set search_path to plugin_metrics; ${sql}`);
});
mirrorContract('PostgreSQL', makeStore);
archiveMirrorContract('PostgreSQL', makeStore, 3);
collectContract('PostgreSQL', makeStore);
reportContract('PostgreSQL', () => makeReports(server));
serverReportTests(server);
serverTests(server);
serverKeepingTests(server);
sameAsSqlite(server);
sameSite(server);
