// The requests of later runs, and the stored data that they keep.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chart, pluginRoutes, type Route, serveRoutes } from './dialect-server.ts';
import { emptyMirror, fastClock, mirrorOnce, pointsIn, recordsOf } from './mirror-into.ts';

const halfHour = 1_800_000;
const start = 1_700_000_000_000;

/** A line with a point each half-hour since `start`, served according to the interface. */
function lineUntil(now: () => number, cap = Number.POSITIVE_INFINITY): Route {
  return (query) => {
    const count = Math.floor((now() - start) / halfHour) + 1;
    const wanted = Math.min(count, cap, Number(query.get('maxElements') ?? 1440));
    const body = Array.from({ length: wanted }, (_, index) => {
      const slot = count - wanted + index;
      return [start + slot * halfHour, slot];
    });
    return { body };
  };
}

/** Runs after each of these numbers of half-hours; returns the requests of each run, and the final points. */
async function runsAfter(
  slots: readonly number[],
  options: { readonly cap?: number; readonly maxElements?: number },
) {
  let now = start;
  const line = lineUntil(() => now, options.cap);
  await using server = await serveRoutes({ ...pluginRoutes(), '/plugins/7/charts/players/data': line });
  using directory = temporaryDirectory();
  const mirror = emptyMirror(directory.path);
  const asked: number[][] = [];
  for (const slot of slots) {
    now = start + slot * halfHour;
    const { failures } = await mirrorOnce(mirror, server.url, {
      clock: fastClock(now),
      maxElements: options.maxElements,
    });
    assert.deepEqual(failures, []);
    const targets = server.takeTargets().filter((target) => target.includes('maxElements'));
    asked.push(targets.map((target) => Number(target.split('=')[1])));
  }
  return { asked, points: await pointsIn(mirror) };
}

describe('a later run', () => {
  test('requests no more points than can be missing, with some slack', async () => {
    const { asked, points } = await runsAfter([1000, 1000, 1001, 1049], {});
    assert.deepEqual(asked, [[4_000_000], [4], [6], [57]]);
    assert.equal(points.length, 1050);
  });

  test('keeps points that a source with a cap no longer gives', async () => {
    const { asked, points } = await runsAfter([40, 80, 120], { cap: 48 });
    assert.deepEqual(asked, [[4_000_000], [48], [48]]);
    assert.equal(points.length, 121);
  });

  test('goes back no further than the first run did', async () => {
    const { asked, points } = await runsAfter([1000, 1010], { maxElements: 10 });
    assert.deepEqual(asked, [[10], [15]]);
    assert.equal(points.length, 20);
  });

  test('requests more if there are more points than the time suggests', async () => {
    const tail = Array.from({ length: 50 }, (_, index) => [start + index * halfHour, 1]);
    const dense = Array.from({ length: 300 }, (_, index) => [start + 49 * halfHour + index * 1000, 2]);
    let body: unknown[] = tail;
    const line: Route = (query) => ({ body: body.slice(-Number(query.get('maxElements'))) });
    await using server = await serveRoutes({ ...pluginRoutes(), '/plugins/7/charts/players/data': line });
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    await mirrorOnce(mirror, server.url);
    body = [...tail, ...dense];
    server.takeTargets();
    await mirrorOnce(mirror, server.url, { clock: fastClock(start + 50 * halfHour) });
    const asked = server.takeTargets().flatMap((target) => target.split('maxElements=')[1] ?? []);
    assert.deepEqual(asked, ['6', '4000000']);
    assert.equal((await pointsIn(mirror)).length, 349);
  });

  test('copies corrections to the latest points of the source', async () => {
    const points = [
      [1000, 1],
      [2000, 2],
    ];
    await using server = await serveRoutes(pluginRoutes({ points }));
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    await mirrorOnce(mirror, server.url, { clock: fastClock(2000) });
    server.routes.set('/plugins/7/charts/players/data', { body: [...points.slice(0, 1), [2000, 5]] });
    await mirrorOnce(mirror, server.url, { clock: fastClock(2000) });
    assert.equal(JSON.stringify(await pointsIn(mirror)), '[[1000,1],[2000,5]]');
  });

  test('keeps charts and data that the source no longer has', async () => {
    const charts = { pie: chart(71, { type: 'simple_pie' }) };
    await using server = await serveRoutes({
      ...pluginRoutes({ charts }),
      '/plugins/7/charts/pie/data': { body: [{ name: 'a', y: 1 }] },
    });
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    await mirrorOnce(mirror, server.url);
    const before = await recordsOf(mirror);
    server.routes.set('/plugins/7', pluginRoutes()['/plugins/7'] ?? {});
    server.routes.set('/plugins/7/charts/players/data', { body: [] });
    assert.deepEqual((await mirrorOnce(mirror, server.url)).failures, []);
    assert.deepEqual(await recordsOf(mirror), before);
  });
});

test('a global plugin is null until it is in the store, even if another run adds it', async () => {
  const live = { software: { id: 1 }, isGlobal: true };
  const globalPlugin = { id: 8, name: 'Bukkit' };
  await using server = await serveRoutes({
    ...pluginRoutes({ software: { globalPlugin } }),
    '/plugins/8': { body: { ...globalPlugin, owner: { id: 1, name: 'O' }, charts: {}, ...live } },
  });
  using directory = temporaryDirectory();
  const mirror = emptyMirror(directory.path);
  await mirrorOnce(mirror, server.url, { pluginIds: [7] });
  assert.equal((await recordsOf(mirror))[0]?.['globalPluginId'], null);
  await mirrorOnce(mirror, server.url, { pluginIds: [8] });
  assert.equal((await recordsOf(mirror))[0]?.['globalPluginId'], 8);
});

test('plugins that are not stored yet come first', async () => {
  await using server = await serveRoutes(pluginRoutes());
  using directory = temporaryDirectory();
  const mirror = emptyMirror(directory.path);
  await mirrorOnce(mirror, server.url);
  server.takeTargets();
  await mirrorOnce(mirror, server.url, { pluginIds: [7, 8, 9] });
  const order = server.takeTargets().filter((target) => /^\/plugins\/\d$/.test(target));
  assert.deepEqual(order, ['/plugins/8', '/plugins/9', '/plugins/7']);
});
