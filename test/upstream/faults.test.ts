// Slow, broken, overloaded and hostile servers.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chart, pluginRoutes, type Reply, type Route, serveRoutes } from './dialect-server.ts';
import { emptyMirror, fastClock, type MirrorOnceOptions, mirrorOnce, recordsOf } from './mirror-into.ts';

const good = pluginRoutes();
const detail = good['/plugins/7'] as Reply;
const now = 1_700_000_000_000;

/** Mirrors plugin 7 from a server whose detail answers these one after the other, the last one repeatedly. */
async function mirrorWith(replies: readonly Reply[], options: MirrorOnceOptions = {}) {
  await using server = await serveRoutes({ ...good, '/plugins/7': replies });
  using directory = temporaryDirectory();
  const mirror = emptyMirror(directory.path);
  const clock = fastClock(now);
  const { failures } = await mirrorOnce(mirror, server.url, { clock, timeoutMs: 60_000, ...options });
  const isStored = existsSync(mirror.path) && (await recordsOf(mirror)).length === 4;
  const attempts = server.requests.filter(({ target }) => target.endsWith('/plugins/7')).length;
  return { failures, isStored, attempts, waits: clock.waits.filter((ms) => ms > 100) };
}

describe('a temporary error is retried:', { concurrency: true }, () => {
  const passing: Readonly<Record<string, readonly Reply[]>> = {
    'no response': [{ fault: 'stalled' }],
    'a connection that is reset': [{ fault: 'reset' }],
    'a connection that ends within the body': [{ ...detail, fault: 'cut' }],
    'invalid gzip': [{ ...detail, fault: 'lyingGzip' }],
    'a burst of 500s': [{ status: 500 }, { status: 502 }, { status: 503 }, { status: 504 }],
    '429': [{ status: 429 }],
  };
  for (const [what, replies] of Object.entries(passing)) {
    test(what, async () => {
      // The answers that follow have this time too, on a busy machine as well.
      const isLate = replies.some(({ fault }) => fault === 'stalled' || fault === 'slow');
      const options = isLate ? { timeoutMs: 2000 } : {};
      const { failures, isStored, attempts, waits } = await mirrorWith([...replies, detail], options);
      assert.deepEqual(failures, []);
      assert.ok(isStored);
      assert.equal(attempts, replies.length + 1);
      assert.deepEqual(waits, [750, 1500, 3000, 6000].slice(0, replies.length));
    });
  }

  const later = new Date(now + 20_000).toUTCString();
  for (const [header, ms] of [
    ['7', 7000],
    [later, 20_000],
  ] as const) {
    test(`429 with Retry-After: ${header}`, async () => {
      const { failures, waits } = await mirrorWith([
        { status: 429, headers: { 'Retry-After': header } },
        detail,
      ]);
      assert.deepEqual(failures, []);
      assert.ok((waits[0] ?? 0) >= ms && (waits[0] ?? 0) < ms + 1000, String(waits));
    });
  }

  test('but not if the source asks for more than five minutes', async () => {
    const { failures, attempts } = await mirrorWith([{ status: 429, headers: { 'Retry-After': '3600' } }]);
    assert.deepEqual(failures, ['/api/v1/plugins/7: answered 429']);
    assert.equal(attempts, 1);
  });
});

describe('a permanent error is not retried:', () => {
  test('an endless body', async () => {
    const { failures, attempts } = await mirrorWith([{ fault: 'endless' }], {
      maxBytes: 1_000_000,
    });
    assert.deepEqual(failures, ['/api/v1/plugins/7: the body has more than 1000000 bytes']);
    assert.equal(attempts, 1);
  });

  test('a redirect, whose target is named', async () => {
    await using other = await serveRoutes(good);
    for (const location of [`${other.url}/api/v1/plugins/7`, '//other.example/x', '/api/v1/plugins/7/']) {
      const { failures, attempts } = await mirrorWith([{ status: 302, headers: { Location: location } }]);
      assert.deepEqual(failures, [`/api/v1/plugins/7: it has moved to "${location}": use that address`]);
      assert.equal(attempts, 1);
    }
    assert.equal(other.requests.length, 0);
    const nowhere = await mirrorWith([{ status: 301 }]);
    assert.deepEqual(nowhere.failures, ['/api/v1/plugins/7: answered 301']);
  });
});

describe('no more of a response is read and shown than necessary:', () => {
  const problem = (detail: unknown): Reply => ({
    status: 403,
    headers: { 'Content-Type': 'application/problem+json' },
    body: { title: 'No', detail },
  });
  const override = '\u202e';

  test('a long reason for a refusal', async () => {
    const { failures } = await mirrorWith([problem(override.repeat(10_000))]);
    assert.deepEqual(failures, [`/api/v1/plugins/7: answered 403: ${override.repeat(499)}…`]);
  });

  for (const [what, reply] of Object.entries({
    'an endless refusal': { status: 403, fault: 'endless' } as const,
    'a refusal that is a decompression bomb': { status: 403, fault: 'bomb' } as const,
  })) {
    test(what, async () => {
      const { failures, attempts } = await mirrorWith([reply], { maxBytes: 1_000_000 });
      assert.deepEqual(failures, ['/api/v1/plugins/7: answered 403']);
      assert.equal(attempts, 1);
    });
  }

  test('a chart id of megabytes', async () => {
    const { failures } = await mirrorWith([
      {
        body: `{"id":7,"name":"P","owner":{"id":1,"name":"O"},"charts":{"${override.repeat(2_000_000)}":{}}}`,
      },
    ]);
    assert.ok((failures[0] ?? '').length < 400, `${failures[0]?.length} characters`);
  });
});

describe('a body that is not UTF-8 is refused as a whole:', () => {
  const notUtf8 = (value: unknown): Reply => ({ body: Buffer.from(JSON.stringify(value), 'latin1') });
  const plugin = (name: string) => ({ ...(detail.body as object), name });
  const cases: ReadonlyArray<readonly [what: string, routes: Record<string, Route>, path: string]> = [
    ['a name', { '/plugins/7': notUtf8(plugin('Käse')) }, '/plugins/7'],
    ['the plugin list', { '/plugins': notUtf8([{ id: 1, name: 'Käse' }]) }, '/plugins'],
  ];
  for (const [what, routes, path] of cases) {
    test(what, async () => {
      await using server = await serveRoutes({ ...good, ...routes });
      using directory = temporaryDirectory();
      const mirror = emptyMirror(directory.path);
      const { failures, progress } = await mirrorOnce(mirror, server.url);
      assert.deepEqual(failures, [`/api/v1${path}: the body is not valid UTF-8`]);
      assert.ok(!progress.isComplete);
      assert.ok(!existsSync(mirror.path));
      const attempts = server.requests.filter(({ target }) => target === `/api/v1${path}`);
      assert.equal(attempts.length, 1);
    });
  }

  test('but not one with a byte order mark', async () => {
    const { failures, isStored } = await mirrorWith([{ body: `\ufeff${JSON.stringify(plugin('Käse'))}` }]);
    assert.deepEqual(failures, []);
    assert.ok(isStored);
  });
});

test('a correct content coding is decoded, and the requests have a User-Agent', async () => {
  await using server = await serveRoutes({ ...good, '/plugins/7': { ...detail, fault: 'gzip' } });
  using directory = temporaryDirectory();
  const { failures } = await mirrorOnce(emptyMirror(directory.path), server.url);
  assert.deepEqual(failures, []);
  for (const { headers } of server.requests) {
    assert.equal(headers['user-agent'], 'plugin-metrics/test');
    // A remote server would be asked for gzip and br.
  }
});

test('a plugin that fails does not affect the others, and its stored data stays', async () => {
  const live = { software: { id: 1 }, isGlobal: false };
  const other = {
    id: 8,
    name: 'Other',
    owner: { id: 1, name: 'O' },
    charts: { players: chart(80) },
    ...live,
  };
  await using server = await serveRoutes({
    ...good,
    '/plugins/8': { body: other },
    '/plugins/8/charts/players/data': { body: [[1000, 1]] },
  });
  using directory = temporaryDirectory();
  const mirror = emptyMirror(directory.path);
  await mirrorOnce(mirror, server.url, { pluginIds: [7, 8] });
  const before = await recordsOf(mirror);
  server.routes.set('/plugins/7', { body: { id: 7, name: 'Changed' } });
  server.routes.set('/plugins/8', { body: { ...other, name: 'Renamed' } });
  const { failures, progress } = await mirrorOnce(mirror, server.url, { pluginIds: [7, 8] });
  assert.deepEqual(failures, ['/api/v1/plugins/7: the field "owner" is missing']);
  assert.equal(progress.doneCount, 1);
  assert.ok(!progress.isComplete);
  const named = before.map((record) =>
    record['name'] === 'Other' ? { ...record, name: 'Renamed' } : record,
  );
  assert.deepEqual(await recordsOf(mirror), named);
});

test('data that changes between two requests fails its plugin, and the next run copies it', async () => {
  const charts = { pie: chart(71, { type: 'simple_pie' }), gone: chart(72) };
  await using server = await serveRoutes({
    ...pluginRoutes({ charts }),
    // It has become a line meanwhile, and the other chart is gone.
    '/plugins/7/charts/pie/data': { body: [[1000, 1]] },
  });
  using directory = temporaryDirectory();
  const mirror = emptyMirror(directory.path);
  const { failures } = await mirrorOnce(mirror, server.url);
  assert.match(failures[0] ?? '', /^\/api\/v1\/plugins\/7\/charts\/pie\/data: data\[0\] must be an object/);
  server.routes.set('/plugins/7', pluginRoutes()['/plugins/7'] ?? {});
  assert.deepEqual((await mirrorOnce(mirror, server.url)).failures, []);
});

test('a source that is down ends the run early', async () => {
  const { '/software': software = {} } = good;
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  const down = ids.map((id) => [`/plugins/${id}`, { status: 503 }] as const);
  await using server = await serveRoutes({ '/software': software, ...Object.fromEntries(down) });
  using directory = temporaryDirectory();
  const { progress } = await mirrorOnce(emptyMirror(directory.path), server.url, {
    pluginIds: ids,
  });
  assert.equal(progress.failedCount, 5);
  assert.equal(progress.skippedCount, 95);
  assert.equal(server.requests.length, 2 + 5 * 5);
});
