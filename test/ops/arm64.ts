/** The executable for arm64, run by QEMU: it starts, imports and serves a page. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { buildSingleFiles } from '../../build/single-file.ts';
import { sampleFile } from '../http/support/sample-file.ts';
import { startServing } from '../serve/support/serving.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('the executable for arm64 starts, imports and serves a page', async () => {
  using directory = temporaryDirectory();
  const [program = ''] = await buildSingleFiles(['arm64'], directory.at('bin'));
  const emulated = ['-L', '/usr/aarch64-linux-gnu', program];
  // With its variables of glibc set, the program does not replace itself, which this machine could not run.
  const options = { cwd: directory.path, env: { PATH: '/usr/bin:/bin', MALLOC_ARENA_MAX: '2' } };
  const run = async (...argv: readonly string[]) => {
    const { stdout, stderr } = await promisify(execFile)('qemu-aarch64', [...emulated, ...argv], options);
    return stdout + stderr;
  };
  assert.match(await run('--version'), /^\d+\.\d+\.\d+\n$/);
  assert.match(await run('import', sampleFile), /^imported 6 software, 21 plugins, /);
  await using server = await startServing([], {
    start: (argv) => spawn('qemu-aarch64', [...emulated, ...argv], options),
  });
  assert.match(await (await fetch(`${server.url}/plugin/bukkit/ExamplePlugin/1337`)).text(), /ExamplePlugin/);
  assert.equal((await fetch(`${server.url}/embed/1337.svg`)).status, 200);
});
