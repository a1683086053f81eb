// The niceness of the threads beside the main one.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { putMainThreadFirst } from '../../src/serve/helper-threads.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { nicenessOf } from './support/niceness.ts';

test('the main thread goes before all others, and only it in this process', async () => {
  using directory = temporaryDirectory();
  // Starts the threads that read files.
  await readdir('/proc/self/task');
  const before = nicenessOf(process.pid);
  const own = before.get(process.pid) ?? Number.NaN;
  const helpers = [...before.keys()].filter((thread) => thread !== process.pid);
  assert.ok(helpers.length >= 8);

  await putMainThreadFirst(directory.at('missing'));
  const foreign = directory.at('foreign');
  mkdirSync(foreign);
  for (const helper of helpers) writeFileSync(`${foreign}/${helper}`, '');
  await putMainThreadFirst(foreign);
  assert.deepEqual(
    nicenessOf(process.pid),
    before,
    'the threads of a folder without this process are not its own',
  );

  const ended = directory.at('ended');
  mkdirSync(ended);
  for (const thread of [process.pid, 2 ** 30]) writeFileSync(`${ended}/${thread}`, '');
  await putMainThreadFirst(ended);
  assert.deepEqual(nicenessOf(process.pid), before, 'a thread that has ended');

  await putMainThreadFirst();
  const after = nicenessOf(process.pid);
  assert.equal(after.get(process.pid), own);
  for (const helper of helpers) assert.equal(after.get(helper), Math.min(own + 5, 19));
});
