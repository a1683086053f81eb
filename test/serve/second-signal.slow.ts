// A second signal while the server ends: a terminal and a parent process may both send one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveText, softwareLine } from '../support/archive-text.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { startServing } from './support/serving.ts';

test('a second signal at any moment leaves the exit code at 0', async () => {
  using directory = temporaryDirectory();
  const store = directory.at('store.db');
  await importText(store, archiveText([softwareLine()]));
  for (let gapMs = 0; gapMs < 36; gapMs += 2) {
    await using server = await startServing(['--store', store]);
    server.signal('SIGINT');
    await sleep(gapMs);
    server.signal('SIGTERM');
    const { code, signal } = await server.ended;
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, `${gapMs} ms`);
  }
});
