// The history that a mirror keeps of what charts of shares show, with --history.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import type { Store } from '../../src/model/store.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chart, pluginRoutes, type Route, serveRoutes } from './dialect-server.ts';
import { emptyMirror, fastClock, type Mirrored, mirrorOnce, recordsOf } from './mirror-into.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 5, 1);

const pie = (...counts: readonly number[]) => counts.map((y, rank) => ({ name: `v${rank}`, y }));

/** A mirror of a source with the pie `version`. */
async function mirrorOfPie() {
  const charts = { version: chart(71, { type: 'simple_pie' }) };
  const server = await serveRoutes(pluginRoutes({ charts }));
  const directory = temporaryDirectory();
  const mirror = emptyMirror(directory.path);
  const visit = async (at: number, data: Route, step: number | 'off' = hourMs) => {
    server.routes.set('/plugins/7/charts/version/data', data);
    const historyStepMs = step === 'off' ? undefined : step;
    const { failures, progress } = await mirrorOnce(mirror, server.url, {
      clock: fastClock(at),
      historyStepMs,
    });
    assert.deepEqual(failures, []);
    return progress;
  };
  return {
    mirror,
    visit,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

/** The data that a chart shows, with its time, and its history: shares that are not 0 by time. */
async function pastOf(mirror: Mirrored, chartId = 'version') {
  const records = (await recordsOf(mirror)).filter((record) => record['chartId'] === chartId);
  const shown = records.find(({ record }) => record === 'data');
  const history: Record<number, Record<string, number>> = {};
  for (const { record, times, series } of records) {
    if (record !== 'history') continue;
    for (const [index, time] of (times as number[]).entries()) {
      const entries = (series as { name: string; values: number[] }[]).map(
        ({ name, values }) => [name, values[index] ?? 0] as const,
      );
      history[time] = Object.fromEntries(entries.filter(([, value]) => value !== 0));
    }
  }
  return { data: shown?.['data'], at: shown?.['at'], history };
}

describe('with --history', () => {
  test('each visit adds what a chart shows at the beginning of the step, and a second one in the step replaces it', async () => {
    await using source = await mirrorOfPie();
    const { mirror, visit } = source;
    await visit(start + 10 * minuteMs, { body: pie(1, 2) });
    await visit(start + 59 * minuteMs, { body: pie(3) });
    const progress = await visit(start + 61 * minuteMs, { body: pie(3) });
    assert.equal(progress.counts.historyTime, 1);
    await visit(start + 5 * hourMs - 1, { body: pie(4, 5) });
    assert.deepEqual(await pastOf(mirror), {
      data: pie(4, 5),
      at: start + 4 * hourMs,
      history: {
        [start]: { v0: 3 },
        [start + hourMs]: { v0: 3 },
        [start + 4 * hourMs]: { v0: 4, v1: 5 },
      },
    });
  });

  test('a step of 6 hours or a day begins at 00:00 UTC', async () => {
    await using source = await mirrorOfPie();
    await source.visit(start + 11 * hourMs, { body: pie(1) }, 6 * hourMs);
    await source.visit(start + 47 * hourMs, { body: pie(2) }, dayMs);
    const { history } = await pastOf(source.mirror);
    assert.deepEqual(history, { [start + 6 * hourMs]: { v0: 1 }, [start + dayMs]: { v0: 2 } });
  });

  test('a longer step than before does not hide what the source shows now', async () => {
    await using source = await mirrorOfPie();
    await source.visit(start + 5 * hourMs, { body: pie(1) }, hourMs);
    await source.visit(start + 6 * hourMs, { body: pie(2) }, dayMs);
    assert.deepEqual(await pastOf(source.mirror), {
      data: pie(2),
      at: start,
      history: { [start]: { v0: 2 }, [start + 5 * hourMs]: { v0: 1 } },
    });
  });

  test('a chart that shows nothing any more is kept as that, and one that never had data is not', async () => {
    await using source = await mirrorOfPie();
    const { mirror, visit } = source;
    await visit(start, { body: [] });
    assert.deepEqual(await pastOf(mirror), { data: undefined, at: undefined, history: {} });
    await visit(start + hourMs, { body: pie(1) });
    await visit(start + 2 * hourMs, { status: 404 });
    await visit(start + 3 * hourMs, { body: '' });
    const { data, at, history } = await pastOf(mirror);
    assert.deepEqual(data, []);
    assert.equal(at, start + 3 * hourMs);
    assert.deepEqual(history, {
      [start + hourMs]: { v0: 1 },
      [start + 2 * hourMs]: {},
      [start + 3 * hourMs]: {},
    });
  });

  test('a visit in a time that was pruned is not kept as history', async () => {
    await using source = await mirrorOfPie();
    const { mirror, visit } = source;
    await visit(start + hourMs, { body: pie(1) }, dayMs);
    await prune(parseStoreName(mirror.path), start + hourMs);
    await visit(start + 2 * hourMs, { body: pie(2) }, dayMs);
    assert.deepEqual(await pastOf(mirror), { data: pie(2), at: undefined, history: {} });
    await visit(start + dayMs, { body: pie(3) }, dayMs);
    assert.deepEqual((await pastOf(mirror)).history, { [start + dayMs]: { v0: 3 } });
  });

  test('maps, drilldown pies and bars of one value are kept, and all other charts stay without a time', async () => {
    const types: Readonly<Record<string, readonly [type: string, data: unknown]>> = {
      map: ['simple_map', [{ code: 'DE', value: 3 }]],
      bar: ['simple_bar', [{ name: 'b', data: [4] }]],
      drilldown: [
        'drilldown_pie',
        {
          drilldownData: [{ name: 'a', id: 'a', data: [['c', 5]] }],
          seriesData: [{ name: 'a', y: 5, drilldown: 'a' }],
        },
      ],
      bars: ['advanced_bar', [{ name: 'b', data: [4, 5] }]],
      heat: ['heatmap', { any: [1] }],
    };
    const ids = Object.keys(types);
    const charts = ids.map((id, index) => [id, chart(71 + index, { type: types[id]?.[0] })]);
    const data = ids.map((id): [string, Route] => [`/plugins/7/charts/${id}/data`, { body: types[id]?.[1] }]);
    await using server = await serveRoutes({
      ...pluginRoutes({ charts: Object.fromEntries(charts) }),
      ...Object.fromEntries(data),
    });
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    // The visit begins in one step and ends in the next: all charts have the time of its beginning.
    const clock = fastClock(start + hourMs - 1);
    const options = { clock, historyStepMs: hourMs };
    server.routes.set('/plugins/7/charts/players/data', () => {
      void clock.wait(hourMs, undefined);
      return { body: [[start, 1]] };
    });
    assert.deepEqual((await mirrorOnce(mirror, server.url, options)).failures, []);
    const records = await recordsOf(mirror);
    const found = Object.fromEntries(
      records.filter(({ record }) => record === 'data').map(({ chartId, at }) => [String(chartId), at]),
    );
    assert.deepEqual(found, {
      bar: start,
      bars: undefined,
      drilldown: start,
      heat: undefined,
      map: start,
      players: undefined,
    });
    assert.deepEqual((await pastOf(mirror, 'drilldown')).history, { [start]: { c: 5 } });
  });
});

test('without --history, a chart shows what the source shows, without a time', async () => {
  await using source = await mirrorOfPie();
  await source.visit(start, { body: pie(1) }, hourMs);
  const progress = await source.visit(start + hourMs, { body: pie(2) }, 'off');
  assert.equal(progress.counts.historyTime, 0);
  assert.deepEqual(await pastOf(source.mirror), {
    data: pie(2),
    at: undefined,
    history: { [start]: { v0: 1 } },
  });
});

async function prune(store: Store, to: number): Promise<void> {
  await using remover = await store.openRemover();
  await remover.prune({ to });
  await remover.commit();
}
