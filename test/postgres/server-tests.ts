/** Faults that only a store on a server can have: other importers, other roles, lost connections, a crash. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { AppError } from '../../src/model/app-error.ts';
import { pointsOf } from '../../src/model/columns.ts';
import type { MetricsReader } from '../../src/model/metrics-reader.ts';
import type { MetricsRecord } from '../../src/model/metrics-record.ts';
import { exportFrom, importInto } from '../contracts/store-contract.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { assertDocumented } from '../support/documented-messages.ts';
import { entriesOf } from '../support/points.ts';
import { endOf, startProgram } from '../support/run-program.ts';
import { waitUntil } from '../support/wait-until.ts';
import { crashableServer, type TestServer } from './test-server.ts';

const catalogue = [softwareLine(), pluginLine(), chartLine()];

const pointRecord = (time: number): MetricsRecord => ({
  place: 'here',
  kind: 'data',
  pluginId: 7,
  chartId: 'players',
  dataFor: () => ({ storage: 'points', points: pointsOf([[time, time]]) }),
});

const end: MetricsRecord = { place: 'here', kind: 'end' };

function latest(reader: MetricsReader): Promise<number | undefined> {
  return reader.read(async (view) => {
    const data = await view.readChartData(7, 'players', 1);
    return data.storage === 'points' ? Array.from(data.runs, entriesOf).flat()[0]?.[0] : undefined;
  });
}

/** Waits until a program prints a line; a log contains other lines as well. */
async function lineOf(stream: Readable, pattern: RegExp): Promise<void> {
  for await (const line of createInterface({ input: stream })) if (pattern.test(line)) return;
  assert.fail(`there is no ${pattern}`);
}

const isUnavailable = (error: unknown): boolean => {
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.code, 'unavailable', error.message);
  assert.equal(error.kind, 'store-unavailable');
  return true;
};

/** Declares the tests; they share one server. */
export function serverTests(shared: TestServer): void {
  const { emptyDatabase, run: runOn } = shared;
  const filled = async (server: TestServer, ...lines: string[]) => {
    const uri = await server.emptyDatabase();
    const store = parseStoreName(uri);
    await importInto(store, archiveText([...catalogue, ...lines]));
    return { uri, store };
  };
  const killOthers = (uri: string) =>
    runOn(
      uri,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  const connectionCount = async (uri: string) => {
    const sql =
      'select count(*)::integer as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    return Number((await runOn(uri, sql))[0]?.['count']);
  };

  describe('PostgreSQL: several importers', () => {
    test('ten without a store create one between them', async () => {
      const uri = await emptyDatabase();
      const store = parseStoreName(uri);
      const imports = Array.from({ length: 10 }, (_, index) =>
        importInto(store, archiveText([...catalogue, dataLine('players', `[[${index},${index}]]`)])),
      );
      await Promise.all(imports);
      const all = JSON.stringify(Array.from({ length: 10 }, (_, index) => [index, index]));
      assert.equal(await exportFrom(store), archiveText([...catalogue, dataLine('players', all)]));
    });
  });

  describe('PostgreSQL: an interrupted import', () => {
    test('leaves nothing if its backend ends', async () => {
      const { uri, store } = await filled(shared);
      const before = await exportFrom(store);
      {
        await using writer = await store.openWriter();
        await writer.write([pointRecord(1), end]);
        await killOthers(uri);
        await assert.rejects(writer.commit(), isUnavailable);
      }
      assert.equal(await exportFrom(store), before);
      await importInto(store, archiveText([dataLine('players', '[[1,1]]')]));
    });

    test('leaves nothing if the server crashes, and readers recover by themselves', async (t) => {
      await using server = await crashableServer(shared);
      const { uri, store } = await filled(server, dataLine('players', '[[1,1]]'));
      const before = await exportFrom(store);
      // Otherwise the server would first replay the writes of all earlier tests.
      await server.run(uri, 'checkpoint');
      await using reader = await store.openReader();
      assert.equal(await latest(reader), 1);
      const generation = reader.generation('data');
      {
        await using writer = await store.openWriter();
        await writer.write([pointRecord(2), end]);
        await server.stop();
        await assert.rejects(writer.commit(), isUnavailable);
      }
      await assert.rejects(latest(reader), isUnavailable);
      await waitUntil(() => reader.unreachableMs() > 0);
      await assert.rejects(latest(reader), isUnavailable);
      assert.equal(reader.generation('data'), generation);
      await assert.rejects(store.openReader(), (error: unknown) => {
        assert.match(
          String(error),
          new RegExp(`127\\.0\\.0\\.1:${server.port}/\\w+ cannot be reached: connection refused`),
        );
        return isUnavailable(error);
      });
      const restartedAt = performance.now();
      await server.start();
      await waitUntil(() => reader.unreachableMs() === 0);
      t.diagnostic(
        `recovered ${Math.round(performance.now() - restartedAt)} ms after the start of the server`,
      );
      assert.equal(await latest(reader), 1);
      assert.equal(reader.generation('data'), generation, 'nothing has changed, so cached responses stay');
      assert.equal(await exportFrom(store), before);
      await importInto(store, archiveText([dataLine('players', '[[3,3]]')]));
      await waitUntil(
        () => reader.generation('data') !== generation,
        () => 'seeing the import',
        1000,
      );
      assert.equal(await latest(reader), 3);
      // Those that have ended stay in the view for a moment.
      await waitUntil(async () => (await connectionCount(uri)) <= 5);
    });
  });

  describe('PostgreSQL: roles and versions', () => {
    test('with the grants of docs/postgresql.md one role can import, and another can only serve', async () => {
      const uri = await emptyDatabase();
      const as = (role: string) => {
        const url = new URL(uri);
        url.username = role;
        url.password = 'never-shown';
        return url.href;
      };
      const [writer, reader] = [`metrics_writer_${process.pid}`, `metrics_reader_${process.pid}`];
      const documented = readFileSync(new URL('../../docs/postgresql.md', import.meta.url), 'utf8')
        .replaceAll('metrics_writer', writer)
        .replaceAll('metrics_reader', reader)
        .replaceAll('on database metrics', `on database ${new URL(uri).pathname.slice(1)}`);
      const [makeRoles = '', grant = ''] = [...documented.matchAll(/```sql\n(.*?)```/gs)].map(
        (match) => match[1],
      );
      try {
        await runOn(uri, makeRoles.replaceAll(' login', ` login password 'never-shown'`));
        const [none] = await runOn(
          uri,
          'select current_user::text as owner, current_database()::text as database',
        );
        await assert.rejects(parseStoreName(as(reader)).openWriter(), {
          message: new RegExp(
            `cannot be used by the role ${reader}: permission denied for database \\S+: ` +
              `the role ${none?.['owner']} can run "grant create on database ${none?.['database']} to ${reader}"$`,
          ),
        });
        const [store, readOnly] = [parseStoreName(as(writer)), parseStoreName(as(reader))];
        await importInto(store, archiveText([...catalogue, dataLine('players', '[[1,1]]')]));
        await assert.rejects(readOnly.openReader(), (error: unknown) => {
          assert.ok(error instanceof Error);
          assert.equal(
            error.message,
            `the store ${readOnly.name} cannot be used by the role ${reader}: permission denied for schema plugin_metrics: ` +
              `the role ${writer} has the rights, and can run "grant usage on schema plugin_metrics to ${reader}; ` +
              `grant select on all tables in schema plugin_metrics to ${reader}"`,
          );
          assertDocumented(error.message);
          assert.doesNotMatch(String(error), /never-shown/);
          return isUnavailable(error);
        });
        for (const refused of [
          readOnly.loadStats,
          readOnly.measure,
          readOnly.openReports,
          () => Array.fromAsync(readOnly.check(recordChecker())),
        ])
          await assert.rejects(refused(), { message: new RegExp(`the role ${writer} has the rights`) });
        await runOn(as(writer), grant);
        let grantOfMessage = '';
        {
          await using opened = await readOnly.openReader();
          assert.equal(await latest(opened), 1);
        }
        assert.equal(await exportFrom(readOnly), await exportFrom(store));
        assert.deepEqual(await Array.fromAsync(readOnly.check(recordChecker())), []);
        await assert.rejects(readOnly.openWriter(), (error: unknown) => {
          assert.ok(error instanceof Error);
          const [, denied, owner, statement = ''] =
            /: permission denied for table (\S+): the role (\S+) has the rights, and can run "(.*)"$/.exec(
              error.message,
            ) ?? [];
          assert.deepEqual([denied, owner], ['generation', writer]);
          grantOfMessage = statement;
          return isUnavailable(error);
        });
        await using reports = await readOnly.openReports();
        await assert.rejects(reports.openSlot(0), (error: unknown) => {
          assert.match(
            String(error),
            /: permission denied for .*: "\\dt plugin_metrics\.\*" in psql names the role that has the rights$/,
          );
          assertDocumented(String(error));
          return isUnavailable(error);
        });
        await runOn(as(writer), grantOfMessage);
        await importInto(readOnly, archiveText([...catalogue, dataLine('players', '[[1,1],[2,2]]')]));
      } finally {
        for (const role of [reader, writer])
          await runOn(uri, `drop owned by ${role} cascade; drop role ${role}`);
      }
    });

    for (const [change, named] of [
      ['alter table plugin_metrics.chart rename column title to caption', /title/],
      ['alter table plugin_metrics.chunk drop column bytes', /bytes/],
      ['drop table plugin_metrics.chunk', /chunk/],
      ['alter table plugin_metrics.generation rename column data to token', /data/],
    ] as const) {
      test(`a damaged store is reported as damaged, not as a bug, after: ${change}`, async () => {
        const { uri, store } = await filled(shared, dataLine('players', '[[1,1]]'));
        await runOn(uri, change);
        const isDamaged = (error: unknown) => {
          assert.match(String(error), /the store postgres:\/\/\S+ is damaged: /);
          assert.match(String(error), named);
          return isUnavailable(error);
        };
        await assert.rejects(async () => {
          await using reader = await store.openReader();
          await reader.read((view) => view.getPlugin(7));
          await reader.read((view) => Array.fromAsync(view.listCharts(7)));
          await latest(reader);
        }, isDamaged);
        if (named.source !== 'data') await assert.rejects(exportFrom(store), isDamaged);
        await assert.rejects(
          importInto(store, archiveText([chartLine({ title: 'New' }), dataLine('players', '[[2,2]]')])),
          isDamaged,
        );
        const faults = await Array.fromAsync(store.check(recordChecker()));
        assert.ok(
          named.source === 'data' || faults.some((fault) => /is damaged/.test(fault)),
          String(faults),
        );
      });
    }
  });

  describe('PostgreSQL: the command line', () => {
    test('with --wait the server of a store may start later, within the time', async () => {
      await using server = await crashableServer(shared);
      const { uri } = await filled(server);
      await server.stop();
      const children = ['serve', 'collect'].map((command) =>
        startProgram([command, '--port', '0', '--wait', '30', '--store', uri]),
      );
      const ended = children.map(endOf);
      const isWaiting = /"waiting: the store \S+ cannot be reached: connection refused"/;
      await Promise.all(children.map(({ stderr }) => lineOf(stderr, isWaiting)));
      const listening = Promise.all(children.map(({ stdout }) => lineOf(stdout, /^listening on /)));
      await server.start();
      await listening;
      for (const child of children) child.kill('SIGTERM');
      assert.deepEqual(
        (await Promise.all(ended)).map(({ code }) => code),
        [0, 0],
      );
    });
  });
}
