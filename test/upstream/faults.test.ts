// Slow, broken, overloaded and hostile servers.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chart, pluginRoutes, type Reply, serveRoutes } from './dialect-server.ts';
import { emptyMirror, fastClock, type MirrorOnceOptions, mirrorOnce, recordsOf } from './mirror-into.ts';

const good = pluginRoutes();
const detail = good['/plugins/7'] as Reply;

/** Mirrors plugin 7 from a server whose detail answers these one after the other, the last one repeatedly. */
async function mirrorWith(replies: readonly Reply[], options: MirrorOnceOptions = {}) {
  await using server = await serveRoutes({ ...good, '/plugins/7': replies });
  using directory = temporaryDirectory();
  const mirror = emptyMirror(directory.path);
  const clock = fastClock();
  const { failures } = await mirrorOnce(mirror, server.url, { clock, timeoutMs: 60_000, ...options });
  const isStored = existsSync(mirror.path) && (await recordsOf(mirror)).length === 4;
  const attempts = server.requests.filter(({ target }) => target.endsWith('/plugins/7')).length;
  return { failures, isStored, attempts, waits: clock.waits.filter((ms) => ms > 100) };
}

describe('a temporary error is retried:', { concurrency: true }, () => {
  for (const [what, reply] of Object.entries({
    'no response': { fault: 'stalled' },
    'a body that stops in the middle': { ...detail, fault: 'truncated' },
  } as const))
    test(what, async () => {
      // The answer that follows has this time too, on a busy machine as well.
      const { failures, isStored, attempts, waits } = await mirrorWith([reply, detail], { timeoutMs: 2000 });
      assert.deepEqual(failures, []);
      assert.ok(isStored);
      assert.equal(attempts, 2);
      assert.deepEqual(waits, [750]);
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
  test('an endless refusal', async () => {
    const { failures, attempts } = await mirrorWith([{ status: 403, fault: 'endless' }]);
    assert.deepEqual(failures, ['/api/v1/plugins/7: answered 403']);
    assert.equal(attempts, 1);
  });

  test('a chart id of megabytes', async () => {
    const { failures } = await mirrorWith([
      {
        body: `{"id":7,"name":"P","owner":{"id":1,"name":"O"},"charts":{"${'\u202e'.repeat(2_000_000)}":{}}}`,
      },
    ]);
    assert.ok((failures[0] ?? '').length < 400, `${failures[0]?.length} characters`);
  });
});

describe('a body that is not UTF-8 is refused as a whole:', () => {
  const notUtf8 = (value: unknown): Reply => ({ body: Buffer.from(JSON.stringify(value), 'latin1') });

  test('the plugin list', async () => {
    await using server = await serveRoutes({ ...good, '/plugins': notUtf8([{ id: 1, name: 'Käse' }]) });
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    const { failures, progress } = await mirrorOnce(mirror, server.url);
    assert.deepEqual(failures, ['/api/v1/plugins: the body is not valid UTF-8']);
    assert.ok(!progress.isComplete);
    assert.ok(!existsSync(mirror.path));
    assert.equal(server.takeTargets().filter((target) => target === '/plugins').length, 1);
  });

  test('but not one with a byte order mark', async () => {
    const { failures, isStored } = await mirrorWith([
      { body: `\ufeff${JSON.stringify({ ...(detail.body as object), name: 'Käse' })}` },
    ]);
    assert.deepEqual(failures, []);
    assert.ok(isStored);
  });
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
