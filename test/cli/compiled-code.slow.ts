// What Node compiles is kept in a folder that is the user's alone, or not at all.
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runProgram } from '../support/run-program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

test('a folder for it is made where the caches of the user are, and no one else may write there', async () => {
  const home = makeFolder('home');
  await runVersion({ HOME: home });
  const own = join(home, '.cache', 'plugin-metrics');
  assert.equal(statSync(own).mode & 0o777, 0o700);
  const kept = filesIn(own);
  assert.ok(kept.length > 10, `${kept.length} files`);
  await runVersion({ HOME: home });
  assert.deepEqual(filesIn(own), kept);
});

test('XDG_CACHE_HOME is where the caches of the user are', async () => {
  const caches = makeFolder('caches');
  await runVersion({ HOME: makeFolder('unused'), XDG_CACHE_HOME: caches });
  assert.ok(filesIn(join(caches, 'plugin-metrics')).length > 10);
  assert.deepEqual(filesIn(join(directory.path, 'unused')), []);
});

test('the folder may be in a sticky one, where others may write', async () => {
  const caches = makeFolder('sticky');
  chmodSync(caches, 0o1777);
  await runVersion({ XDG_CACHE_HOME: caches });
  assert.ok(filesIn(join(caches, 'plugin-metrics')).length > 10);
});

test('nothing is kept where others may write', async () => {
  const caches = makeFolder('shared');
  const own = makeFolder(join('shared', 'plugin-metrics'));
  for (const mode of [0o777, 0o770, 0o1777]) {
    chmodSync(own, mode);
    await runVersion({ XDG_CACHE_HOME: caches });
    assert.deepEqual(filesIn(own), []);
  }
});

test('nothing is kept where others may put another folder in the place of one on the way', async () => {
  const open = makeFolder('open');
  const caches = makeFolder(join('open', 'caches'));
  makeFolder(join('open', 'caches', 'plugin-metrics'));
  symlinkSync(caches, join(directory.path, 'link'));
  for (const mode of [0o777, 0o775]) {
    chmodSync(open, mode);
    for (const path of [caches, join(directory.path, 'link')]) await runVersion({ XDG_CACHE_HOME: path });
    await runVersion({ HOME: open });
    assert.deepEqual([readdirSync(open), filesIn(open)], [['caches'], []]);
  }
  // In a sticky folder no one can rename what is not theirs.
  chmodSync(open, 0o1777);
  await runVersion({ XDG_CACHE_HOME: caches });
  assert.ok(filesIn(caches).length > 10);
});

test('root makes no folder in the home of another user', { skip: process.getuid?.() !== 0 }, async () => {
  const home = makeFolder('other');
  chownSync(home, 1234, 1234);
  await runVersion({ HOME: home });
  assert.deepEqual(readdirSync(home), []);
});

test('a path that is not absolute is as none', async () => {
  const cwd = makeFolder('here');
  for (const caches of ['caches', './caches']) await runVersion({ XDG_CACHE_HOME: caches }, cwd);
  assert.deepEqual(readdirSync(cwd), []);
});

test('the program runs where nothing can be kept, and makes no other folder', async () => {
  const file = join(directory.path, 'file');
  writeFileSync(file, '');
  const absent = join(directory.path, 'absent');
  for (const home of [absent, file, '', '/proc', '/dev/null']) await runVersion({ HOME: home });
  assert.equal(existsSync(absent), false);
  const inTheWay = makeFolder('in-the-way');
  writeFileSync(join(inTheWay, 'plugin-metrics'), '');
  await runVersion({ XDG_CACHE_HOME: inTheWay });
  assert.deepEqual(filesIn(inTheWay), ['plugin-metrics']);
});

/** Runs the program without the folders of the user who runs the tests. */
async function runVersion(
  environment: { readonly HOME?: string; readonly XDG_CACHE_HOME?: string },
  cwd = directory.path,
) {
  const env = { HOME: '', XDG_CACHE_HOME: '', NODE_COMPILE_CACHE: '', ...environment };
  const { code, stdout, stderr } = await runProgram(['--version'], { env, cwd });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^\d+\.\d+\.\d+(-dev)?\n$/);
}

function makeFolder(name: string): string {
  const path = join(directory.path, name);
  mkdirSync(path);
  return path;
}

/** Files in all depths, by path. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}
