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

const pie = chartLine({ chartId: 'versions', uid: 71, type: 'simple_pie', position: 1 });
const catalogue = [softwareLine(), pluginLine(), chartLine(), pie];
const withPoints = (points: string) =>
  archiveText([...catalogue.slice(0, 3), dataLine('players', points), pie]);
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
    assert.deepEqual(await runImport(['seconds.csv', 'iso.csv.gz']), {
      code: 0,
      signal: null,
      stdout: '7/players: 2 new, 0 replaced, 0 unchanged, 22 Nov 2016 to 22 Nov 2016\n',
      stderr: '',
    });
    assert.equal(
      await exportText(directory.at(store)),
      withPoints('[[1479799800000,122],[1479801600000,5]]'),
    );
  });

  test('says how the points differ from those of the store, on the days of the zone', async () => {
    await importText(directory.at(store), withPoints('[[1479799800000,122],[1479801600000,5],[9,9]]'));
    const input = '22.11.2016 08:30;1.122,5\n22.11.2016 09:00;5\n23.11.2016 00:30;6\n23.11.2016 00:30;7\n';
    const argv = '--dates dmy --decimal , --zone Europe/Berlin -'.split(' ');
    const summary = '7/players: 1 new, 1 replaced, 1 unchanged, 22 Nov 2016 to 23 Nov 2016\n';
    const dry = await runImport(['--dry-run', ...argv], { input });
    assert.deepEqual([dry.code, dry.stdout], [0, `would import ${summary}`]);
    const before = withPoints('[[9,9],[1479799800000,122],[1479801600000,5]]');
    assert.equal(await exportText(directory.at(store)), before);
    assert.equal((await runImport(argv, { input })).stdout, summary);
    const after = withPoints('[[9,9],[1479799800000,1122.5],[1479801600000,5],[1479857400000,7]]');
    assert.equal(await exportText(directory.at(store)), after);
    const again = await runImport(argv, { input });
    assert.equal(again.stdout, summary.replace('1 new, 1 replaced, 1', '0 new, 0 replaced, 3'));
    const none = await runImport(['-'], { input: 'timestamp,value\n' });
    assert.equal(none.stdout, '7/players: 0 new, 0 replaced, 0 unchanged\n');
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
    const rule =
      'value must be a finite number such as 12 or -3.5, got "1,5"; --decimal , reads such numbers';
    assert.deepEqual(await runImport(['seconds.csv', 'wrong.csv']), {
      code: 1,
      signal: null,
      stdout: '',
      stderr: `error: wrong.csv:2: ${rule}\n`,
    });
    assert.equal(await exportText(directory.at(store)), archiveText(catalogue));
  });

  test('into a chart that is missing or not a line is refused, whatever the file has', async () => {
    for (const [chart, message] of [
      ['7/nothing', 'plugin 7 has no chart "nothing"'],
      ['8/players', 'there is no plugin with the id 8'],
      ['7/versions', 'only a line chart takes points from a CSV file, this one is a simple_pie'],
    ] as const)
      for (const input of ['', 'garbage', '2026-11-20,1\n']) {
        const { code, stderr } = await runImport(['--chart', chart, '-'], { input });
        assert.deepEqual([code, stderr], [1, `error: <stdin>: ${message}\n`]);
      }
    assert.equal(await exportText(directory.at(store)), archiveText(catalogue));
  });

  test('refuses a point in the future with its line', async () => {
    const { code, stderr } = await runImport(['-'], { input: '2016-11-22,1\n9999-01-01,1\n' });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^error: <stdin>:2: a point lies at 9999-01-01T00:00:00\.000Z .* --allow-future accepts it\n$/,
    );
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
