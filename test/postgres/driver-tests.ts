/** The PostgreSQL driver: statements, transactions, and connections that are lost and restored. */
import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isAppError } from '../../src/model/app-error.ts';
import { endClient, isDisconnected, openClient } from '../../src/store/postgres/postgres-client.ts';
import { openPostgresConnections } from '../../src/store/postgres/postgres-connections.ts';
import { parsePostgresName } from '../../src/store/postgres/postgres-settings.ts';
import { PostgresSql } from '../../src/store/postgres/postgres-sql.ts';
import { beginPostgresRead, beginPostgresWrite } from '../../src/store/postgres/postgres-transaction.ts';
import type { Sql } from '../../src/store/sql.ts';
import { column, flag, integer, orNull, type Statement, statement, text } from '../../src/store/statement.ts';
import { tables } from '../../src/store/tables.ts';
import { anotherImport, type WantedStore } from '../../src/store/wanted-store.ts';
import { assertDocumented } from '../support/documented-messages.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { TestServer } from './test-server.ts';

const isUnavailable = (error: unknown) =>
  isAppError(error, 'unavailable') && error.kind === 'store-unavailable';

/** Runs work in a transaction and commits it. */
async function write(uri: string, work: (sql: Sql) => Promise<unknown>, wanted: WantedStore = 'any') {
  await using transaction = await beginPostgresWrite(parsePostgresName(uri, {}), wanted);
  await work(transaction.sql);
  await transaction.commit();
}

const setGeneration = (data: number) => (sql: Sql) =>
  sql.put(tables.generation, [{ id: 1, data, catalogue: 0 }]);

const oneSql = statement`select 1 as ${column('one', integer)}`;

const sleepSql = statement`select pg_sleep(60)::text as ${column('slept', text)}`;

const openReader = (uri: string) => openPostgresConnections(parsePostgresName(uri, {}));

async function ask<R>(reader: Awaited<ReturnType<typeof openReader>>, select: Statement<R>) {
  const transaction = reader.begin();
  try {
    return await transaction.sql.read(select);
  } finally {
    transaction.release();
  }
}

/** Starts a proxy to the server that can be paused: then nothing arrives, and no connection closes. */
async function startHoldableWay(port: number) {
  const sockets = new Set<Socket>();
  let isHeld = false;
  const way = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      if (isHeld) from.pause();
    }
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const address = way.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    hold: () => {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    letGo: () => {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      way.close();
    },
  };
}

/** Ends all connections to a database except the one that runs this statement. */
const endAllSql =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

/** Defines the tests. */
export function serverDriverTests(shared: TestServer): void {
  const { emptyDatabase, run } = shared;

  describe('PostgreSQL: a transaction', () => {
    test('statements of both engines are translated, and values have their types', async () => {
      await write(await emptyDatabase(), async (sql) => {
        const [row] = await sql.read(
          statement`select cast(?2 as bigint) as ${column('large', integer)}, cast(?1 as text) as ${column('text', text)},
            ?1 = 'ü?' as ${column('same', flag)}, cast(?3 as bigint) as ${column('missing', orNull(integer))},
            (select sum(cast(value->>0 as bigint)) from json_each(?4)) as ${column('sum', integer)},
            (select string_agg(value->>1, ',') from json_each(?4)) as ${column('texts', text)},
            (select count(*) from json_each(?5)) as ${column('none', integer)}`,
          'ü?',
          2 ** 53 - 1,
          null,
          '[[1,"a"],[2,"b,"]]',
          '[]',
        );
        const expected = {
          large: 2 ** 53 - 1,
          text: 'ü?',
          same: true,
          missing: null,
          sum: 3,
          texts: 'a,b,',
          none: 0,
        };
        assert.deepEqual(row, expected);
      });
    });

    test('a text that PostgreSQL cannot hold is not a bug, nor is it in a list', async () => {
      const uri = await emptyDatabase();
      for (const [wrong, value] of [
        ['select cast(?1 as text) as text', 'a\0b'],
        ['select value->>0 as text from json_each(?1)', JSON.stringify([['a\0b']])],
      ] as const)
        await assert.rejects(
          write(uri, (sql) => sql.run(wrong, value)),
          { code: 'invalid', message: /U\+0000/ },
        );
    });

    test('a statement that is wrong is a bug, and nothing is stored after it', async () => {
      const uri = await emptyDatabase();
      await assert.rejects(
        write(uri, (sql) => sql.run('selec 1')),
        /syntax error/,
      );
      await write(uri, setGeneration(1));
      await assert.rejects(
        write(uri, async (sql) => {
          await setGeneration(2)(sql);
          await assert.rejects(
            sql.run('select 1 from nowhere'),
            /is damaged: relation "nowhere" does not exist/,
          );
        }),
        /was not changed: a statement had failed/,
      );
      await using reader = await openReader(uri);
      assert.equal(reader.generation('data'), 1);
    });

    test('statements after its end reject', async () => {
      const uri = await emptyDatabase();
      const kept: Sql[] = [];
      await write(uri, async (sql) => kept.push(sql));
      {
        await using transaction = await beginPostgresRead(parsePostgresName(uri, {}));
        kept.push(transaction.sql);
      }
      await using reader = await openReader(uri);
      const transaction = reader.begin();
      transaction.release();
      kept.push(transaction.sql);
      for (const sql of kept) await assert.rejects(sql.read(oneSql), /the transaction has ended/);
    });

    test('a lock that does not come is reported as another import, with what to do', async () => {
      const uri = await emptyDatabase();
      await write(uri, setGeneration(1));
      await using first = await beginPostgresWrite(parsePostgresName(uri, {}), 'existing');
      assert.ok(first);
      const client = await openClient(parsePostgresName(uri, {}), { queryTimeoutMs: 5000 });
      const locking = new PostgresSql(client, 'at uri').run(
        'select id from plugin_metrics.generation for update nowait',
      );
      await assert.rejects(locking, (error: unknown) => {
        assert.ok(isUnavailable(error) && error instanceof AppError);
        assert.equal(error.message, `the store at uri cannot be used: ${anotherImport}`);
        assertDocumented(error.message);
        return true;
      });
      await endClient(client);
    });

    test('a store that is not as wanted is refused', async () => {
      const uri = await emptyDatabase();
      const nothing = async () => {};
      await assert.rejects(write(uri, nothing, 'existing'), { code: 'not_found' });
      await assert.rejects(openReader(uri), { code: 'not_found' });
      await write(uri, nothing, 'missing');
      await write(uri, nothing, 'existing');
      await assert.rejects(write(uri, nothing, 'missing'), { code: 'conflict' });
      await run(uri, 'drop table plugin_metrics.migration');
      await assert.rejects(write(uri, nothing, 'missing'), { code: 'conflict' });
      await assert.rejects(beginPostgresRead(parsePostgresName(uri, {})), { code: 'not_found' });
    });

    test('a connection that is lost during the commit leaves the outcome open, and says so', async () => {
      const uri = await emptyDatabase();
      await write(uri, async (sql) => {
        // The commit waits in this trigger, while its connection is cut.
        await sql.run(
          'create function pause() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return null; end $$',
        );
        await sql.run(
          'create constraint trigger pause after update on generation deferrable initially deferred for each row execute function pause()',
        );
      });
      await using transaction = await beginPostgresWrite(parsePostgresName(uri, {}), 'existing');
      await transaction.sql.run('update generation set data = 1');
      const committing = assert.rejects(transaction.commit(), /lost at the very end, so it is not known/);
      await sleep(100);
      await run(uri, endAllSql);
      await committing;
    });
  });

  describe('PostgreSQL: the connections of a reader', () => {
    test('transactions at once never share a connection, and each sees one state', async () => {
      const uri = await emptyDatabase();
      await write(uri, setGeneration(1));
      await using reader = await openReader(uri);
      const old = reader.begin();
      await old.sql.read(oneSql);
      await write(uri, setGeneration(2));
      const newer = reader.begin();
      const pidSql = statement`
        select pg_backend_pid() as ${column('pid', integer)}, ${tables.generation.pick('data')} from generation`;
      for (let turn = 0; turn < 3; turn++) {
        const [[one], [two]] = await Promise.all([old.sql.read(pidSql), newer.sql.read(pidSql)]);
        assert.notEqual(one?.pid, two?.pid);
        assert.deepEqual([one?.data, two?.data], [1, 2]);
      }
      assert.equal(reader.generation('data'), 2);
      old.release();
      newer.release();
    });

    test('more transactions than connections wait for a place, and connections are used again', async () => {
      const uri = await emptyDatabase();
      await write(uri, setGeneration(1));
      await using reader = await openReader(uri);
      await Promise.all(Array.from({ length: 200 }, () => ask(reader, oneSql)));
      const countSql = statement`
        select count(*) as ${column('connections', integer)} from pg_stat_activity
        where datname = current_database()`;
      // Those that have ended stay in the view for a moment.
      await waitUntil(async () => Number((await ask(reader, countSql))[0]?.connections) <= 17);
    });

    test('a commit shows within a second, and a wrong statement leaves its connection usable', async () => {
      const uri = await emptyDatabase();
      await write(uri, setGeneration(1));
      await using reader = await openReader(uri);
      await write(uri, setGeneration(2));
      await waitUntil(
        () => reader.generation('data') === 2,
        () => 'the poll',
        1000,
      );
      await assert.rejects(
        ask(reader, statement`select 1 as ${column('one', integer)} from nowhere`),
        isUnavailable,
      );
      assert.deepEqual(
        (await ask(reader, oneSql)).map(({ one }) => one),
        [1],
      );
    });

    test('the end of all connections fails no transaction that begins after it', async () => {
      const uri = await emptyDatabase();
      await write(uri, setGeneration(1));
      await using reader = await openReader(uri);
      for (let turn = 0; turn < 5; turn++) {
        await Promise.all(Array.from({ length: 5 }, () => ask(reader, oneSql)));
        await run(uri, endAllSql);
        await ask(reader, oneSql);
      }
      await waitUntil(() => reader.unreachableMs() === 0);
      await run(uri, endAllSql);
      await write(uri, setGeneration(2));
      await waitUntil(
        () => reader.generation('data') === 2,
        () => 'seeing the import',
        1000,
      );
    });

    test('a statement that takes too long is ended by the server', async () => {
      const uri = await emptyDatabase();
      await write(uri, setGeneration(1));
      await using reader = await openReader(uri);
      await assert.rejects(ask(reader, sleepSql), /canceling statement due to statement timeout/);
      await ask(reader, oneSql);
    });

    test('a server that hangs is given up after three seconds, and used again when it goes on', async (t) => {
      const uri = await emptyDatabase();
      await write(uri, setGeneration(1));
      using way = await startHoldableWay(shared.port);
      const held = new URL(uri);
      held.port = `${way.port}`;
      await using reader = await openReader(held.href);
      await ask(reader, oneSql);
      way.hold();
      const askedAt = performance.now();
      const asking = Array.from({ length: 40 }, () => assert.rejects(ask(reader, oneSql), isUnavailable));
      await Promise.all(asking);
      t.diagnostic(`the last of 40 was refused after ${Math.round(performance.now() - askedAt)} ms`);
      assert.ok(reader.unreachableMs() > 2000);
      await assert.rejects(ask(reader, oneSql), /cannot be reached at the moment/);
      way.letGo();
      await waitUntil(() => reader.unreachableMs() === 0);
      await ask(reader, oneSql);
    });

    test('a statement without an answer in time cuts its connection', async () => {
      const uri = await emptyDatabase();
      const settings = parsePostgresName(uri, {});
      const client = await openClient(settings, { queryTimeoutMs: 2000 });
      const sql = new PostgresSql(client, settings.name);
      const waiting = sql.read(oneSql);
      await assert.rejects(sql.read(sleepSql), /cannot be used: it does not answer in time/);
      await waiting;
      assert.ok(isDisconnected(client));
      await assert.rejects(sql.read(oneSql), isUnavailable);
    });

    test('a server that hangs does not keep a reader from closing', async () => {
      const uri = await emptyDatabase();
      await write(uri, setGeneration(1));
      using way = await startHoldableWay(shared.port);
      const held = new URL(uri);
      held.port = `${way.port}`;
      const reader = await openReader(held.href);
      await ask(reader, oneSql);
      way.hold();
      await sleep(300);
      await reader[Symbol.asyncDispose]();
    });
  });
}
