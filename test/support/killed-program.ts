/** Runs the program, and kills it while it works. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const readyPath = fileURLToPath(new URL('ready-program.ts', import.meta.url));

/** Runs the program to its end, and returns how many milliseconds that took after loading. */
export async function durationOf(argv: readonly string[]): Promise<number> {
  const child = start(argv);
  const closed = once(child, 'close');
  await once(child.stdout ?? child, 'data');
  const readyAt = performance.now();
  assert.deepEqual(await closed, [0, null]);
  return performance.now() - readyAt;
}

/** Kills the program this many milliseconds after loading; true if it was still running. */
export async function killAfter(argv: readonly string[], ms: number): Promise<boolean> {
  const child = start(argv);
  const closed = once(child, 'close');
  await once(child.stdout ?? child, 'data');
  await sleep(ms);
  child.kill('SIGKILL');
  return (await closed)[1] === 'SIGKILL';
}

function start(argv: readonly string[]): ChildProcess {
  return spawn(process.execPath, [readyPath, ...argv], { stdio: ['ignore', 'pipe', 'ignore'] });
}
