// Runs at intervals into a real store, with a clock whose waits end at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readArchive } from '../../src/archive/archive-reader.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { mirrorServer } from '../../src/mirror/mirror.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chart, pluginRoutes, serveRoutes } from '../upstream/dialect-server.ts';
import { fastClock, recordsOf } from '../upstream/mirror-into.ts';

test('runs at intervals keep a history with one time for each step', async () => {
  const hourMs = 3_600_000;
  const clock = fastClock(Date.UTC(2026, 5, 1, 0, 10));
  const controller = new AbortController();
  const charts = { version: chart(71, { type: 'simple_pie' }) };
  await using server = await serveRoutes({
    ...pluginRoutes({ charts }),
    '/plugins/7/charts/version/data': (_, count) => ({ body: [{ name: 'v', y: count + 1 }] }),
  });
  using directory = temporaryDirectory();
  const path = directory.at('mirror.db');
  const options = {
    store: parseStoreName(path),
    address: server.url,
    userAgent: 'plugin-metrics/test',
    readArchive,
    pluginIds: [7],
    maxElements: undefined,
    givenSoftware: [],
    trimsLeadingZeros: false,
    historyStepMs: hourMs,
    isAgain: false,
    allowsFuture: false,
    rate: 100_000,
    concurrency: 1,
    everyMs: hourMs / 2,
    clock,
    signal: controller.signal,
  };
  let runCount = 0;
  await mirrorServer(options, {
    onStart: () => ({ [Symbol.dispose]: () => {} }),
    onFailure: (error) => assert.fail(error),
    onEnd: () => {
      if (++runCount === 6) controller.abort();
    },
    onWait: () => {},
  });
  const [history] = (await recordsOf({ path })).filter(({ record }) => record === 'history');
  const first = Date.UTC(2026, 5, 1);
  assert.deepEqual(history?.['times'], [first, first + hourMs, first + 2 * hourMs]);
  assert.deepEqual(history?.['series'], [{ name: 'v', values: [2, 4, 6] }]);
});
