// Importing, exporting and checking from the command line.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { makingContract } from '../contracts/making-contract.ts';
import {
  archiveText,
  chartLine,
  dataLine,
  headerLine,
  pluginLine,
  softwareLine,
} from '../support/archive-text.ts';
import { endOf, runProgram, startProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const directory = directoryOfFile();
let count = 0;
const small = archiveText([
  softwareLine(),
  pluginLine(),
  chartLine(),
  dataLine('players', '[[1479799800000,1]]'),
]);

/** An archive that is many times larger than a pipe. */
const large = archiveText([
  softwareLine(),
  pluginLine(),
  chartLine(),
  dataLine('players', JSON.stringify(Array.from({ length: 40_000 }, (_, index) => [60_000 * index, index]))),
]);

describe('import', { concurrency: 2 }, () => {
  test('prints on standard output what it imported', async () => {
    writeFileSync(directory.at('small.ndjson'), small);
    const { code, stdout, stderr } = await runProgram(['import', '--store', 'said.db', 'small.ndjson'], {
      cwd: directory.path,
    });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(
      stdout,
      /^imported 1 software, 1 plugins?, 1 charts?, 1 points? in \d+\.\d\d s \([\d,]+ points\/s\) into said\.db\n$/,
    );
    assert.equal(await exportText(directory.at('said.db')), small);
  });

  test('reads standard input, compressed or not', async () => {
    for (const [index, input] of [small, gzipSync(small)].entries()) {
      const path = directory.at(`stdin-${index}.db`);
      const { code, stderr } = await runProgram(['import', '--store', path, '-'], { input });
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(await exportText(path), small);
    }
  });

  test('names standard input in its errors', async () => {
    const path = directory.at('refused.db');
    const input = archiveText([softwareLine(), 'null']);
    assert.deepEqual(await runProgram(['import', '--store', path, '-'], { input }), {
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'error: <stdin>:3: a record must be a JSON object, got null\n',
    });
    assert.ok(!existsSync(path));
  });

  test('recognises a store given as an archive, and names the command for it', async () => {
    const cwd = directory.path;
    await importText(directory.at('backup.db'), small);
    writeFileSync(directory.at('good.ndjson'), small);
    const bytes = readFileSync(directory.at('backup.db'));
    for (const [argv, input, place] of [
      [['import', 'good.ndjson', './backup.db'], undefined, './backup.db'],
      [['restore', '-'], bytes, '<stdin>'],
    ] as const) {
      const run = await runProgram([...argv, '--store', 'unmade.db'], {
        cwd,
        ...(input === undefined ? {} : { input }),
      });
      const said = 'this is a store, not an archive: "plugin-metrics restore" takes it';
      assert.deepEqual(run, { code: 1, signal: null, stdout: '', stderr: `error: ${place}: ${said}\n` });
      assert.deepEqual(globSync('unmade.db*', { cwd }), []);
    }
  });

  for (const [what, bytes] of Object.entries({ plain: Buffer.from('bad\n'), gzip: gzipSync('bad\n') })) {
    test(`ends at a bad line of a ${what} archive while standard input stays open`, async () => {
      const child = startProgram(['import', '--store', directory.at('none.db'), '-']);
      child.stdin.write(bytes);
      assert.equal((await endOf(child)).code, 1);
    });
  }
});

describe('an import that makes a store', { concurrency: 2 }, () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    test(`says at ${signal} that nothing was stored, and leaves nothing`, async (t) => {
      const path = directory.at(`${signal}.db`);
      const child = startProgram(['import', '--store', path, '-']);
      t.after(() => child.kill('SIGKILL'));
      const ended = endOf(child);
      child.stdin.write(`${headerLine}\n${softwareLine()}\n`);
      await waitUntil(() => isBeingMade(path));
      child.kill(signal);
      const run = await ended;
      assert.deepEqual([run.code, run.stderr], [code, 'stopped; nothing was stored\n']);
      assert.deepEqual(directory.entriesLike(`${signal}.db`), []);
    });
});

makingContract(
  'SQLite',
  async () => parseStoreName(directory.at(`made-${count++}.db`)),
  async ({ name }) => isBeingMade(name),
);

/** Detects that a program is building this store, from the file beside its path. */
function isBeingMade(path: string): boolean {
  return globSync(`${path}.new-[1-9]*`).length > 0;
}

describe('export', { concurrency: 2 }, () => {
  test('writes the same to standard output, to - and to a file', async () => {
    const path = directory.at('same.db');
    await importText(path, small);
    const file = directory.at('same.ndjson');
    const plain = await runProgram(['export', '--store', path]);
    const dash = await runProgram(['export', '--store', path, '-']);
    const named = await runProgram(['export', '--store', path, file]);
    assert.deepEqual([plain.code, dash.code, named.code], [0, 0, 0]);
    assert.deepEqual([plain.stdout, dash.stdout, named.stdout], [small, small, '']);
    assert.equal(readFileSync(file, 'utf8'), small);
    assert.match(plain.stderr, /^exported 1 software, .* to <stdout>\n$/);
    assert.match(named.stderr, /^exported 1 software, .* to \S+same\.ndjson\n$/);
    assert.deepEqual(directory.entriesLike('same.ndjson'), ['same.ndjson']);
  });
});

describe('a reader that closes the pipe', { concurrency: 2 }, () => {
  test('ends an export quietly', async () => {
    const path = directory.at('piped.db');
    await importText(path, large);
    const child = startProgram(['export', '--store', path]);
    const ended = endOf(child);
    child.stdout.once('data', () => child.stdout.destroy());
    const { code, stderr } = await ended;
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('ends the other commands quietly, too', async () => {
    const path = directory.at('unread.db');
    await importText(path, small);
    for (const argv of [['check', '--store', path], ['openapi']]) {
      const child = startProgram(argv);
      const ended = endOf(child);
      child.stdout.destroy();
      const { code, stderr } = await ended;
      assert.deepEqual([code, stderr], [0, '']);
    }
  });
});
