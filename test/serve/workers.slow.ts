// The workers of `serve --workers`: when one dies, another is started.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { renameSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { childrenOf } from '../support/child-processes.ts';
import { randomFrom } from '../support/points.ts';
import { seed } from '../support/seed.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Serving, startServing } from './support/serving.ts';

const directory = directoryOfFile();
const storePath = directory.at('store.db');
const archive = archiveText([softwareLine(), pluginLine(), chartLine()]);
before(() => importText(storePath, archive));

const killCount = Number(process.env['PLUGIN_METRICS_TEST_MOMENTS'] ?? 3);

describe('serve --workers', { concurrency: 4 }, () => {
  for (const [what, choose] of [
    ['the worker that is replaced first', ([first]) => [first]],
    ['the replacement', ([, , replacement]) => [replacement]],
    ['everything', (all) => all],
  ] satisfies readonly (readonly [string, (pids: readonly number[]) => readonly (number | undefined)[]])[]) {
    test(`has as many as before when ${what} is killed while a replacement starts on SIGHUP`, async () => {
      await using serving = await startWorkers();
      const workers = await childrenOf(serving.pid);
      serving.signal('SIGHUP');
      let replacement: number | undefined;
      await waitUntil(async () => {
        replacement = (await childrenOf(serving.pid)).find((pid) => !workers.includes(pid));
        return replacement !== undefined;
      });
      // They are replaced in the order in which they were started.
      for (const pid of choose([...workers.toSorted((a, b) => a - b), replacement ?? 0])) kill(pid);
      await serving.isWhole();
      serving.signal('SIGTERM');
      assert.equal((await serving.ended).code, 0, serving.stderr());
    });
  }

  test(`has as many as before after ${killCount} kills during a SIGHUP (seed ${seed})`, async (t) => {
    t.diagnostic(`seed ${seed}`);
    const random = randomFrom(seed);
    await using serving = await startWorkers();
    for (let round = 0; round < killCount; round++) {
      serving.signal('SIGHUP');
      for (let deaths = 0; deaths < 2; deaths++) {
        await sleep(random() * 900);
        const pids = await childrenOf(serving.pid);
        kill(pids[Math.floor(random() * pids.length)]);
      }
    }
    await serving.isWhole();
  });

  test('waits longer before each worker that crashes at its start, but not on SIGHUP', async () => {
    const path = directory.at('moved.db');
    await importText(path, archive);
    await using serving = await startWorkers(path);
    const [worker] = await childrenOf(serving.pid);
    renameSync(path, `${path}.away`);
    kill(worker);
    const crashes: number[] = [];
    while (crashes.length < 3) {
      const count = serving.stderr().match(/ended \(code 1\); starting another/g)?.length ?? 0;
      if (count > crashes.length) crashes.push(performance.now());
      await sleep(10);
    }
    const pauses = crashes.slice(1).map((at, index) => at - (crashes[index] ?? 0));
    for (const [index, pauseMs] of pauses.entries()) assert.ok(pauseMs > 900 * 2 ** index, `${pauses}`);
    renameSync(`${path}.away`, path);
    serving.signal('SIGHUP');
    await serving.isWhole();
    assert.equal(serving.stderr().match(/ended \(code 1\); starting another/g)?.length, 3);
  });

  test('keeps trying when no process can be started', async () => {
    await using serving = await startWorkers();
    const [worker] = await childrenOf(serving.pid);
    await limitFiles(serving.pid, 16);
    kill(worker);
    await waitUntil(async () =>
      /a worker could not be started \(.*EMFILE\); starting another/.test(serving.stderr()),
    );
    await limitFiles(serving.pid, 4096);
    await serving.isWhole();
  });

  test('ends at once while a worker is due to be started', async () => {
    const path = directory.at('gone.db');
    await importText(path, archive);
    await using serving = await startWorkers(path);
    const [worker] = await childrenOf(serving.pid);
    renameSync(path, `${path}.away`);
    kill(worker);
    await waitUntil(async () => (serving.stderr().match(/ended \(code 1\)/g)?.length ?? 0) >= 2);
    const crashCount = () => serving.stderr().match(/ended \(code 1\)/g)?.length;
    const before = crashCount();
    serving.signal('SIGTERM');
    // The next one would be started after two seconds, and crash.
    assert.equal((await serving.ended).code, 0);
    assert.equal(crashCount(), before);
  });
});

interface Workers extends Serving {
  /** Waits until exactly two workers serve. */
  readonly isWhole: () => Promise<void>;
}

async function startWorkers(path = storePath, env: Readonly<Record<string, string>> = {}): Promise<Workers> {
  const serving = await startServing(['--store', path, '--workers', '2', '--admin-port', '0'], { env });
  const isWholeNow = async () =>
    (await fetch(`${serving.adminUrl}/ready`)).status === 200 && (await childrenOf(serving.pid)).length === 2;
  const staysWhole = async () => {
    for (let seen = 0; seen < 4; seen++) {
      if (!(await isWholeNow())) return false;
      await sleep(200);
    }
    return true;
  };
  return { ...serving, isWhole: () => waitUntil(staysWhole, serving.stderr) };
}

/** Limits the number of open files of a running process. */
async function limitFiles(pid: number, count: number): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--nofile=${count}:`]);
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch (error) {
    assert.equal(error instanceof Error && 'code' in error && error.code, 'ESRCH');
  }
}
