// The times of imported points: those in the future are refused, those before 1980 give a warning with the command that removes them.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EarlyCharts } from '../../src/cli/early-charts.ts';
import { shellCommand } from '../../src/cli/shell-command.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { latestTimestampAt } from '../../src/model/future-points.ts';
import { pointsOf } from '../../src/model/points.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  pastText,
  pluginLine,
  softwareLine,
} from '../support/archive-text.ts';
import { runProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { pluginRoutes, serveRoutes } from '../upstream/dialect-server.ts';
import { commandsOf, paste } from './support/paste.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

const dayMs = 24 * 60 * 60 * 1000;
const catalogue = [softwareLine(), pluginLine(), chartLine()];
const withPoints = (...times: number[]) =>
  archiveText([...catalogue, dataLine('players', JSON.stringify(times.map((time) => [time, 1])))]);

let count = 0;
function newPaths(text: string, suffix = 'ndjson') {
  const name = directory.at(`${count++}`);
  writeFileSync(`${name}.${suffix}`, text);
  return { store: `${name}.db`, file: `${name}.${suffix}` };
}

describe('points in the future', () => {
  test('are refused with their line and the rule, and nothing is stored', async () => {
    for (const time of [Date.UTC(5138, 10, 16), 8.64e15, Date.now() + 2 * dayMs]) {
      const { store, file } = newPaths(withPoints(Date.now(), time, 1_700_000_000_000));
      const { code, stderr } = await runProgram(['import', '--store', store, file]);
      assert.equal(code, 1);
      const point = new Date(time).toISOString().replaceAll(/[.+]/g, '\\$&');
      assert.match(
        stderr,
        new RegExp(
          `^error: ${file}:5: a point lies at ${point} \\(${time}\\), more than a day ahead of the clock of this machine \\(at most \\S+Z\\); --allow-future accepts it\n$`,
        ),
      );
      assert.ok(!existsSync(store));
    }
  });

  test('are accepted within a day, and with --allow-future', async () => {
    const soon = withPoints(1_700_000_000_000, Date.now() + dayMs - 60_000);
    const late = withPoints(1_700_000_000_000, 8.64e15);
    for (const [text, ...options] of [[soon], [late, '--allow-future']]) {
      const { store, file } = newPaths(text ?? '');
      const { code, stderr } = await runProgram(['import', '--store', store, file, ...options]);
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(await exportText(store), text);
    }
  });

  test('in CSV are refused with their line', async () => {
    const { store, file } = newPaths('2026-01-01,1\n2026-01-02,\n5138-11-16,\n5138-11-16,3\n', 'csv');
    await importText(store, archiveText(catalogue));
    const argv = ['import', '--csv', '--chart', '7/players', '--store', store, file];
    const refused = await runProgram(argv);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      new RegExp(`^error: ${file}:4: a point lies at 5138-11-16T00:00:00\\.000Z `),
    );
    assert.equal(await exportText(store), archiveText(catalogue));
    assert.equal((await runProgram([...argv, '--allow-future'])).code, 0);
  });

  test('from another server are left out, unless --allow-future is given', async () => {
    await using server = await serveRoutes(
      pluginRoutes({
        points: [
          [1000, 1],
          [8.64e15, 2],
        ],
      }),
    );
    const { store } = newPaths('');
    const argv = ['mirror', server.url, '--plugin', '7', '--rate', '1000', '--store', store];
    const without = await runProgram(argv);
    assert.equal(without.code, 0, without.stderr);
    assert.match(
      without.stderr,
      /^left out 1 point more than a day ahead of the clock: 1 of chart 7\/players; /,
    );
    assert.match(await exportText(store), /"data":\[\[1000,1\]\]/);
    const taken = await runProgram([...argv, '--allow-future']);
    assert.equal(taken.code, 0, taken.stderr);
    assert.match(await exportText(store), /\[\[1000,1\],\[8640000000000000,2\]\]/);
  });

  test('are restored from an export or a backup', async () => {
    const text = withPoints(1_700_000_000_000, 8.64e15);
    const { store, file } = newPaths(text);
    await importText(store, text);
    const backup = `${store}.backup`;
    assert.equal((await runProgram(['backup', '--store', store, backup])).code, 0);
    for (const from of [file, backup]) {
      const restored = `${from}.restored.db`;
      const { code, stderr } = await runProgram(['restore', '--store', restored, from]);
      assert.equal(code, 0, stderr);
      assert.equal(await exportText(restored), text);
    }
  });

  test('are counted separately by stats, and removed by prune --after', async () => {
    const { store } = newPaths('');
    await importText(store, withPoints(1_700_000_000_000, 8.64e15));
    const stats = async (...options: string[]) =>
      (await runProgram(['stats', '--store', store, ...options])).stdout;
    assert.match(
      await stats(),
      /^newest point {2}\+275760-09-13T00:00:00\.000Z\nnewest so far 2023-11-14T22:13:20\.000Z\n$/m,
    );
    assert.match(
      await stats('--json'),
      /"newestTimestamp":8640000000000000,"newestPastTimestamp":1700000000000\}\n$/,
    );
    const { stdout } = await runProgram(['prune', '--after', '0d', '--store', store]);
    assert.match(stdout, /^pruned points after \S+Z: 1 chart, 1 point\n$/);
    assert.match(await stats(), /^newest point {2}2023-11-14T22:13:20\.000Z\n$/m);
  });

  test('begin a day ahead of the clock', () => {
    assert.equal(latestTimestampAt(1_700_000_000_000), 1_700_086_400_000);
  });
});

describe('points before 1980', () => {
  /** The warning for one chart, and its command where `plugin-metrics` is a program. */
  const warned = (place: string, chart: string, ...[first, last = first]: [number, number?]) => [
    `warning: ${place}: plugin ${chart.replace('/', ', chart ')}: points lie before 1980, the first at ${new Date(first).toISOString()}; are their times seconds instead of milliseconds? This removes them:`,
    `plugin-metrics prune --chart ${chart} ${boundsOf(first, last)}`,
  ];
  const boundsOf = (first: number, last: number) =>
    `--after ${new Date(first - 1).toISOString()} --before ${new Date(last + 1).toISOString()}`;
  const run = (...argv: string[]) => runProgram(argv, { cwd: directory.path });
  /** The lines of a message, without the end of each command, which names the store. */
  const linesOf = (stderr: string, store: string) =>
    stderr.trimEnd().replaceAll(` --store sqlite:${store}`, '').split('\n');

  test('are stored, with a warning that names the line and the command that removes them', async () => {
    const seconds = withPoints(1_700_000_000, 1_700_001_800);
    const { store, file } = newPaths(seconds);
    const { code, stdout, stderr } = await run('import', '--store', store, file);
    assert.equal(code, 0);
    assert.deepEqual(linesOf(stderr, store), warned(`${file}:5`, '7/players', 1_700_000_000, 1_700_001_800));
    assert.match(stdout, /^imported 1 software/);
    assert.equal(await exportText(store), seconds);
  });

  test('are found among later ones, in several records and files, and on standard input', async () => {
    const data = (...times: number[]) =>
      dataLine('players', JSON.stringify(times.map((time) => [time, 1]).reverse()));
    const one = newPaths(archiveText([...catalogue, data(1e12), data(9e9, 5e9, 1e12)]));
    const two = newPaths(archiveText([data(1e12), data(2e9, 3e9)]));
    assert.deepEqual(
      linesOf((await run('import', '--store', one.store, one.file, two.file)).stderr, one.store),
      warned(`${one.file}:6`, '7/players', 2e9, 9e9),
    );
    const { stderr } = await runProgram(['import', '--store', two.store, '-'], {
      cwd: directory.path,
      input: withPoints(1e12, 0),
    });
    assert.deepEqual(linesOf(stderr, two.store), warned('<stdin>:5', '7/players', 0));
  });

  test('are found in histories, and in data with a time', async () => {
    const pie = chartLine({ chartId: 'os', uid: 71, type: 'simple_pie' });
    const dated = dataLine('os', '[{"name":"Linux","y":1}],"at":1700000000');
    const history = `{"record":"history","pluginId":7,"chartId":"os","times":[1700003600,1700007200],"series":[{"name":"Linux","values":[1,2]}]}`;
    const { store, file } = newPaths(pastText([...catalogue, pie, dated, history]));
    assert.deepEqual(
      linesOf((await run('import', '--store', store, file)).stderr, store),
      warned(`${file}:6`, '7/os', 1_700_000_000, 1_700_007_200),
    );
  });

  test('in CSV are named by the line of the oldest', async () => {
    const { store, file } = newPaths(
      'timestamp,value\n1700000000000,1\n1700001800,2\n1700000000,3\n1700003600000,4\n',
      'csv',
    );
    await importText(store, archiveText(catalogue));
    const { code, stderr } = await run(
      ...['import', '--csv', '--chart', '7/players', '--time-unit', 'ms', '--store', store, file],
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(linesOf(stderr, store), warned(`${file}:4`, '7/players', 1_700_000_000, 1_700_001_800));
  });

  test('give no warning from 1980 on, or if the import fails', async () => {
    const one = newPaths(withPoints(Date.UTC(1980, 0), 1_700_000_000_000));
    assert.equal((await run('import', '--store', one.store, one.file)).stderr, '');
    const two = newPaths(withPoints(1).replace('"records":4', '"records":5'));
    assert.match((await run('import', '--store', two.store, two.file)).stderr, /^error: [^\n]*\n$/);
  });

  test('of many charts are listed for a few of them; one command removes those of the others', async () => {
    const charts = Array.from({ length: 8 }, (_, index) => [
      chartLine({ chartId: `line${index}`, uid: 100 + index }),
      dataLine(`line${index}`, `[[${index},1],[${index + 1},1]]`),
    ]);
    const { store, file } = newPaths(archiveText([...catalogue, ...charts.flat()]));
    const { stderr } = await run('import', '--store', store, file);
    const named = [0, 1, 2, 3, 4].flatMap((index) =>
      warned(`${file}:${6 + 2 * index}`, `7/line${index}`, index, index + 1),
    );
    assert.deepEqual(linesOf(stderr, store), [
      ...named,
      `warning: ${file}:16: so do those of 3 other charts. This removes what every chart of plugin 7 has at such times:`,
      `plugin-metrics prune --plugin 7 ${boundsOf(0, 8)}`,
    ]);
  });

  test('are counted up to a bound', () => {
    const early = new EarlyCharts();
    const record = (pluginId: number, chartId: string) => ({
      place: 'a:1',
      kind: 'data' as const,
      pluginId,
      chartId,
      dataFor: () => ({ storage: 'series' as const, points: pointsOf([]) }),
    });
    const last = () => early.warnings((words) => words.join(' ')).slice(-2);
    for (let index = 0; index < 6; index++) early.take(record(index, 'c'), Float64Array.of(1000));
    assert.deepEqual(last(), [
      'warning: a:1: so do those of 1 other chart. This removes what every chart of plugin 5 has at such times:',
      `prune --plugin 5 ${boundsOf(1000, 1000)}`,
    ]);
    for (let index = 0; index < 10_001; index++) early.take(record(9, `c${index}`), Float64Array.of(index));
    assert.deepEqual(last(), [
      'warning: a:1: so do those of at least 9995 other charts. This removes what every chart has at such times:',
      `prune ${boundsOf(0, 10_000)}`,
    ]);
  });

  test('are removed, and nothing else is, by the command of the warning as it is pasted into a shell', async () => {
    const name = `it's a "$HOME" \`store\` \\1.db`;
    const store = directory.at(name);
    const earlier = archiveText([
      softwareLine(),
      pluginLine(),
      chartLine(),
      dataLine('players', '[[5,1],[1600000000,2],[1800000000,3],[1600000000000,4]]'),
      chartLine({ chartId: 'x~', uid: 71, position: 1 }),
      dataLine('x~', '[[1699999999,1],[1700001801,2]]'),
    ]);
    await importText(store, earlier);
    const { file } = newPaths(
      archiveText(['players', 'x~'].map((chart) => dataLine(chart, '[[1700000000,1],[1700001800,2]]'))),
    );
    const imported = await run('import', '--store', name, file);
    assert.notEqual(await exportText(store), earlier);
    const pasted = await paste(directory, commandsOf(imported.stderr));
    assert.deepEqual([pasted.code, pasted.stderr], [0, '']);
    assert.match(
      pasted.stdout,
      /from chart 7\/players: 1 chart, 2 points\n.*from chart 7\/x~: 1 chart, 2 points\n$/,
    );
    assert.equal(await exportText(store), earlier);
  });
});

test('a command to paste runs npm in a checkout, and has no password', async () => {
  const commandOn = (name: string, isVariable: boolean) =>
    shellCommand(['prune', '--before', '1d'], parseStoreName(name), isVariable);
  const checkout = fileURLToPath(new URL('../..', import.meta.url));
  const { store, file } = newPaths(withPoints(1));
  const { stderr } = await runProgram(['import', '--store', store, file], { cwd: checkout });
  assert.match(stderr, /\nnpm run --silent cli -- prune --chart 7\/players --after 1970-/);
  const server = 'postgres://me:secret@db1:5432/metrics?sslmode=require';
  assert.match(commandOn('a.db', true), / prune --before 1d --store sqlite:a\.db$/);
  assert.match(commandOn(server, false), / prune --before 1d --store postgres:\/\/me@db1:5432\/metrics$/);
  assert.match(commandOn(server, true), / prune --before 1d --store "\$PLUGIN_METRICS_STORE"$/);
});
