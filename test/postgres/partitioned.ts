/**
 * The store on a server whose large tables are partitioned by hash, as docs/scaling.md describes: its
 * contract, and an import of a million points compared with an import into plain tables.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { allTables } from '../../src/store/tables.ts';
import { archiveMirrorContract } from '../contracts/archive-mirror-contract.ts';
import { collectContract } from '../contracts/collect-contract.ts';
import { damageContract } from '../contracts/damage-contract.ts';
import { historyContract } from '../contracts/history-contract.ts';
import { keepingContract } from '../contracts/keeping-contract.ts';
import { mirrorContract } from '../contracts/mirror-contract.ts';
import { exportFrom, importInto, storeContract } from '../contracts/store-contract.ts';
import { streamContract } from '../contracts/stream-contract.ts';
import { readDocument } from '../doc-tables.ts';
import { codeBlocks, sectionOf } from '../markdown.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { sameAsSqlite } from './same-as-sqlite.ts';
import { sameSite } from './same-site.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const name = 'PostgreSQL in partitions';
const section = sectionOf(readDocument('docs/scaling.md'), 'Where one PostgreSQL ends');
const partitionSql = codeBlocks(section).find(({ language }) => language === 'sql')?.text ?? '';
const splitTables = allTables
  .filter(({ key }) => key[0] === 'chartUid')
  .map(({ name: table }) => table)
  .sort();
const chartIds = Array.from({ length: 1000 }, (_, index) => `line${1000 + index}`);

const plain = await startTestServer();
after(() => plain[Symbol.asyncDispose]());
const server: TestServer = { ...plain, emptyDatabase };
const makeStore = async () => parseStoreName(await emptyDatabase());

storeContract(name, makeStore);
keepingContract(name, makeStore);
historyContract(name, makeStore);
streamContract(name, makeStore);
damageContract(name, makeStore, async (store, sql) => {
  await server.run(store.givenName, `set search_path to plugin_metrics; ${sql}`);
});
mirrorContract(name, makeStore);
archiveMirrorContract(name, makeStore, 3);
collectContract(name, makeStore);
sameAsSqlite(server);
sameSite(server);

test('a store that is partitioned when it is full holds the same, and a second time changes nothing', async () => {
  const uri = await plainDatabase();
  const store = parseStoreName(uri);
  await importInto(store, pointsText(0, 1000));
  const text = await exportFrom(store);
  for (let turn = 0; turn < 2; turn++) {
    await server.run(uri, partitionSql);
    assert.deepEqual(
      await partitionCounts(uri),
      splitTables.map((name) => ({ name, count: 8 })),
    );
    assert.equal(await exportFrom(store), text);
  }
  assert.deepEqual(await Array.fromAsync(store.check(recordChecker())), []);
});

test('stats counts the bytes of all partitions, and compact goes through all of them', async () => {
  const uri = await emptyDatabase();
  const store = parseStoreName(uri);
  await importInto(store, pointsText(0, 1000));
  const [{ bytes } = {}] = await server.run(
    uri,
    `select sum(pg_total_relation_size(relid))::integer as bytes from pg_partition_tree('plugin_metrics.chunk')`,
  );
  const { sizeBytes } = await store.loadStats();
  assert.ok(Number(bytes) > 1_000_000 && sizeBytes > Number(bytes), `${sizeBytes} bytes, of which ${bytes}`);
  await store.compact();
  const partitions = await server.run(
    uri,
    `select reltuples::integer as known, (select count(*) from plugin_metrics.chunk where tableoid = pg_class.oid)::integer as rows
    from pg_class where oid in (select relid from pg_partition_tree('plugin_metrics.chunk') where isleaf)`,
  );
  assert.equal(partitions.length, 8);
  for (const { known, rows } of partitions) {
    assert.ok(Number(rows) > 0);
    assert.equal(known, rows);
  }
});

/** Lists the partitioned tables of a store. */
function partitionCounts(uri: string): Promise<Record<string, unknown>[]> {
  return server.run(
    uri,
    `select relname::text as name, (select count(*) from pg_inherits where inhparent = pg_class.oid)::integer as count
    from pg_class where relnamespace = 'plugin_metrics'::regnamespace and relkind = 'p' order by relname`,
  );
}

/** Makes an archive of a thousand lines, each with this number of points. */
function pointsText(firstSlot: number, pointCount: number): string {
  const pointsOf = (line: number) =>
    Array.from({ length: pointCount }, (_, index) => {
      const slot = firstSlot + index;
      return [slot * 1_800_000, (slot * line) % 997];
    });
  return archiveText([
    softwareLine(),
    pluginLine(),
    ...chartIds.map((chartId, index) => chartLine({ chartId, uid: 1 + index })),
    ...chartIds.map((chartId, index) => dataLine(chartId, JSON.stringify(pointsOf(index)))),
  ]);
}

/** Makes an empty database in which a new store is plain. */
async function plainDatabase(): Promise<string> {
  const uri = await plain.emptyDatabase();
  await server.run(uri, 'drop event trigger if exists partition_store');
  return uri;
}

/**
 * Makes an empty database in which a new store becomes partitioned when the program has created its last
 * table, `migration`.
 */
async function emptyDatabase(): Promise<string> {
  const uri = await plain.emptyDatabase();
  await server.run(
    uri,
    `create or replace function partition_store() returns event_trigger language plpgsql as $f$
    begin
      if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'plugin_metrics.migration') then
        execute $q$${partitionSql}$q$;
      end if;
    end $f$;
    drop event trigger if exists partition_store;
    create event trigger partition_store on ddl_command_end when tag in ('CREATE TABLE')
      execute function partition_store()`,
  );
  return uri;
}
