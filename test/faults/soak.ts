/**
 * A mixed load of images, pages and imports: no error, and neither memory nor handles grow. A minute in the
 * quick form, an hour in the long one, or as long as `PLUGIN_METRICS_TEST_SOAK_MINUTES` says. Run by `npm run
 * test:faults`.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDirectory, makeSampleStore } from '../http/support/test-server.ts';
import { archiveText } from '../support/archive-text.ts';
import { runProcess } from '../support/run-program.ts';
import { amount } from './support/form.ts';
import { serveProgram } from './support/served-program.ts';

const minutes = Number(process.env['PLUGIN_METRICS_TEST_SOAK_MINUTES'] ?? amount({ quick: 1, long: 60 }));
const totalMs = minutes * 60_000;
const importEveryMs = minutes === 1 ? 6_000 : 60_000;
const pauseMs = minutes === 1 ? 4 : 20;
const line = '/api/v1/plugins/1337/charts/players';
const targets = (turn: number) => [
  ...['/api/v1/plugins', '/api/v1/plugins/1337', '/api/v1/plugins/1337/charts', line, '/api/v1/software'],
  ...[
    `${line}/data`,
    `${line}/data?maxElements=${turn % 5000}`,
    `${line}/data?maxElements=1`,
    '/openapi.json',
  ],
  ...['/embed/1337.svg', `/embed/1337/players.svg?width=${200 + (turn % 1400)}`, '/badge/1337/players.svg'],
  ...[
    `/embed/1337/players.png?width=${200 + (turn % 200)}`,
    '/',
    '/?q=e',
    '/compare?charts=1337:players,1337:servers',
  ],
];

test('a mixed load with occasional imports gets no error, and nothing grows', async (t) => {
  const store = await makeSampleStore();
  const archive = join(makeDirectory(), 'tick.ndjson');
  // A small cache fills early; growth after that is not the cache.
  await using server = await serveProgram(store, { argv: ['--cache-mb', '8'] });
  const samples: { readonly atMs: number; readonly bytes: number; readonly handles: number }[] = [];
  const counts = { answers: 0, imports: 0, errors: 0 };
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const ask = async () => {
    for (let turn = 0; elapsed() < totalMs; turn++) {
      for (const target of targets(turn)) {
        if ((await server.get(target)).status !== 200) counts.errors++;
        counts.answers++;
        await sleep(pauseMs);
      }
    }
  };
  const importNow = async () => {
    let at = Date.UTC(2036, 0);
    while (elapsed() < totalMs) {
      at += 1_800_000;
      const data = `{"record":"data","pluginId":1337,"chartId":"players","data":[[${at},${counts.imports}]]}`;
      writeFileSync(archive, archiveText([data]));
      const run = await runProcess(['import', '--allow-future', '--store', store, archive]);
      assert.equal(run.code, 0, run.stderr);
      counts.imports++;
      const latest = await server.get(`${line}/data?maxElements=1`);
      assert.equal(latest.text, `[[${at},${counts.imports - 1}]]`, 'an import is in the next response');
      await sleep(importEveryMs);
    }
  };
  const watch = async () => {
    for (; elapsed() < totalMs; await sleep(totalMs / 240))
      samples.push({ atMs: elapsed(), bytes: server.residentBytes(), handles: server.handleCount() });
  };
  await Promise.all([ask(), ask(), importNow(), watch()]);
  // A server is still warming up in the first third.
  const later = samples.filter(({ atMs }) => atMs > totalMs / 3);
  const middle = later.length / 2;
  const most = (some: typeof later, of: 'bytes' | 'handles') => Math.max(...some.map((sample) => sample[of]));
  const grown = (of: 'bytes' | 'handles') => most(later.slice(middle), of) - most(later.slice(0, middle), of);
  const mebibytes = most(later, 'bytes') / 1024 / 1024;
  t.diagnostic(`${JSON.stringify(counts)}; at most ${mebibytes.toFixed(0)} MiB`);
  assert.equal(counts.errors, 0);
  assert.equal(server.stderr(), '');
  assert.ok(grown('handles') < 20, `${grown('handles')} handles more`);
  assert.ok(grown('bytes') < 64 * 1024 * 1024, `${grown('bytes')} bytes more`);
  assert.ok(mebibytes < 400, `${mebibytes} MiB`);
});
