// The times of imported points: those in the future are refused, those before 1980 give a warning with the
// command that removes them.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
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
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

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
});

describe('points before 1980', () => {
  const warned = (place: string, chart: string, first: number) =>
    `warning: ${place}: plugin 7, chart ${chart}: points lie before 1980, the first at ${new Date(first).toISOString()}; are their times seconds? "prune --before 1980-01-01" removes them\n`;
  const importInto = (store: string, ...argv: string[]) =>
    runProgram(['import', '--store', store, ...argv], { cwd: directory.path });

  test('are stored, with a warning that names the first of them and the command that removes all', async () => {
    const text = archiveText([
      ...catalogue,
      dataLine('players', '[[1600000000000,1]]'),
      dataLine('players', '[[1700001800,2],[1700000000,1],[1600000000001,1]]'),
      dataLine('players', '[[1500000000,2]]'),
    ]);
    const { store, file } = newPaths(text);
    const { code, stdout, stderr } = await importInto(store, file);
    assert.deepEqual([code, stderr], [0, warned(`${file}:6`, 'players', 1_700_000_000)]);
    assert.match(stdout, /^imported 1 software, 1 plugin, 1 chart, 5 points in/);
    const pruned = await runProgram(['prune', '--before', '1980-01-01', '--store', store]);
    assert.match(pruned.stdout, /: 1 chart, 3 points\n$/);
  });

  test('are found in histories, in data with a time, and in CSV', async () => {
    const pie = chartLine({ chartId: 'os', uid: 71, type: 'simple_pie' });
    for (const [place, line] of [
      [6, dataLine('os', '[{"name":"Linux","y":1}],"at":1700000000')],
      [
        6,
        '{"record":"history","pluginId":7,"chartId":"os","times":[1700000000],"series":[{"name":"Linux","values":[1]}]}',
      ],
    ]) {
      const { store, file } = newPaths(pastText([...catalogue, pie, String(line)]));
      assert.equal((await importInto(store, file)).stderr, warned(`${file}:${place}`, 'os', 1_700_000_000));
    }
    const { store, file } = newPaths('timestamp,value\n1700000000000,1\n1700000000,3\n', 'csv');
    await importText(store, archiveText(catalogue));
    const { stderr } = await importInto(store, '--csv', '--chart', '7/players', '--time-unit', 'ms', file);
    assert.equal(stderr, warned(`${file}:3`, 'players', 1_700_000_000));
  });

  test('give no warning from 1980 on, or if the import fails', async () => {
    const one = newPaths(withPoints(Date.UTC(1980, 0), 1_700_000_000_000));
    assert.equal((await importInto(one.store, one.file)).stderr, '');
    const two = newPaths(withPoints(1).replace('"records":4', '"records":5'));
    assert.match((await importInto(two.store, two.file)).stderr, /^error: [^\n]*\n$/);
  });
});
