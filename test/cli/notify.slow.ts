// notify in a process of its own: killed while it sends, and repeated until a signal.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventLine, pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { randomFrom } from '../support/points.ts';
import { endOf, runProcess, startProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { startWebhook } from '../support/webhook-server.ts';

const directory = directoryOfFile();
const store = directory.at('store.db');
const titles = Array.from({ length: 40 }, (_, index) => `Event ${index}`);
await importText(
  store,
  pastText([softwareLine(), pluginLine(), ...titles.map((title, index) => eventLine(index, title))]),
);
const argvOf = ({ href }: URL, state: string) => [
  ...[
    'notify',
    '--store',
    store,
    '--plugin',
    '7',
    '--all',
    '--webhook',
    href,
    '--state',
    directory.at(state),
  ],
];

test('killed at any moment, it sends nothing twice but the entry on its way', {
  timeout: 120_000,
}, async () => {
  const { url, sent } = await startWebhook();
  const argv = argvOf(url, 'killed');
  const random = randomFrom(66);
  let killCount = 0;
  while (sent.length < titles.length && killCount < 12) {
    const seen = sent.length;
    const child = startProgram(argv);
    const ended = endOf(child);
    while (sent.length === seen && child.exitCode === null) await sleep(1);
    await sleep(random() * 40);
    if (child.kill('SIGKILL')) killCount++;
    await ended;
  }
  assert.ok(killCount > 1, `${killCount} kills`);
  assert.equal((await runProcess(argv)).code, 0);
  const places = sent.map(({ title = '' }) => titles.indexOf(title));
  assert.deepEqual([...new Set(places)], [...titles.keys()]);
  // A run begins with the entry that was on its way, or with the next.
  let repeatCount = 0;
  for (const [index, place] of places.entries())
    if (index > 0 && place !== Number(places[index - 1]) + 1) {
      assert.equal(place, places[index - 1]);
      repeatCount++;
    }
  assert.ok(repeatCount <= killCount, `${repeatCount} repeated, ${killCount} kills`);
});

// Near :00 and :30, the first run waits for up to three minutes and a half.
test('--every repeats until a signal, also after a failure', { timeout: 300_000 }, async () => {
  const { url, sent } = await startWebhook();
  const child = startProgram([...argvOf(url, 'none/every'), '--every', '1m']);
  const ended = endOf(child);
  let printed = '';
  while (!printed.includes('error: ')) printed += (await once(child.stderr, 'data')).join('');
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  assert.deepEqual([code, sent], [0, []]);
  assert.match(stderr, /error: \S*none\/every: /);
});
