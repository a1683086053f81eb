// Visits to a server with /api/v2: what is requested, and what is stored.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import type { MetricsRemover } from '../../src/model/metrics-remover.ts';
import {
  chartLine,
  eventLine,
  linesIn,
  pastText,
  pluginLine,
  removalLine,
  softwareLine,
} from '../support/archive-text.ts';
import { type ArchiveSource, serveArchives } from './archive-source.ts';
import { type Mirrored, recordsOf } from './mirror-into.ts';

const halfHour = 1_800_000;
const hour = 2 * halfHour;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);

const head = (chartId: string) => ({ pluginId: 7, chartId });

/** Points from one half-hour to another. */
function points(chartId: string, from: number, to: number, value = (index: number) => index): string {
  const data = Array.from({ length: to - from }, (_, at) => [
    start + (from + at) * halfHour,
    value(from + at),
  ]);
  return JSON.stringify({ record: 'data', ...head(chartId), data });
}

/** A history of the share `a` from one hour to another. */
function history(chartId: string, from: number, to: number, value = 3): string {
  const times = Array.from({ length: to - from }, (_, at) => start + (from + at) * hour);
  return JSON.stringify({
    record: 'history',
    ...head(chartId),
    times,
    series: [{ name: 'a', values: times.map(() => value) }],
  });
}

function pie(chartId: string, y: number, at?: number): string {
  return JSON.stringify({
    record: 'data',
    ...head(chartId),
    data: [{ name: 'a', y }],
    ...(at === undefined ? {} : { at }),
  });
}

const pieChart = chartLine({ chartId: 'version', uid: 72, type: 'simple_pie' });
const catalogue = [softwareLine(), pluginLine(), chartLine()];

const archive = '/api/v2/plugins/7/archive';
const archiveSince = (time: number) => `${archive}?since=${encodeURIComponent(new Date(time).toISOString())}`;

/** The targets since the last call, without the lists. */
function takeTargets({ server }: ArchiveSource): readonly string[] {
  return server.takeTargets().filter((target) => !/^(\/plugins|\/api\/v2\/software)$/.test(target));
}

async function pointsIn(mirror: Pick<Mirrored, 'path'>, chartId = 'players'): Promise<unknown[][]> {
  const records = await recordsOf(mirror);
  return records.flatMap((record) =>
    record['record'] === 'data' && record['chartId'] === chartId ? (record['data'] as unknown[][]) : [],
  );
}

async function assertSame(source: ArchiveSource): Promise<void> {
  assert.equal(await source.mirrorText(), await source.sourceText());
}

async function removeIn({ mirror }: ArchiveSource, work: (remover: MetricsRemover) => Promise<unknown>) {
  await using remover = await parseStoreName(mirror.path).openRemover();
  await work(remover);
  await remover.commit();
}

describe('a plugin is copied by its archive:', () => {
  test('the whole of it at first, then what can be missing', async () => {
    await using source = await serveArchives([
      ...catalogue,
      pieChart,
      points('players', 0, 3000),
      history('version', 0, 1500),
      pie('version', 3, start + 1499 * hour),
      eventLine(start, '1.0'),
    ]);
    const end = start + 3000 * halfHour;
    const firstRun = await source.visit(end);
    assert.deepEqual(firstRun.failures, []);
    assert.deepEqual(source.server.takeTargets(), ['/api/v2/software', '/plugins', archive]);
    await assertSame(source);
    const { point, historyTime, event: events } = firstRun.progress.counts;
    assert.deepEqual([point, historyTime, events], [3000, 1500, 1]);
    await source.add([
      points('players', 3000, 3010),
      history('version', 1500, 1505),
      eventLine(start, '1.1'),
    ]);
    const { progress } = await source.visit(end + 5 * hour);
    // The newest time of the history is one hour before that of the line, and the two hours before are asked
    // for again.
    const since = start + 1499 * hour - 2 * hour;
    assert.deepEqual(takeTargets(source), ['/api/v2/plugins/7', archiveSince(since)]);
    assert.equal(progress.requestCount, 4);
    await assertSame(source);
  });

  test('a chart that never had data may change its type at a later visit', async () => {
    const empty = (type: string) => chartLine({ chartId: 'empty', uid: 75, type });
    await using source = await serveArchives([...catalogue, empty('simple_pie')]);
    await source.visit(start);
    await source.visit(start + day);
    await source.visit(start + day, { historyStepMs: day });
    await source.add([empty('single_linechart')]);
    const { failures } = await source.visit(start + 2 * day);
    assert.deepEqual(failures, []);
    await assertSame(source);
  });

  test('a line that no longer grows does not bring all points since', async () => {
    const old = chartLine({ chartId: 'old', uid: 71 });
    await using source = await serveArchives([
      ...catalogue,
      old,
      points('players', 0, 3000),
      points('old', 0, 100),
    ]);
    const end = start + 3000 * halfHour;
    await source.visit(end);
    takeTargets(source);
    await source.visit(end);
    const since = start + 2999 * halfHour - 2 * hour;
    assert.deepEqual(takeTargets(source), ['/api/v2/plugins/7', archiveSince(since)]);
    // It gets points that are older than those of the other line.
    await source.add([points('old', 100, 110)]);
    await source.visit(end);
    const earlier = start + 99 * halfHour - 2 * hour;
    assert.deepEqual(takeTargets(source), ['/api/v2/plugins/7', archiveSince(earlier)]);
    await assertSame(source);
  });
});

describe('what was removed from the mirror is not copied again:', () => {
  const past = [
    ...catalogue,
    pieChart,
    points('players', 0, 300),
    history('version', 0, 150),
    pie('version', 3, start + 149 * hour),
  ];

  test('a chart, with its history', async () => {
    await using source = await serveArchives([
      ...catalogue,
      pieChart,
      points('players', 0, 3000),
      history('version', 0, 30),
    ]);
    const end = start + 3000 * halfHour;
    await source.visit(end);
    await removeIn(source, (remover) => remover.removeChart(7, 'version'));
    const without = await source.mirrorText();
    const { progress } = await source.visit(end);
    assert.deepEqual([...progress.leftOut.removed], ['chart 7/version']);
    assert.equal(await source.mirrorText(), without);
    await source.visit(end, { isAgain: true });
    await assertSame(source);
  });

  test('points and histories before a time', async () => {
    await using source = await serveArchives(past);
    const end = start + 150 * hour;
    await source.visit(end);
    await removeIn(source, (remover) => remover.prune({ to: start + 100 * hour }));
    const pruned = await source.mirrorText();
    takeTargets(source);
    await source.visit(end);
    assert.equal(await source.mirrorText(), pruned);
    assert.deepEqual(takeTargets(source), ['/api/v2/plugins/7', archiveSince(start + 147 * hour)]);
    await source.add([points('players', 300, 302), history('version', 150, 151)]);
    await source.visit(end);
    assert.equal((await pointsIn(source.mirror)).length, 302 - 200);
    await source.visit(end, { isAgain: true });
    // The time of a prune of every plugin stays.
    const expected = pastText([...linesIn(await source.sourceText()), removalLine(start + 100 * hour)]);
    assert.equal(await source.mirrorText(), expected);
  });
});

test('--max-elements keeps the latest points of each line and times of each history, and later visits go no further back', async () => {
  const lines = ['servers', 'old', 'rare'].map((chartId, index) => chartLine({ chartId, uid: 71 + index }));
  const rare = Array.from({ length: 40 }, (_, index) => [start + index * 3 * day, index]);
  await using source = await serveArchives([
    ...catalogue,
    ...lines,
    chartLine({ chartId: 'version', uid: 79, type: 'simple_pie' }),
    points('players', 0, 6000),
    points('servers', 0, 6000),
    points('old', 0, 50),
    JSON.stringify({ record: 'data', ...head('rare'), data: rare }),
    history('version', 0, 3000),
    pie('version', 4, start + 2999 * hour),
  ]);
  const end = start + 6000 * halfHour;
  await source.visit(end, { maxElements: 10 });
  for (const [chartId, last] of [
    ['players', 5999],
    ['servers', 5999],
    ['old', 49],
  ] as const) {
    const expected = Array.from({ length: 10 }, (_, index) => start + (last - 9 + index) * halfHour);
    assert.deepEqual(
      (await pointsIn(source.mirror, chartId)).map(([time]) => time),
      expected,
      chartId,
    );
  }
  assert.deepEqual(await pointsIn(source.mirror, 'rare'), rare.slice(-10));
  const [past] = (await recordsOf(source.mirror)).filter(({ record }) => record === 'history');
  assert.deepEqual(
    past?.['times'],
    Array.from({ length: 10 }, (_, index) => start + (2990 + index) * hour),
  );
  const before = await source.mirrorText();
  for (const maxElements of [10, undefined]) {
    await source.visit(end, { maxElements });
    assert.equal(await source.mirrorText(), before);
  }
});

test('leading zeros are left out with the option for it, also of a line that has nothing else yet', async () => {
  const servers = chartLine({ chartId: 'servers', uid: 71 });
  await using source = await serveArchives([
    ...catalogue,
    servers,
    points('players', 0, 300, (index) => Math.max(0, index - 200)),
    points('servers', 0, 300, () => 0),
  ]);
  const end = start + 300 * halfHour;
  const options = { trimsLeadingZeros: true };
  await source.visit(end, options);
  const expected = Array.from({ length: 99 }, (_, index) => [start + (201 + index) * halfHour, index + 1]);
  assert.deepEqual(await pointsIn(source.mirror), expected);
  assert.deepEqual(await pointsIn(source.mirror, 'servers'), []);
  takeTargets(source);
  await source.add([points('players', 300, 302, () => 0), points('servers', 300, 302, () => 0)]);
  await source.visit(end + hour, options);
  const since = start + 299 * halfHour - 2 * hour;
  assert.deepEqual(takeTargets(source), ['/api/v2/plugins/7', archiveSince(since)]);
  assert.deepEqual(
    (await pointsIn(source.mirror)).slice(-2),
    [300, 301].map((index) => [start + index * halfHour, 0]),
  );
  assert.deepEqual(await pointsIn(source.mirror, 'servers'), []);
  await source.add([points('servers', 302, 304)]);
  await source.visit(end + 2 * hour, options);
  assert.deepEqual(
    await pointsIn(source.mirror, 'servers'),
    [302, 303].map((index) => [start + index * halfHour, index]),
  );
});

describe('what lies more than a day ahead of the clock', () => {
  const end = start + 300 * halfHour;
  const far = Date.UTC(2090, 0, 1);
  const lines = [
    ...catalogue,
    pieChart,
    points('players', 0, 300),
    JSON.stringify({ record: 'data', ...head('players'), data: [[far, 7]] }),
    history('version', 0, 150),
    JSON.stringify({ record: 'history', ...head('version'), times: [far - day], series: [] }),
    pie('version', 9, far),
    eventLine(start, '1.0'),
    eventLine(far, '2.0'),
  ];

  test('is left out and counted, and what a chart shows is stored without its time', async () => {
    await using source = await serveArchives(lines);
    for (let visit = 0; visit < 2; visit++) {
      const { failures, progress } = await source.visit(end);
      assert.deepEqual(failures, []);
      const { point, historyTime, event: events } = progress.leftOut.futureCounts;
      assert.deepEqual(
        [[...point], [...historyTime], [...events]],
        [[['7/players', 1]], [['7/version', 2]], [['7', 1]]],
      );
    }
    assert.equal((await pointsIn(source.mirror)).length, 300);
    const records = await recordsOf(source.mirror);
    const shown = records.find(({ record, chartId }) => record === 'data' && chartId === 'version');
    assert.deepEqual([shown?.['data'], shown?.['at']], [[{ name: 'a', y: 9 }], undefined]);
    assert.equal(records.filter(({ record }) => record === 'event').length, 1);
  });

  test('is copied with --allow-future, and does not hide what comes before it', async () => {
    await using source = await serveArchives(lines);
    const options = { allowsFuture: true };
    await source.visit(end, options);
    await assertSame(source);
    await source.add([points('players', 300, 305), history('version', 150, 152)]);
    for (const allowsFuture of [false, true]) await source.visit(end + hour, { allowsFuture });
    await assertSame(source);
  });
});
