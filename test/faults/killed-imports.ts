/**
 * Imports whose writes fail or kill them: the store has the old state or the new one, and
 * is good. Run by `npm run test:faults`; needs strace.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Run } from '../support/run-program.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { amount } from './support/form.ts';
import { type ImportCase, importCase } from './support/interrupted-import.ts';
import { runTraced } from './support/programs.ts';

const directory = directoryOfFile();

const cases = {
  'an existing store': await importCase(directory.at('existing'), false),
  'a new store': await importCase(directory.at('new'), true),
};
const callRuns = amount({ quick: 5, long: 100 });

for (const [what, of] of Object.entries(cases)) {
  for (const [calls, injection] of [
    ['pwrite64', 'signal=SIGKILL'],
    ['fsync,fdatasync', 'signal=SIGKILL'],
    ['linkat,link,unlink,ftruncate', 'signal=SIGKILL'],
    ['pwrite64', 'error=EIO'],
    ['pwrite64', 'error=ENOSPC'],
    ['fsync,fdatasync', 'error=EIO'],
  ] as const) {
    test(`an import into ${what} with ${injection} at ${calls} leaves the state before or after`, async (t) => {
      const total = await countCalls(of, calls);
      const outcomes = { before: 0, after: 0, killed: 0, failed: 0, done: 0 };
      const step = Math.max(1, Math.floor(total / callRuns));
      for (let at = 1; at <= total; at += step) {
        const store = of.prepare('failed');
        const trace = { calls, inject: `${calls}:${injection}:when=${at}` };
        const run = await runTraced(trace, ['import', '--store', store, of.archiveFile]);
        const outcome = await of.examine(store);
        outcomes[outcome]++;
        outcomes[endOfRun(run, outcome)]++;
      }
      t.diagnostic(`one in ${step} of ${total} calls: ${JSON.stringify(outcomes)}`);
      assert.ok(outcomes.killed + outcomes.failed > 0);
    });
  }
}

/** Checks the report of an import that was not killed: done and stored, or one line that names the store. */
function endOfRun({ code, signal, stderr }: Run, outcome: 'before' | 'after') {
  if (signal === 'SIGKILL') return 'killed';
  if (code === 0) {
    assert.equal(outcome, 'after', 'what is reported as stored is stored');
    return 'done';
  }
  assert.equal(code, 1, stderr);
  assert.match(stderr, /^error: the store \S+ cannot be [^\n]+\n$/);
  return 'failed';
}

async function countCalls(of: ImportCase, calls: string): Promise<number> {
  const logFile = directory.at('calls.log');
  const run = await runTraced({ calls, logFile }, ['import', '--store', of.prepare('whole'), of.archiveFile]);
  assert.equal(run.code, 0, run.stderr);
  // strace counts calls per thread; SQLite runs on the first one.
  const threads = readFileSync(logFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ', 1)[0]);
  return threads.filter((one) => one === threads[0]).length;
}
