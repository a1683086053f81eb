// The file that `export` writes: complete or absent, compressed according to its name, and replaced only with
// --force.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { before, describe, test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { openArchiveWriter } from '../../src/archive/archive-writer.ts';
import { copyRecords, noCounts } from '../../src/model/copy-records.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { openSqliteReader } from '../support/reads.ts';
import { mainPath, type Run, runProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
const text = archiveText([softwareLine(), pluginLine(), chartLine(), dataLine('players', '[[1000,1]]')]);
const store = directory.at('store.db');
before(() => importText(store, text));

let count = 0;

/** An empty folder. */
function folder() {
  const path = directory.at(`folder-${count++}`);
  mkdirSync(path);
  return path;
}

/** Runs `export` in a folder. */
const exportTo = (cwd: string, ...argv: string[]): Promise<Run> =>
  runProgram(['export', '--store', store, ...argv], { cwd });

describe('an existing file', { concurrency: 2 }, () => {
  test('is kept, a link too, and the message names the option that replaces it, which keeps the link', async () => {
    const cwd = folder();
    symlinkSync('real.ndjson', `${cwd}/link.ndjson`);
    for (const name of ['link.ndjson', 'real.ndjson', 'link.ndjson']) {
      assert.deepEqual(await exportTo(cwd, name), {
        code: 1,
        signal: null,
        stdout: '',
        stderr: `error: ${name}: the file exists already; --force replaces it\n`,
      });
      // The first time, the link leads to nothing.
      if (existsSync(`${cwd}/real.ndjson`))
        assert.equal(readFileSync(`${cwd}/real.ndjson`, 'utf8'), 'before');
      else assert.deepEqual(readdirSync(cwd), ['link.ndjson']);
      writeFileSync(`${cwd}/real.ndjson`, 'before');
    }
    for (const name of ['link.ndjson', 'real.ndjson']) {
      writeFileSync(`${cwd}/real.ndjson`, 'before');
      assert.equal((await exportTo(cwd, '--force', name)).code, 0);
      assert.equal(readFileSync(`${cwd}/real.ndjson`, 'utf8'), text);
      assert.equal(readlinkSync(`${cwd}/link.ndjson`), 'real.ndjson');
      assert.deepEqual(readdirSync(cwd).sort(), ['link.ndjson', 'real.ndjson']);
    }
  });

  test('is kept if another process created it meanwhile', async () => {
    const file = `${folder()}/out.ndjson`;
    await using reader = openSqliteReader(store);
    await using writer = await openArchiveWriter(file);
    await copyRecords(reader, writer, noCounts());
    writeFileSync(file, 'meanwhile');
    await assert.rejects(writer.commit(), { code: 'conflict', place: file });
    assert.equal(readFileSync(file, 'utf8'), 'meanwhile');
  });

  test('is written to if it is a pipe or a device', {
    skip: process.platform === 'win32',
  }, async () => {
    const cwd = folder();
    execFileSync('mkfifo', [`${cwd}/pipe`]);
    const cat = spawn('cat', [`${cwd}/pipe`], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [run, got] = await Promise.all([exportTo(cwd, 'pipe'), textOf(cat.stdout)]);
    assert.equal(run.code, 0, run.stderr);
    assert.equal(got, text);
    assert.ok(lstatSync(`${cwd}/pipe`).isFIFO());
  });

  test('is written in place if it is the device name of standard output', {
    skip: process.platform !== 'linux',
  }, async () => {
    const cwd = folder();
    const command = `exec "$0" "$1" export --store "$2" --force /dev/stdout > out.ndjson`;
    execFileSync('sh', ['-c', command, process.execPath, mainPath, store], { cwd, stdio: 'pipe' });
    assert.equal(readFileSync(`${cwd}/out.ndjson`, 'utf8'), text);
    assert.ok(lstatSync('/dev/stdout').isSymbolicLink());
    assert.deepEqual(readdirSync(cwd), ['out.ndjson']);
  });
});

describe('the file name', { concurrency: 2 }, () => {
  for (const [name, unpack] of [
    ['out.ndjson.gz', gunzipSync],
    ['out.zst', zstdDecompressSync],
  ] as const) {
    test(`${name} decides the compression, and the same store gives the same bytes`, async () => {
      const cwd = folder();
      assert.equal((await exportTo(cwd, name)).code, 0);
      const bytes = readFileSync(`${cwd}/${name}`);
      assert.equal(unpack(bytes).toString(), text);
      assert.equal((await exportTo(cwd, '--force', name)).code, 0);
      assert.deepEqual(readFileSync(`${cwd}/${name}`), bytes);
      assert.deepEqual(readdirSync(cwd), [name]);
      const back = `${cwd}/back.db`;
      assert.equal((await runProgram(['import', '--store', back, name], { cwd })).code, 0);
      assert.equal(await exportText(back), text);
    });
  }

  test('does not put a time into the gzip header', async () => {
    const cwd = folder();
    assert.equal((await exportTo(cwd, 'out.gz')).code, 0);
    assert.equal(readFileSync(`${cwd}/out.gz`).subarray(0, 9).toString('hex'), '1f8b08000000000000');
  });
});

describe('a failure', { concurrency: 2 }, () => {
  test('halfway keeps the file that --force would have replaced, and leaves no other', async () => {
    const cwd = folder();
    const damaged = `${cwd}/damaged.db`;
    await importText(damaged, text);
    damageChunk(damaged);
    for (const name of ['kept.ndjson', 'kept.gz', 'kept.zst']) {
      writeFileSync(`${cwd}/${name}`, 'before');
      const argv = ['export', '--store', damaged, '--force', name];
      const { code, stderr } = await runProgram(argv, { cwd });
      assert.equal(code, 1);
      assert.match(stderr, /^error: .*the chunk from 1000 on is damaged: .*\n$/);
      assert.equal(readFileSync(`${cwd}/${name}`, 'utf8'), 'before');
    }
    const left = readdirSync(cwd).filter((name) => !name.startsWith('damaged.db'));
    assert.deepEqual(left.sort(), ['kept.gz', 'kept.ndjson', 'kept.zst']);
  });

  test('of the device is reported, compressed or not', { skip: process.platform !== 'linux' }, async () => {
    const cwd = folder();
    for (const end of ['', '.gz', '.zst']) {
      symlinkSync('/dev/full', `${cwd}/full${end}`);
      const { code, stderr } = await exportTo(cwd, `full${end}`);
      assert.equal(code, 1);
      assert.match(
        stderr,
        new RegExp(
          `^error: full${end}: cannot be written: the disk is full: make room on the disk of ${cwd}\n$`,
        ),
      );
    }
  });

  test('before the export begins, such as a missing permission, is reported', async () => {
    const cwd = folder();
    for (const name of ['/proc/out.ndjson', 'no/such/out.gz', '.', `${'x'.repeat(250)}.zst`]) {
      const { code, stderr } = await exportTo(cwd, name);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^error: \S+: cannot be written: (E[A-Z]+: |there is no folder \S+\/no: )[^\n]*\n$/,
      );
    }
    assert.deepEqual(readdirSync(cwd), []);
  });
});

function damageChunk(path: string): void {
  const program = `const {DatabaseSync}=require('node:sqlite');new DatabaseSync(process.argv[1]).exec("update chunk set bytes = x'00'")`;
  execFileSync(process.execPath, ['-e', program, path]);
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let got = '';
  stream.on('data', (block) => {
    got += block;
  });
  await once(stream, 'end');
  return got;
}
