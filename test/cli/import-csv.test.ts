// `import --csv` on the command line.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { before, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { type RunOptions, runProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile, temporaryDirectory } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

const catalogue = [softwareLine(), pluginLine(), chartLine()];
const withPoints = (points: string) => archiveText([...catalogue, dataLine('players', points)]);
let round = 0;
let store = '';

before(() => {
  writeFileSync(directory.at('seconds.csv'), '1479799800,122\n1479801600,121\n');
  writeFileSync(directory.at('iso.csv.gz'), gzipSync('timestamp,value\n2016-11-22T08:00:00Z,5\n'));
  writeFileSync(directory.at('wrong.csv'), '1479799800,1\n1479801600,"1,5"\n');
});
beforeEach(async () => {
  store = `store-${++round}.db`;
  await importText(directory.at(store), archiveText(catalogue));
});

const runImport = (argv: readonly string[], options: RunOptions = {}) =>
  runProgram(['import', '--store', store, '--csv', '--chart', '7/players', ...argv], {
    cwd: directory.path,
    ...options,
  });

describe('import --csv', () => {
  test('imports several files, each with its own form of timestamps; the later point wins', async () => {
    const { code, stdout, stderr } = await runImport(['seconds.csv', 'iso.csv.gz']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(
      stdout,
      /^imported 0 software, 0 plugins, 0 charts, 3 points in [\d.]+ s \(\d+ points\/s\) into /,
    );
    assert.equal(
      await exportText(directory.at(store)),
      withPoints('[[1479799800000,122],[1479801600000,5]]'),
    );
  });

  test('takes the plugin from its own option', async () => {
    const argv = ['import', '--store', store, '--csv', '--plugin', '7', '--chart', 'players', 'seconds.csv'];
    const { code, stderr } = await runProgram(argv, { cwd: directory.path });
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(
      await exportText(directory.at(store)),
      withPoints('[[1479799800000,122],[1479801600000,121]]'),
    );
  });

  test('ends with 1 for a wrong line of a second file, and stores nothing', async () => {
    assert.deepEqual(await runImport(['seconds.csv', 'wrong.csv']), {
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'error: wrong.csv:2: value must be a finite number such as 12 or -3.5, got "1,5"\n',
    });
    assert.equal(await exportText(directory.at(store)), archiveText(catalogue));
  });

  test('is named where it is given as an archive', async () => {
    const { code, stderr } = await runProgram(['import', '--store', store, '-'], {
      cwd: directory.path,
      input: 'time,value\n2026-01-01,3\n',
    });
    assert.equal(code, 1);
    assert.match(stderr, /^error: <stdin>:1: it is not valid JSON: .*; points in CSV need --csv\n$/);
  });

  test('does not create a missing store', async () => {
    using empty = temporaryDirectory();
    const { code, stderr } = await runImport(['-'], { cwd: empty.path, input: '2026-11-20,1\n' });
    assert.deepEqual([code, stderr], [1, 'error: <stdin>: there is no plugin with the id 7\n']);
    assert.deepEqual(readdirSync(empty.path), []);
  });
});
