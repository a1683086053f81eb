/** The contract of stores for damaged rows: each is found, and each error names the chart and the remedy. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import type { Store } from '../../src/model/store.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  linesIn,
  pastText,
  pluginLine,
  removalLine,
  softwareLine,
  windowLine,
  windowsText,
} from '../support/archive-text.ts';
import { everyKind, loadAnswers, wrongAnswers } from '../support/damaged-answers.ts';
import { runProgram } from '../support/run-program.ts';
import { exportFrom, importInto } from './store-contract.ts';

const minutes = (start: number, count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => [(start + index) * 60_000, (start + index) % 97]),
  );

// These points fill three chunks, which begin at minutes 0, 512 and 1024.
const players = dataLine('players', minutes(0, 1500));
const servers = dataLine('servers', minutes(10, 20));
const pie = dataLine('versions', '[{"name":"1.0","y":1}]');
const catalogue = [softwareLine(), pluginLine()];
const charts = {
  players: chartLine(),
  servers: chartLine({ chartId: 'servers', uid: 71, title: 'Servers' }),
  versions: chartLine({ chartId: 'versions', uid: 72, type: 'simple_pie', title: 'Versions', data: {} }),
};
const all = archiveText([
  ...catalogue,
  ...[charts.players, players, charts.servers, servers, charts.versions, pie],
]);
const chunkAt = (minute: number) => `chart_uid = 70 and first_timestamp = ${minute * 60_000}`;
/** Renders a statement that replaces the bytes of a chunk by those of another. */
const damageAt = (minute: number) =>
  `update chunk set bytes = (select bytes from chunk as other where other.chart_uid = 71) where ${chunkAt(minute)}`;

// These histories fill three blocks, which begin at hours 0, 512 and 1024. Their charts show other data or
// none.
const hourMs = 3_600_000;
const hours = (chartId: string, start: number, count: number) =>
  JSON.stringify({
    record: 'history',
    pluginId: 7,
    chartId,
    times: Array.from({ length: count }, (_, index) => (start + index) * hourMs),
    series: ['1.0', '2.0'].map((share, rank) => ({
      name: share,
      values: Array.from({ length: count }, (_, index) => ((start + index) % 97) + rank),
    })),
  });
const oldName = '{"record":"oldName","pluginId":7,"name":"Before"}';
const release =
  '{"record":"event","pluginId":7,"time":3600000,"title":"1.0","url":"https://example.org/1.0"}';
const past = pastText([
  ...catalogue,
  chartLine({ chartId: 'engines', uid: 73, type: 'simple_pie', title: 'Engines' }),
  dataLine('engines', '[{"name":"V8","y":1}]').replace(/\}$/, `,"at":${1600 * hourMs}}`),
  charts.versions,
  hours('versions', 0, 1000),
  hours('versions', 1000, 500),
  release,
  oldName,
  removalLine(5, { pluginId: 8 }),
]);
const blockAt = (hour: number) => `chart_uid = 72 and first_timestamp = ${hour * hourMs}`;
/** Damages of a block: SQL expressions of its new bytes, in PostgreSQL's functions. */
const blockDamages = {
  'a block with another byte': 'set_byte(bytes, 40, 255 - get_byte(bytes, 40))',
  'a block that ends too early': 'substr(bytes, 1, length(bytes) - 1)',
  'a block of another chart': '(select bytes from chunk as other where other.chart_uid = 73)',
};

/** Damages of rows, and the names of the damaged rows in messages. */
const rowDamages: ReadonlyArray<readonly [sql: string, row: string]> = [
  ["update software set name = 'Other' where id = 2", 'software 2'],
  ["update software set url = 'other' where id = 1", 'software 1'],
  ['update software set global_plugin_id = null', 'software 1'],
  ['update software set global_plugin_id = 8 where id = 1', 'software 1'],
  ["update plugin set name = 'Other' where id = 7", 'plugin 7'],
  ['update plugin set is_global = not is_global where id = 7', 'plugin 7'],
  ['update plugin set owner_id = 43 where id = 7', 'plugin 7'],
  ["update owner set name = 'Other' where id = 42", 'plugin 7, owner 42'],
  ["update old_name set name = 'Other'", 'plugin 7, old name'],
  ["update chart set title = 'Other' where uid = 70", 'plugin 7, chart players'],
  ["update chart set settings = '{}' where uid = 72", 'plugin 7, chart versions'],
  ["update chart set type = 'single_linechart' where uid = 72", 'plugin 7, chart versions'],
  ["update chart set type = 'simple_pie' where uid = 66", 'plugin 7, chart empty'],
  ["update snapshot set json = '[]'", 'plugin 7, data of chart versions'],
  ['update snapshot set at = null', 'plugin 7, data of chart versions'],
  ["update event set title = 'Other' where time = 0", 'plugin 7, event 0'],
  ["update event set url = 'https://example.org/' where time = 0", 'plugin 7, event 0'],
  ['update removal set before_timestamp = 2 where plugin_id = 7', 'the removal of chart 7/players'],
];

/**
 * Declares the tests for one kind of store. `runSql` changes its tables directly; its SQL may use
 * PostgreSQL's functions `get_byte` and `set_byte`.
 */
export function damageContract(
  name: string,
  makeStore: () => Promise<Store>,
  runSql: (store: Store, sql: string) => Promise<void>,
): void {
  const damaged = async (...statements: string[]) => {
    const store = await makeStore();
    await importInto(store, all);
    for (const sql of statements) await runSql(store, sql);
    return store;
  };
  const damagedPast = async (sql: string) => {
    const store = await makeStore();
    await importInto(store, past);
    const text = await exportFrom(store);
    await runSql(store, sql);
    return { store, text };
  };
  const faultsOf = (store: Store) => Array.fromAsync(store.check(recordChecker()));
  const run = async (store: Store, command: string) => {
    const { code, stderr } = await runProgram([...command.split(' '), '--store', store.givenName]);
    assert.equal(code, 0, stderr);
  };
  const importFault = async (store: Store, text: string): Promise<string> => {
    try {
      await importInto(store, text);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return 'imported';
  };

  describe(`${name}: damage`, () => {
    for (const [what, of, sql] of [
      ...[0, 512, 1024].map(
        (minute) => [`the chunk from minute ${minute} on`, 'players', damageAt(minute)] as const,
      ),
      [
        'a chunk with a time before 1970',
        'players',
        `update chunk set first_timestamp = -60000 where ${chunkAt(0)}`,
      ],
      ...Object.entries(blockDamages).map(
        ([damage, bytes]) =>
          [damage, 'versions', `update chunk set bytes = ${bytes} where ${blockAt(512)}`] as const,
      ),
    ] as const) {
      test(`an import and a prune that have to change ${what} name the chart, which is removed and imported again`, async () => {
        const text = of === 'players' ? all : past;
        const store = await makeStore();
        await importInto(store, text);
        const before = await exportFrom(store);
        await runSql(store, sql);
        const message =
          `the store ${store.name} is damaged: plugin 7, chart ${of}: restore a backup, ` +
          `or "plugin-metrics remove chart 7/${of}" and import it again`;
        assert.equal(await importFault(store, text), message);
        const between = (after: number, before: number) => ({
          from: after + 1,
          to: before,
        });
        const unit = of === 'players' ? 60_000 : hourMs;
        for (const range of [
          between(-unit, 100 * unit),
          between(600 * unit, 700 * unit),
          between(1100 * unit, 9e15),
        ]) {
          await using remover = await store.openRemover();
          await remover.prune(range).catch((error) => assert.equal(error.message, message));
        }
        const faults = await faultsOf(store);
        assert.ok(faults.length > 0 && faults.every((fault) => fault.startsWith(`plugin 7, chart ${of}: `)));
        await run(store, `remove chart 7/${of}`);
        await importInto(store, text);
        assert.equal(await exportFrom(store), before);
        assert.deepEqual(await faultsOf(store), []);
      });
    }

    test('a damaged generation does no harm', async () => {
      const large = '2305987856803134121';
      const store = await damaged(`update generation set data = ${large}, catalogue = ${large}`);
      await using reader = await store.openReader();
      assert.equal(reader.generation('data'), Number(large));
      assert.equal((await reader.read((view) => view.listSoftware())).length, 1);
      const whole = await makeStore();
      await importInto(whole, all);
      assert.equal(await exportFrom(store), await exportFrom(whole));
    });

    test('an import that does not touch the damaged chunk is stored', async () => {
      const store = await damaged(damageAt(0));
      await importInto(store, archiveText([dataLine('players', minutes(1600, 1)), servers]));
      assert.equal((await faultsOf(store)).length, 1);
    });

    test('a prune removes a damaged chunk between the two times, and refuses to cut one', async () => {
      const store = await damaged(damageAt(512));
      const prune = async (after: number, before: number) => {
        await using remover = await store.openRemover();
        await remover.prune({ from: after * 60_000 + 1, to: before * 60_000 });
        await remover.commit();
      };
      for (const [after, before] of [
        [-1, 600],
        [512, 1024],
        [600, 700],
        [600, 9e9],
      ] as const)
        await assert.rejects(prune(after, before), {
          code: 'unavailable',
          message: /plugin 7, chart players: /,
        });
      await prune(511, 1025);
      assert.deepEqual(await faultsOf(store), []);
      const kept = [...JSON.parse(minutes(0, 512)), ...JSON.parse(minutes(1025, 475))];
      const left = all.replace(players, dataLine('players', JSON.stringify(kept)));
      const removed = windowLine([511 * 60_000 + 1, 1024 * 60_000 + 1]);
      assert.equal(await exportFrom(store), windowsText([...linesIn(left), removed]));
    });

    test('a chart with a damaged key can be removed', async () => {
      const store = await damaged(
        `update chunk set first_timestamp = 9223372036854775807 where ${chunkAt(512)}`,
      );
      await run(store, 'remove chart 7/players');
      await importInto(store, all);
      assert.equal(await exportFrom(store), all);
      assert.deepEqual(await faultsOf(store), []);
    });

    test('damaged sums of shares are named and not answered, and an import that needs them computes them again', async () => {
      for (const [column, value] of [
        ['sums', "'[]'"],
        ['sums', "'{'"],
        ['until_time', '0'],
        ['most_used', 'null'],
        ['since', '5'],
      ]) {
        const { store } = await damagedPast(`update chart_shares set ${column} = ${value}`);
        const fault = `plugin 7, chart versions: ${column} in chart_shares is wrong`;
        assert.deepEqual(await faultsOf(store), [fault]);
        await using reader = await store.openReader();
        await assert.rejects(
          reader.read((view) => view.loadShareFacts(72)),
          { code: 'unavailable', message: /chart uid 72, the sums of its shares has a wrong checksum/ },
        );
        await importInto(store, pastText([hours('versions', 1500, 600)]));
        assert.deepEqual(await faultsOf(store), []);
      }
    });

    for (const [sql, row] of rowDamages) {
      test(`a row changed by "${sql}" is neither answered nor exported`, async () => {
        const store = await makeStore();
        await importInto(store, everyKind);
        const right = await loadAnswers(store);
        await runSql(store, sql);
        assert.deepEqual(wrongAnswers(await loadAnswers(store), right), []);
        const { code, stderr } = await runProgram(['export', '-', '--store', store.givenName]);
        assert.equal(code, 1);
        const [, named, way] =
          /^error: the store is damaged: (.*) has a wrong checksum: restore a backup, or (.*); "plugin-metrics check" names all faults\n$/.exec(
            stderr,
          ) ?? [];
        assert.equal(named, row);
        assert.match(way ?? '', /import/);
      });
    }

    test('a chart that is not there is unknown, also if its id is the uid of a damaged chart', async () => {
      const { store } = await damagedPast("update chart set title = 'Other' where uid = 72");
      await using reader = await store.openReader();
      await assert.rejects(
        reader.read((view) => view.getChart(7, '72')),
        { code: 'not_found' },
      );
      await using remover = await store.openRemover();
      await assert.rejects(remover.removeChart(7, '72'), { code: 'not_found' });
    });

    test('a prune and a removal do not write a damaged row again with a right checksum', async () => {
      const store = await makeStore();
      await importInto(store, everyKind);
      await runSql(store, "update snapshot set json = '[]'; update software set name = 'Other' where id = 1");
      await using remover = await store.openRemover();
      await assert.rejects(remover.prune({ from: 3_600_001 }), {
        code: 'unavailable',
        message: /: plugin 7, data of chart versions has a wrong checksum/,
      });
      await assert.rejects(remover.removePlugin(7), {
        code: 'unavailable',
        message: /: software 1 has a wrong checksum/,
      });
    });

    test('an import restores a damaged row of any table', async () => {
      for (const sql of [
        "update chart set title = 'Plbyers' where uid = 72",
        "update owner set name = 'Other'",
        "update software set name = 'Other'",
        "update plugin set name = 'Other'",
        "update event set url = 'https://example.org/2.0'",
        'update old_name set checksum = checksum + 1',
        `update snapshot set json = '[{"name":"V8","y":2}]'`,
        'update snapshot set at = at + 1',
        'update snapshot set at = at - 1',
        'update snapshot set at = null',
      ]) {
        const { store, text } = await damagedPast(sql);
        assert.equal((await faultsOf(store)).length, 1, sql);
        await importInto(store, past);
        assert.deepEqual(await faultsOf(store), [], sql);
        assert.equal(await exportFrom(store), text);
      }
    });

    test('a removal that is not intact is replaced by one of everything alone, which wins anyway', async () => {
      for (const value of ['before_timestamp + 1', 'null']) {
        const { store } = await damagedPast(`update removal set before_timestamp = ${value}`);
        assert.match(
          await importFault(store, past),
          /the removal of plugin 8 has a wrong checksum: restore a backup, or import a removal of the same with "before":null;/,
        );
        await importInto(store, pastText([removalLine(null, { pluginId: 8 })]));
        assert.deepEqual(await faultsOf(store), []);
      }
    });

    test('a damaged row of facts is computed again by the next write that goes on from it', async () => {
      for (const sql of [
        'update chart_now set last_value = 5 where chart_uid = 70',
        'update chart_now set first_time = 5 where chart_uid = 70',
        'update plugin_now set players = 5',
        "update plugin_now set names = 'x'",
        'update plugin_now set is_global = not is_global',
        'update software_now set plugin_count = 5',
      ]) {
        const store = await damaged(sql);
        assert.equal((await faultsOf(store)).length, 1, sql);
        await importInto(store, archiveText([dataLine('players', minutes(1500, 1))]));
        assert.deepEqual(await faultsOf(store), [], sql);
      }
    });
  });
}
