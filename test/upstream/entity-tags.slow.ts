// Transfers that later runs avoid with entity tags.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KeptBodies } from '../../src/upstream/connection/kept-bodies.ts';
import { makeSampleStore, serveStore } from '../http/support/test-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { countBytes } from './count-bytes.ts';
import { chart, pluginRoutes, type Reply, type Route, serveRoutes } from './dialect-server.ts';
import { emptyMirror, fastClock, mirrorOnce, recordsOf } from './mirror-into.ts';

describe('a later run', () => {
  test('sends entity tags with every request, which avoids the transfer', async () => {
    await using source = await serveStore(await makeSampleStore());
    await using server = await countBytes(source.url);
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    const clock = fastClock(Date.parse('2026-11-20'));
    const all = { pluginIds: undefined, clock };
    const runs: { requestCount: number; sizeBytes: number }[] = [];
    for (let count = 0; count < 3; count++) {
      const before = server.sizeBytes();
      const { failures, progress, requestCount } = await mirrorOnce(mirror, server.url, all);
      assert.deepEqual(failures, []);
      assert.equal(progress.newPointCount === 0, count > 0);
      runs.push({ requestCount, sizeBytes: server.sizeBytes() - before });
    }
    // Like a run by another process.
    const before = server.sizeBytes();
    await mirrorOnce({ ...mirror, bodies: new KeptBodies() }, server.url, all);
    const withoutTags = server.sizeBytes() - before;
    // Long lines are requested differently from the second run on.
    const [first, second, third] = runs;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.ok(second.sizeBytes < first.sizeBytes && third.sizeBytes * 8 < withoutTags, JSON.stringify(runs));
    assert.equal(third.requestCount, second.requestCount);
  });

  test('stores a new response to a conditional request', async () => {
    await using server = await serveRoutes(pluginRoutes());
    const path = '/plugins/7/charts/players/data';
    const points = [1, 2, 3, 4].map((value) => [value * 1000, value]);
    server.routes.set(path, [
      { headers: { ETag: '"a"' }, body: points.slice(0, 1) },
      { headers: { ETag: '"b"' }, body: points.slice(0, 2) },
      { status: 304 },
      // Without an entity tag it is not kept.
      { body: points.slice(0, 3) },
      { body: points },
      // It was never requested.
      { status: 304 },
    ]);
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    const counts: number[] = [];
    for (let count = 0; count < 5; count++) {
      const { failures, progress } = await mirrorOnce(mirror, server.url, { clock: fastClock(0) });
      assert.deepEqual(failures, []);
      counts.push(progress.newPointCount);
    }
    assert.deepEqual(counts, [1, 1, 0, 1, 1]);
    const tags = server.requests
      .filter(({ target }) => target.includes(path))
      .map(({ headers }) => headers['if-none-match']);
    // The first run requests all points, which no later one does.
    assert.deepEqual(tags, [undefined, undefined, '"b"', '"b"', undefined]);
    const { failures } = await mirrorOnce(mirror, server.url, { clock: fastClock(0) });
    assert.deepEqual(failures, [`/api/v1${path}?maxElements=4: answered 304`]);
  });

  test('restores everything to a store that lost it, without a transfer', async () => {
    const { '/plugins/7': detail = {}, ...routes } = pluginRoutes({
      charts: { players: chart(70, { type: 'simple_pie' }) },
      points: [{ name: 'a', y: 1 }],
    });
    const path = '/plugins/7/charts/players/data';
    const tagged = (route: Route | undefined): Route => [
      { ...(route as Reply), headers: { ETag: '"a"' } },
      { status: 304 },
    ];
    await using server = await serveRoutes({
      ...routes,
      '/plugins/7': tagged(detail),
      [path]: tagged(routes[path]),
    });
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    await mirrorOnce(mirror, server.url);
    const other = { ...mirror, path: directory.at('other.db') };
    assert.deepEqual((await mirrorOnce(other, server.url)).failures, []);
    assert.deepEqual(await recordsOf(other), await recordsOf(mirror));
  });

  test('sends entity tags for the lists it has', async () => {
    await using server = await serveRoutes(pluginRoutes());
    for (const path of ['/plugins', '/software'])
      server.routes.set(path, [
        { ...server.routes.get(path), headers: { ETag: '"a"' } },
        { status: 304, headers: { ETag: '"a"' } },
      ]);
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    for (let count = 0; count < 3; count++)
      assert.deepEqual((await mirrorOnce(mirror, server.url)).failures, []);
    const tags = server.requests
      .filter(({ target }) => /\/v1\/(plugins|software)$/.test(target))
      .map(({ headers }) => headers['if-none-match']);
    assert.deepEqual(tags, [undefined, undefined, '"a"', '"a"', '"a"', '"a"']);
  });
});

test('bodies are kept within a budget, one per path', () => {
  const bodies = new KeptBodies(10_000);
  const keep = (path: string, sizeBytes: number, entityTag: string | null = '"a"') =>
    bodies.keep(path, { query: '', entityTag, json: new Uint8Array(sizeBytes) });
  keep('/a', 4000);
  keep('/b', 4000);
  assert.equal(bodies.find('/b', '')?.json.length, undefined);
  keep('/a', 100);
  keep('/b', 4000);
  assert.equal(bodies.find('/b', '')?.json.length, 4000);
  assert.equal(bodies.find('/a', '?maxElements=4'), undefined);
  keep('/a', 100, null);
  for (const tag of ['', 'a', '"', 'w/"a"', '"a", "b"', `"${'x'.repeat(201)}"`]) keep('/c', 100, tag);
  bodies.drop('/b');
  bodies.drop('/b');
  for (const path of ['/a', '/b', '/c']) assert.equal(bodies.find(path, ''), undefined);
  keep('/b', 8900);
  assert.equal(bodies.find('/b', '')?.json.length, 8900);
});
