/** Progress of commands: a line a minute elsewhere, one line on a terminal, which util-linux plays. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { recordChecker } from '../../src/archive/check-record.ts';
import { startStatus, type WorkStep } from '../../src/cli/output.ts';
import { openSqliteStore } from '../../src/store/store.ts';
import { sampleFile } from '../http/support/sample-file.ts';
import { mainPath } from '../support/run-program.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const directory = directoryOfFile();

/** Starts a status with a clock that the test moves. */
function startShown(t: TestContext, step: WorkStep, isTerminal: boolean) {
  let time = 0;
  const written: string[] = [];
  t.mock.timers.enable({ apis: ['setInterval'] });
  t.mock.method(performance, 'now', () => time);
  t.mock.method(process.stderr, 'write', (text: string) => written.push(text) > 0);
  const before = process.stderr.isTTY;
  process.stderr.isTTY = isTerminal;
  t.after(() => {
    process.stderr.isTTY = before;
  });
  const status = startStatus(() => step);
  const wait = (ms: number) => {
    time += ms;
    t.mock.timers.tick(ms);
  };
  return { status, wait, written };
}

const step: WorkStep = { doing: 'importing 3 charts', share: 0.25, rate: { count: 120_000, noun: 'point' } };

test('without a terminal there is a line a minute: what is done, per cent, rate, time left', (t) => {
  const { status, wait, written } = startShown(t, step, false);
  wait(59_000);
  assert.deepEqual(written, []);
  wait(1_000);
  assert.deepEqual(written, ['importing 3 charts; 25 %; 2,000 points/s; 3 min left\n']);
  wait(59_000);
  assert.equal(written.length, 1);
  wait(1_000);
  assert.equal(written.length, 2);
  status[Symbol.dispose]();
  wait(120_000);
  assert.equal(written.length, 2);
});

test('on a terminal one line appears after two seconds, is drawn again, and goes at the end', (t) => {
  const { status, wait, written } = startShown(t, { doing: 'compacting x' }, true);
  wait(1_900);
  assert.deepEqual(written, []);
  wait(250);
  wait(250);
  assert.deepEqual(written, Array(2).fill('\r\u001b[Kcompacting x'));
  status[Symbol.dispose]();
  assert.equal(written.at(-1), '\r\u001b[K');
});

test('a command on a terminal says how far it is, also of standard input that is a file', async () => {
  const pidFile = directory.at('pid');
  const store = directory.at('terminal.db');
  // The program stops itself again and again, and is so slow that it says how far it is.
  const slow = directory.at('slow.mjs');
  writeFileSync(slow, "setInterval(() => process.kill(process.pid, 'SIGSTOP'), 30).unref();");
  const command = `${process.execPath} --import ${slow} ${mainPath} import - --store ${store} <${sampleFile} & echo $! >${pidFile}; wait`;
  const terminal = spawn('script', ['--quiet', '--return', '--command', `sh -c '${command}'`, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = Array.fromAsync<string>(terminal.stdout.setEncoding('utf8'));
  await waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'));
  const pid = Number(readFileSync(pidFile, 'utf8'));
  while (terminal.exitCode === null) {
    goOn(pid);
    await sleep(200);
  }
  const lines = (await output).join('').split('\r\u001b[K');
  assert.match(lines[1] ?? '', /^importing .*; \d+ %/);
  assert.ok(lines.some((line) => /^imported 6 software, .* into .*terminal\.db\r\n$/.test(line)));
  assert.ok(existsSync(store));
});

function goOn(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has ended.
  }
}

test('a check names each chart that it is at, and its share grows to the end', async () => {
  const store = directory.at('check.db');
  await promisify(execFile)(process.execPath, [mainPath, 'import', '--store', store, sampleFile]);
  const steps: (readonly [doing: string, share: number])[] = [];
  const faults = openSqliteStore(store).check(recordChecker(), (...step) => steps.push(step));
  assert.deepEqual(await Array.fromAsync(faults), []);
  assert.ok(steps.some(([doing]) => doing === 'checking 1337/players'));
  const shares = steps.map(([, share]) => share);
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  assert.ok((shares[0] ?? 1) < 0.01 && (shares.at(-1) ?? 0) > 0.6, `${shares[0]} ${shares.at(-1)}`);
});
