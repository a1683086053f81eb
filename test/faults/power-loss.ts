/**
 * Power loss during an import, and right after one that reported success: unflushed writes are lost. Run by `npm run
 * test:faults`; needs root, loop devices, ext4 and python3.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOf, runProcess, startProgram } from '../support/run-program.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { mountPowerDisk } from './support/disks.ts';
import { amount } from './support/form.ts';
import { importCase } from './support/interrupted-import.ts';

const directory = directoryOfFile();
const cutCount = amount({ quick: 8, long: 100 });

for (const isNew of [false, true]) {
  const what = isNew ? 'a new store' : 'an existing store';
  test(`a power loss at ${cutCount} moments of an import into ${what} leaves the state before or after`, async (t) => {
    const name = isNew ? 'new' : 'existing';
    const of = await importCase(directory.at(name), isNew);
    using disk = mountPowerDisk(directory.at(`disk-${name}`), 64 * 1024 * 1024);
    const startedAt = performance.now();
    assert.equal((await runProcess(['import', '--store', of.prepare('timed'), of.archiveFile])).code, 0);
    const wholeMs = performance.now() - startedAt;
    const outcomes = { before: 0, after: 0, done: 0 };
    for (let turn = 1; turn <= cutCount; turn++) {
      const store = join(disk.path, 'store.db');
      for (const entry of readdirSync(disk.path)) if (entry !== 'lost+found') rmSync(join(disk.path, entry));
      const source = of.prepare('source');
      if (existsSync(source)) copyFileSync(source, store);
      // The previous state is on the disk.
      execFileSync('sync', ['-f', disk.path]);
      const child = startProgram(['import', '--store', store, of.archiveFile]);
      const ended = endOf(child);
      // The last rounds let it finish: what is reported as stored must be stored.
      const isWhole = turn > cutCount * 0.75;
      if (!isWhole) await sleep((turn / cutCount / 0.75) * wholeMs);
      const isDone = isWhole && (await ended).code === 0;
      disk.cutPower();
      child.kill('SIGKILL');
      await ended;
      disk.restart();
      const found = of.prepare('found');
      rmSync(found, { force: true });
      for (const entry of readdirSync(disk.path))
        if (entry.startsWith(basename(store))) copyFileSync(join(disk.path, entry), join(found, '..', entry));
      const outcome = await of.examine(found);
      if (isDone) assert.equal(outcome, 'after', 'what was reported as stored is stored');
      outcomes[outcome]++;
      if (isDone) outcomes.done++;
    }
    t.diagnostic(JSON.stringify(outcomes));
    assert.ok(outcomes.done > 0);
  });
}
