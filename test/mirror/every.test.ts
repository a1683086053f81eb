// Runs at intervals into a real store, with a clock whose waits end at once.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { register } from '@prometheus-io/client';
import { readArchive } from '../../src/archive/archive-reader.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { countRuns } from '../../src/mirror/metrics.ts';
import { mirrorServer } from '../../src/mirror/mirror.ts';
import { MirrorProgress } from '../../src/mirror/mirror-progress.ts';
import { AppError } from '../../src/model/app-error.ts';
import { parseMetrics } from '../admin/metrics-text.ts';
import { chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { serveArchives } from '../upstream/archive-source.ts';
import { chart, pluginRoutes, serveRoutes } from '../upstream/dialect-server.ts';
import { fastClock, recordsOf } from '../upstream/mirror-into.ts';

const hourMs = 3_600_000;

/** Options of runs every half hour that copy plugin 7. */
function everyHalfHour(address: string, path: string) {
  return {
    store: parseStoreName(path),
    address,
    userAgent: 'plugin-metrics/test',
    readArchive,
    pluginIds: [7],
    maxElements: undefined,
    givenSoftware: [],
    trimsLeadingZeros: false,
    historyStepMs: undefined,
    isAgain: false,
    allowsFuture: false,
    rate: 100_000,
    everyMs: hourMs / 2,
  };
}

test('runs at intervals keep a history with one time for each step', async () => {
  const clock = fastClock(Date.UTC(2026, 5, 1, 0, 10));
  const controller = new AbortController();
  const charts = { version: chart(71, { type: 'simple_pie' }) };
  await using server = await serveRoutes({
    ...pluginRoutes({ charts }),
    '/plugins/7/charts/version/data': (_, count) => ({ body: [{ name: 'v', y: count + 1 }] }),
  });
  using directory = temporaryDirectory();
  const path = directory.at('mirror.db');
  const options = everyHalfHour(server.url, path);
  let runCount = 0;
  await mirrorServer(
    { ...options, historyStepMs: hourMs, clock, signal: controller.signal },
    {
      onStart: () => ({ [Symbol.dispose]: () => {} }),
      onFailure: (error) => assert.fail(error),
      onEnd: () => {
        if (++runCount === 6) controller.abort();
      },
      onWait: () => {},
    },
  );
  const [history] = (await recordsOf({ path })).filter(({ record }) => record === 'history');
  const first = Date.UTC(2026, 5, 1);
  assert.deepEqual(history?.['times'], [first, first + hourMs, first + 2 * hourMs]);
  assert.deepEqual(history?.['series'], [{ name: 'v', values: [2, 4, 6] }]);
});

test('a run says that the source is down, and the next one copies by archive', async () => {
  const clock = fastClock(Date.UTC(2026, 5, 1, 0, 10));
  const controller = new AbortController();
  await using source = await serveArchives([
    softwareLine(),
    pluginLine(),
    chartLine(),
    dataLine('players', '[[1000,1]]'),
    '{"record":"event","pluginId":7,"time":1000,"title":"1.0","url":null}',
  ]);
  const { server, mirror } = source;
  for (const [path, route] of Object.entries(pluginRoutes())) server.routes.set(path, route);
  server.routes.set('/api/v2/software', { status: 503, headers: { 'Retry-After': '3600' } });
  const seen: string[] = [];
  const options = everyHalfHour(server.url, mirror.path);
  const listener = countRuns(
    {
      onStart: () => ({ [Symbol.dispose]: () => {} }),
      onFailure: ({ place = '', message }) => seen.push(`${place.replace(server.url, '')}: ${message}`),
      onWait: () => {
        assert.ok(!existsSync(mirror.path));
        server.routes.delete('/api/v2/software');
      },
      onEnd: ({ doneCount }) => {
        seen.push(`${doneCount} done`);
        controller.abort();
      },
    },
    { everyMs: options.everyMs, now: clock.now },
  );
  await mirrorServer({ ...options, clock, signal: controller.signal }, listener);
  assert.deepEqual(seen, [
    '/api/v2/software: answered 503; its Retry-After is 3600, and a retry waits 300 s at most',
    '1 done',
  ]);
  const nowSeconds = clock.now() / 1000;
  assert.deepEqual(await countedRuns(), [
    ['interval_seconds', 1800],
    ['last_run_timestamp_seconds', nowSeconds],
    ['last_success_timestamp_seconds', nowSeconds],
    ['failures_total', 1],
  ]);
  assert.equal(await source.mirrorText(), await source.sourceText());
});

test('failures are counted by plugin, up to a thousand, and a run with one is no success', async () => {
  register.resetMetrics();
  const nothing = () => {};
  const shown = {
    onStart: () => ({ [Symbol.dispose]: nothing }),
    onFailure: nothing,
    onEnd: nothing,
    onWait: nothing,
  };
  const { onFailure, onEnd } = countRuns(shown, { everyMs: hourMs, now: () => 5000 });
  for (const id of [...Array(1002).keys(), 1]) onFailure(new AppError('invalid', 'no'), id);
  onEnd(Object.assign(new MirrorProgress(() => 0), { failedCount: 1 }));
  const counted = new Map(await countedRuns());
  const series = ['0', '1', '999', 'other', '1000'].map((id) =>
    counted.get(`failures_total{plugin="${id}"}`),
  );
  assert.deepEqual(series, [1, 2, 1, 2, undefined]);
  assert.equal(counted.get('last_success_timestamp_seconds'), 0);
});

/** Reads the metrics of a mirror, without the beginning of their names. */
async function countedRuns(): Promise<ReadonlyArray<readonly [string, number]>> {
  const prefix = 'plugin_metrics_mirror_';
  const all = [...parseMetrics(await register.metrics())];
  return all
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value]);
}
