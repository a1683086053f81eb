// Series of the second interface, over HTTP, beside a plain model of what they should be.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { roundMean } from '../../src/series/number-text.ts';
import { assertProblem } from '../http/support/assertions.ts';
import { get, getText } from '../http/support/validated-client.ts';
import { fc } from '../support/seed.ts';
import { chart, data, history, plugin, serveRecords, software } from './support/records.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 0, 1);

type Entry = readonly [time: number, value: number];

/** Lines by chart id. */
const lines: Readonly<Record<string, readonly Entry[]>> = {
  servers: Array.from({ length: 2000 }, (_, index) => [
    start + index * (hourMs / 2),
    100 + ((index * 7919) % 50),
  ]),
  players: Array.from({ length: 300 }, (_, index) => [
    start + index * hourMs + 60_000 * (index % 3),
    (index % 24) / 4,
  ]),
  empty: [],
};

const times = Array.from({ length: 600 }, (_, index) => start + index * hourMs);

interface Share {
  readonly group?: string;
  readonly name: string;
  readonly values: readonly number[];
}

/** Those of a chart that has some of its times in common with the others. */
const timesOf = (chartId: string) =>
  chartId === 'beta' ? times.map((time, index) => time + (index % 3) * 600_000) : times;

/** Shares by chart id, with a value at each time. */
const shares: Readonly<Record<string, readonly Share[]>> = {
  // The last one comes late, in another block of the store.
  version: ['1.21.9', '1.21.10', '1.8', '2.1-rc1', '"><script>', '__proto__'].map((name, rank) => ({
    name,
    values: times.map((_, index) =>
      index % (rank + 2) === 0 || (rank === 5 && index < 550) ? 0 : (rank + 1) * 10 + ((index * 31) % 7),
    ),
  })),
  beta: ['2.1-rc1', '1.21.9', '3.0'].map((name, rank) => ({
    name,
    values: times.map((_, index) => (rank === 1 && index % 4 === 0 ? 0 : 25 * (rank + 1) + (index % 11))),
  })),
  os: ['Windows 11.2.4', 'Windows 11.2', 'Linux Debian'].map((both, rank) => {
    const [group = '', name = ''] = both.split(' ');
    return { group, name, values: times.map((_, index) => (rank + 1) * (index % 5)) };
  }),
};

const { url } = await serveRecords([
  software,
  plugin(),
  chart('servers', 1, 'single_linechart', { data: { lineName: 'Servers' } }),
  chart('players', 2, 'single_linechart'),
  chart('empty', 3, 'single_linechart'),
  chart('version', 4, 'simple_pie'),
  chart('os', 5, 'drilldown_pie'),
  chart('heat', 6, 'heatmap'),
  chart('sizes', 7, 'advanced_bar'),
  chart('games', 8, 'advanced_bar'),
  chart('beta', 9, 'advanced_pie'),
  data('sizes', [{ name: 'small', data: [1, 2] }]),
  data('games', [{ name: 'x', data: [7] }]),
  ...Object.entries(lines).map(([chartId, points]) => data(chartId, points)),
  ...Object.entries(shares).map(([chartId, series]) => history(chartId, timesOf(chartId), series)),
]);

interface Asked {
  readonly charts: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly step: string | undefined;
  /** Never with a step. */
  readonly points: number | undefined;
  readonly aggregate: string;
  readonly top: number;
  readonly level: number;
  readonly group: 'minor' | undefined;
  readonly order: 'size' | 'version' | undefined;
  readonly sum: boolean;
  /** Never without a step, nor with `sum`. */
  readonly band: boolean;
}

const stepLengths: Readonly<Record<string, number>> = {
  '30m': hourMs / 2,
  '1h': hourMs,
  '2h': 2 * hourMs,
  '3h': 3 * hourMs,
  '6h': 6 * hourMs,
  '12h': 12 * hourMs,
  '1d': dayMs,
  '7d': 7 * dayMs,
  '1mo': 30 * dayMs,
};
/** The steps that other lengths count as. */
const stepsByLength: Readonly<Record<string, string>> = {
  ...{
    '10s': '30m',
    '45m': '1h',
    '01h': '1h',
    '90m': '2h',
    '5h': '6h',
    '8h': '12h',
    '13h': '1d',
    '24h': '1d',
  },
  ...{
    '2d': '7d',
    '1w': '7d',
    '8d': '1mo',
    '30d': '1mo',
    '2mo': '1mo',
    '1y': '1mo',
    '9999999999y': '1mo',
    '200ms': '30m',
    '2592000000ms': '1mo',
  },
};

function stepOf(time: number, step: string | undefined): number {
  if (step === undefined) return time;
  if (step === '1mo') return Date.UTC(new Date(time).getUTCFullYear(), new Date(time).getUTCMonth());
  const length = stepLengths[step] ?? 1;
  const monday = step === '7d' ? 4 * dayMs : 0;
  return Math.floor((time - monday) / length) * length + monday;
}

function endOfStep(start: number, step: string): number {
  const date = new Date(start);
  return step === '1mo'
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
    : start + (stepLengths[step] ?? 0);
}

/** The smallest step with which a window has at most so many times. */
function stepForPoints({ from, to, points = 0 }: Asked): string {
  const fits = Object.keys(stepLengths).find((step) => {
    const starts = new Set<number>();
    for (let time = stepOf(from, step); time < to && starts.size <= points; time = endOfStep(time, step))
      starts.add(time);
    return starts.size <= points;
  });
  return fits ?? '1mo';
}

/** The first and the last step, as far as they are not whole. */
function partialOf(all: readonly number[], { charts, from, to, step = '' }: Asked): object {
  const newestTimes = charts.map((chartId) => (lines[chartId] ? lines[chartId].at(-1)?.[0] : times.at(-1)));
  const end = Math.min(to, Math.max(...newestTimes.map((time) => time ?? 0)) + hourMs / 2);
  return {
    first: all.length > 0 && from > (all[0] ?? 0),
    last: all.length > 0 && end < endOfStep(all.at(-1) ?? 0, step),
  };
}

function aggregated(entries: readonly Entry[], { from, to, step, aggregate }: Asked): Map<number, number> {
  const groups = Map.groupBy(
    entries.filter(([time]) => time >= from && time < to),
    ([time]) => stepOf(time, step),
  );
  return new Map(
    Array.from(groups, ([time, group]) => {
      const values = group.map(([, value]) => value);
      if (step === undefined) return [time, values[0] ?? 0];
      switch (aggregate) {
        case 'min':
          return [time, Math.min(...values)];
        case 'max':
          return [time, Math.max(...values)];
        case 'last':
          return [time, values.at(-1) ?? 0];
        case 'count':
          return [time, values.length];
        default:
          return [time, values.reduce((sum, value) => sum + value, 0) / values.length];
      }
    }),
  );
}

/** A series: the sum of its parts, each with times of its own. */
interface Named {
  readonly members: object;
  readonly parts: ReadonlyArray<readonly Entry[]>;
  readonly isLine: boolean;
}

/** The forms of the charts of shares. */
const forms: Readonly<Record<string, string>> = { version: 'pie', beta: 'pie', os: 'drilldown' };

/** The series that charts should have. */
function seriesOf(asked: Asked): Named[] {
  const { charts, sum } = asked;
  if (!sum)
    return charts.flatMap((chartId) => (chartId in lines ? [lineOf(chartId)] : sharesOf([chartId], asked)));
  const parts = charts.flatMap((chartId) => (lines[chartId] === undefined ? [] : [lines[chartId]]));
  const byForm = Map.groupBy(
    charts.filter((chartId) => !(chartId in lines)),
    (chartId) => forms[chartId],
  );
  return [
    ...(parts.length > 0 ? [{ members: { name: 'Sum', isSum: true }, parts, isLine: true }] : []),
    ...[...byForm.values()].flatMap((some) => sharesOf(some, asked)),
  ];
}

function lineOf(chartId: string): Named {
  const name = chartId === 'servers' ? 'Servers' : `Title of ${chartId}`;
  return { members: { pluginId: 7, chartId, name }, parts: [lines[chartId] ?? []], isLine: true };
}

const keyOf = ({ group, name }: Share) => JSON.stringify([group ?? null, name]);

/** The shares of a chart as they are asked for. */
function sharesAsked(chartId: string, asked: Asked): readonly Share[] {
  const own = shares[chartId] ?? [];
  const outer = ['Linux', 'Windows'].map(
    (name): Share => ({
      name,
      values: times.map((_, index) =>
        own.reduce((sum, { group, values }) => sum + (group === name ? (values[index] ?? 0) : 0), 0),
      ),
    }),
  );
  const atLevel = chartId === 'os' && asked.level === 1 ? outer : own;
  return asked.group === 'minor' ? minorLinesOf(atLevel) : atLevel;
}

/** The largest shares that charts of one form should have together, and the others. */
function sharesOf(chartIds: readonly string[], asked: Asked): Named[] {
  const about = asked.sum ? { pluginId: null, chartId: null } : { pluginId: 7, chartId: chartIds[0] };
  const byChart = chartIds.map((chartId) => ({
    times: timesOf(chartId),
    values: new Map(sharesAsked(chartId, asked).map((share) => [keyOf(share), share.values])),
  }));
  const all = new Map(
    chartIds.flatMap((chartId) => sharesAsked(chartId, asked).map((share) => [keyOf(share), share] as const)),
  );
  /** A part for each chart: what some shares have in it together. */
  const partsOf = (some: readonly Share[]): Named['parts'] =>
    byChart.map(({ times: own, values }) =>
      own.map((time, index) => [
        time,
        some.reduce((sum, share) => sum + (values.get(keyOf(share))?.[index] ?? 0), 0),
      ]),
    );
  const sumOf = (share: Share) =>
    partsOf([share])
      .flat()
      .reduce((sum, [time, value]) => sum + (time >= asked.from && time < asked.to ? value : 0), 0);
  const ranked = Array.from(all.values(), (share) => ({ share, sum: sumOf(share) }))
    .filter(({ sum }) => sum > 0)
    .sort(
      (a, b) =>
        b.sum - a.sum ||
        compare(a.share.group ?? '', b.share.group ?? '') ||
        compare(a.share.name, b.share.name),
    )
    .map(({ share }) => share);
  const [largest, rest] = [ranked.slice(0, asked.top), ranked.slice(asked.top)];
  if (asked.order === 'version') largest.sort((a, b) => newest.indexOf(a.name) - newest.indexOf(b.name));
  const named = largest.map((share): Named => {
    const { values: _, ...members } = share;
    return { members: { ...about, ...members }, parts: partsOf([share]), isLine: false };
  });
  if (rest.length > 0)
    named.push({ members: { ...about, name: 'Other', isOther: true }, parts: partsOf(rest), isLine: false });
  return named;
}

/** The names of shares as versions are ordered, and the minor lines of those that have others. */
const newest = [
  ...[
    '11.2.x',
    '11.2.4',
    '11.2',
    '3.0.x',
    '3.0',
    '2.1.x',
    '2.1-rc1',
    '1.21.x',
    '1.21.10',
    '1.21.9',
    '1.8.x',
    '1.8',
  ],
  ...['"><script>', 'Debian', 'Linux', 'Windows', '__proto__'],
];
const minorLineOf = (name: string) => /^\d+\.\d+/.exec(name)?.[0].concat('.x') ?? name;

function minorLinesOf(all: readonly Share[]): readonly Share[] {
  const groups = Map.groupBy(all, ({ group, name }) => JSON.stringify([group, minorLineOf(name)]));
  return Array.from(groups.values(), (some) => ({
    ...(some[0] as Share),
    name: minorLineOf(some[0]?.name ?? ''),
    values: times.map((_, index) => some.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
  }));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function expectedAnswer(given: Asked): unknown {
  const step = given.points === undefined ? given.step : stepForPoints(given);
  const asked = { ...given, step: stepsByLength[step ?? ''] ?? step };
  const columns = seriesOf(asked).map(({ members, parts, isLine }) => {
    const values = new Map<number, number>();
    for (const part of parts)
      for (const [time, value] of aggregated(part, asked)) values.set(time, (values.get(time) ?? 0) + value);
    return { members, values, band: isLine && asked.band ? bandOf(parts[0] ?? [], asked) : {} };
  });
  const all = [...new Set(columns.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b);
  return {
    from: asked.from,
    to: asked.to,
    step: asked.step === undefined ? null : stepLengths[asked.step],
    aggregate: asked.step === undefined ? null : asked.aggregate,
    ...(asked.step === undefined ? {} : { partial: partialOf(all, asked) }),
    times: all,
    series: columns.map(({ members, values, band }) => ({
      ...members,
      ...Object.fromEntries(
        Object.entries(band).map(([name, column]) => [name, all.map((time) => column.get(time) ?? null)]),
      ),
      values: all.map((time) => {
        const value = values.get(time) ?? null;
        return value !== null && asked.step !== undefined && asked.aggregate === 'mean'
          ? roundMean(value)
          : value;
      }),
    })),
  };
}

/** The lowest and the highest value of each step. */
function bandOf(entries: readonly Entry[], asked: Asked): Readonly<Record<string, Map<number, number>>> {
  const [lows, highs] = ['min', 'max'].map((aggregate) => aggregated(entries, { ...asked, aggregate }));
  return { lows: lows ?? new Map(), highs: highs ?? new Map() };
}

function pathOf(
  { charts, from, to, step, points, aggregate, top, level, group, order, sum, band }: Asked,
  path = '/api/v2/series',
): string {
  const query = new URLSearchParams({
    charts: charts.map((chartId) => `7:${chartId}`).join(','),
    from: String(from),
    to: new Date(to).toISOString(),
  });
  if (step !== undefined) query.set('step', step);
  if (points !== undefined) query.set('points', String(points));
  if (step !== undefined || points !== undefined) query.set('aggregate', aggregate);
  query.set('top', String(top));
  query.set('level', String(level));
  if (group !== undefined) query.set('group', group);
  if (order !== undefined) query.set('order', order);
  query.set('sum', String(sum));
  if (band) query.set('band', 'true');
  return `${path}?${query}`;
}

const asked = fc
  .record({
    charts: fc.uniqueArray(fc.constantFrom('servers', 'players', 'empty', 'version', 'beta', 'os'), {
      minLength: 1,
    }),
    from: fc.integer({ min: -dayMs, max: 45 * dayMs }).map((offset) => start + offset),
    length: fc.oneof(fc.integer({ min: 1, max: 60 * dayMs }), fc.constant(1)),
    step: fc.constantFrom(undefined, ...Object.keys(stepLengths), ...Object.keys(stepsByLength)),
    points: fc.option(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 10_000 })), {
      nil: undefined,
    }),
    aggregate: fc.constantFrom('mean', 'min', 'max', 'last', 'count'),
    top: fc.integer({ min: 1, max: 8 }),
    level: fc.constantFrom(1, 2),
    group: fc.constantFrom('minor' as const, undefined),
    order: fc.constantFrom('size' as const, 'version' as const, undefined),
    sum: fc.boolean(),
    band: fc.boolean(),
  })
  .map(
    ({ length, band, points, ...others }): Asked => ({
      ...others,
      to: others.from + length,
      points: others.step === undefined ? points : undefined,
      band: band && (others.step ?? points) !== undefined && !others.sum,
    }),
  );

describe('/api/v2/series', () => {
  test('is what the points and histories say, for any window, step and choice, also for requests at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 6 }), async (all) => {
        const answers = await Promise.all(all.map((one) => getText(url, pathOf(one))));
        assert.deepEqual(
          answers.map((answer): unknown => JSON.parse(answer)),
          all.map(expectedAnswer),
        );
      }),
      { numRuns: 70 },
    );
  });

  test('counts a range back from the newest time of all charts', async () => {
    const newest = lines['servers']?.at(-1)?.[0] ?? 0;
    const answer = async (query: string) =>
      JSON.parse(await getText(url, `/api/v2/series?charts=7:servers,7:version${query}`));
    for (const [query, days] of [
      ['', 30],
      ['&range=1d', 1],
      ['&range=90d', 90],
      ['&range=1y', 365],
    ] as const) {
      const { from, to } = await answer(query);
      assert.deepEqual([from, to], [newest + 1 - days * dayMs, newest + 1]);
    }
    const { from, to, times: all } = await answer('&range=all');
    assert.deepEqual([from, to, all.length], [start, newest + 1, 2000]);
    const nothing = JSON.parse(await getText(url, '/api/v2/series?charts=7:empty'));
    assert.deepEqual(nothing, {
      from: 0,
      to: 0,
      step: null,
      aggregate: null,
      times: [],
      series: [{ pluginId: 7, chartId: 'empty', name: 'Title of empty', values: [] }],
    });
  });

  test('takes dates, times with and without a zone, and milliseconds', async () => {
    const windowOf = async (from: string, to: string) => {
      const { from: begin, to: end } = JSON.parse(
        await getText(url, `/api/v2/series?charts=7:empty&from=${from}&to=${to}`),
      );
      return [new Date(begin).toISOString(), new Date(end).toISOString()];
    };
    assert.deepEqual(await windowOf('2026-01-31', '1769904000001'), [
      '2026-01-31T00:00:00.000Z',
      '2026-02-01T00:00:00.001Z',
    ]);
    assert.deepEqual(await windowOf('2026-01-31T12:00', '2026-01-31T14:00:00%2B01:00'), [
      '2026-01-31T12:00:00.000Z',
      '2026-01-31T13:00:00.000Z',
    ]);
    assert.deepEqual(await windowOf('0', '9999-12-31T23:59:59.999Z'), [
      '1970-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]);
  });

  test('has one entity tag for one answer, however it is asked for', async () => {
    const tagOf = async (query: string) => (await get(url, `/api/v2/series?${query}`)).headers.get('etag');
    const tag = await tagOf('charts=7:version&range=30d&top=20');
    assert.equal(await tagOf('top=20&sum=false&level=1&charts=7:version'), tag);
    const { status } = await get(url, '/api/v2/series?charts=7:version', {
      'If-None-Match': tag ?? '',
    });
    assert.equal(status, 304);
  });

  const refusals: readonly (readonly [query: string, detail: RegExp, kind?: string])[] = [
    ['', /^charts must be 1 to 50 charts, such as 1337:players,42:players, each once; got "", 0 charts$/],
    ['charts=7:servers,7:servers,', /each once; got/],
    ['charts=7:servers,7:servers', /each once; got .*, 2 charts, of which 7:servers is there twice$/],
    ['charts=7:servers,7,7:os', /, 3 charts, of which "7" is not PLUGIN:CHART$/],
    ['charts=7:servers,', /, 1 chart, and a comma too many$/],
    [`charts=${Array.from({ length: 51 }, (_, index) => `7:c${index}`)}`, /1 to 50 charts.*, 51 charts$/],
    ['charts=7:servers&aggregate=max', /^aggregate=max needs a step, such as step=1d$/],
    ['charts=7:servers&aggregate=mean&step=', /^aggregate=mean needs a step/],
    ['charts=7:servers&band=true', /^band=true needs a step, such as step=1d$/],
    [
      'charts=7:servers&band=true&step=1d&sum=true',
      /^use either band=true, which is for each line, or sum=true, which adds them up/,
    ],
    ['charts=7:heat', /^chart 7:heat has only its newest data, because it is a heatmap/],
    [
      'charts=7:games,7:sizes',
      /^chart 7:sizes has only its newest data, because its bars do not have one value each/,
    ],
    [
      'charts=7:servers,7:none',
      /^plugin 7 has no chart "none"; \/api\/v1\/plugins\/7\/charts lists its charts$/,
      'unknown-chart',
    ],
    [
      'charts=8:servers',
      /^there is no plugin with the id 8; \/api\/v1\/plugins lists all plugins$/,
      'unknown-plugin',
    ],
    ['charts=7:servers&to=2026-01-01', /^a window is either range, or from and optionally to$/],
    ['charts=7:servers&from=2026-01-02&to=2026-01-02', /^from must be before to/],
    ['charts=7:servers&from=2026-02-30&to=2026-03-02', /^from must be a date such as 2026-01-31/],
    ...[
      ['1782257400', 'seconds: write 2026-06-23T23:30:00.000Z'],
      ['99999999999', 'seconds: write 5138-11-16T09:46:39.000Z'],
      ['1', 'seconds: write 1970-01-01T00:00:01.000Z'],
      ['2026', 'a year: write 2026-01-01'],
      ['20260601', 'a day without hyphens: write 2026-06-01'],
    ].map(
      ([digits, hint]) =>
        [
          `charts=7:servers&from=${digits}&to=2027-01-01`,
          new RegExp(`^from must be a date .*; got "${digits}", which looks like ${hint}$`),
        ] as const,
    ),
    ...['0h', '1.5h', '2', 'h', '1H', '-1d', '1%20d', '1month'].map(
      (step) => [`charts=7:servers&step=${step}`, /^step must be 30m, 1h, 2h, .* or another length/] as const,
    ),
    ['charts=7:servers&step=1d&points=9', /^either step or points can be given$/],
    ['charts=7:servers&points=0', /^points must be a whole number from 1 to 10000/],
    ['charts=7:servers&points=10001', /^points must be/],
    ['charts=7:servers&aggregate=median&step=1d', /^aggregate must be mean, min, max, last or count/],
    ['charts=7:version&group=major', /^group must be minor or none; got "major"$/],
    ['charts=7:version&order=name', /^order must be size or version/],
    ['charts=7:version&top=101', /^top must be a whole number from 1 to 100/],
    ['charts=7:servers&maxElements=1', /^there is no parameter "maxElements": it has charts, from, to/],
  ];
  test('a beginning alone reaches to the newest time, and a chart without points has the window', async () => {
    const ask = async (query: string) => {
      const { from, to, times } = JSON.parse(await getText(url, `/api/v2/series?${query}`));
      return [from, to, times.length];
    };
    const [newest] = lines['servers']?.at(-1) ?? assert.fail();
    const from = newest - 2 * hourMs;
    assert.deepEqual(await ask(`charts=7:servers&from=${from}`), [from, newest + 1, 5]);
    assert.deepEqual(await ask(`charts=7:servers&from=${newest + 5}`), [newest + 5, newest + 5, 0]);
    assert.deepEqual(await ask(`charts=7:servers&from=${from}&step=1h`), [from, newest + 1, 3]);
    assert.deepEqual(await ask(`charts=7:empty&from=${from}`), [from, from, 0]);
    assert.deepEqual(await ask(`charts=7:empty&from=${from}&to=${newest}`), [from, newest, 0]);
  });

  for (const [query, detail, kind = 'malformed-query'] of refusals)
    test(`answers an error to ${query.slice(0, 60) || 'no query'}`, async () => {
      const status = kind === 'malformed-query' ? 400 : 404;
      assertProblem(await get(url, `/api/v2/series?${query}`), { status, kind, detail });
    });

  test('names a step that fits if an answer would have more than 2,000,000 values', async () => {
    const charts = Array.from({ length: 50 }, (_, index) =>
      chart(`c${index}`, index + 1, 'single_linechart'),
    );
    // No two lines have a time in common.
    const pointsOf = (rank: number) =>
      Array.from({ length: 801 }, (_, index) => [(index * 50 + rank) * hourMs, 1]);
    const records = charts.flatMap((one, rank) => [one, data(one.chartId, pointsOf(rank))]);
    const other = await serveRecords([software, plugin(), ...records]);
    const names = charts.map(({ chartId }) => `7:${chartId}`);
    const ask = (list: readonly string[], query = '') =>
      get(other.url, `/api/v2/series?range=all&charts=${list.join(',')}${query}`);
    const detail = /^an answer may have at most 2000000 values: step=2h fits this window$/;
    assertProblem(await ask(names), { status: 400, kind: 'malformed-query', detail });
    assert.equal((await ask(names, '&step=6h')).status, 200);
    assert.equal((await ask(names.slice(0, 49))).status, 200);
    // The sum of all lines is one series.
    const sum = await ask(names, '&sum=true');
    assert.equal(sum.status, 200);
    const { times, series } = JSON.parse(String(sum.bytes));
    assert.deepEqual([times.length, series.length], [50 * 801, 1]);
    assert.ok(series[0].values.every((value: number) => value === 1));
  });
});

describe('/api/v2/series.csv', () => {
  test('has the same values', async () => {
    const one: Asked = {
      charts: ['servers', 'players', 'version', 'os'],
      from: start,
      to: start + 5 * dayMs,
      step: '6h',
      points: undefined,
      aggregate: 'mean',
      top: 3,
      level: 2,
      group: undefined,
      order: 'version',
      sum: false,
      band: false,
    };
    const { headers } = await get(url, pathOf(one, '/api/v2/series.csv'));
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    const text = await getText(url, `${pathOf(one, '/api/v2/series.csv')}&bom=false`);
    const marked = await get(url, `${pathOf(one, '/api/v2/series.csv')}&bom=true`);
    assert.equal(marked.bytes.toString(), `\ufeff${text}`);
    const rows = text
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(','));
    const answer = JSON.parse(await getText(url, pathOf(one)));
    const names = answer.series.map(({ name }: Record<string, string>) => name);
    assert.deepEqual(rows[0], [
      'time',
      ...names.map((name: string) => (name.includes('"') ? `"${name.replaceAll('"', '""')}"` : name)),
    ]);
    for (const [index, time] of answer.times.entries()) {
      const expected = answer.series.map(({ values }: { values: (number | null)[] }) =>
        String(values[index] ?? ''),
      );
      assert.deepEqual(rows[index + 1], [new Date(time).toISOString(), ...expected]);
    }
    assert.equal(rows.length, answer.times.length + 1);
  });

  test('names its columns as short as they can be told apart', async () => {
    const others = await serveRecords([
      software,
      ...[7, 8].flatMap((id) => [
        plugin({ id, name: `Plugin ${id}` }),
        ...['a', 'b'].map((chartId, index) =>
          chart(chartId, 10 * id + index, 'single_linechart', {
            pluginId: id,
            data: { lineName: 'Servers' },
          }),
        ),
        chart('os', 10 * id + 2, 'drilldown_pie', { pluginId: id }),
        chart('arch', 10 * id + 3, 'simple_pie', { pluginId: id }),
        chart('time', 10 * id + 4, 'simple_pie', { pluginId: id }),
        ...['os', 'arch', 'time'].map((chartId) => ({
          ...history(
            chartId,
            [start],
            (chartId === 'time' ? ['time'] : ['x', chartId]).flatMap((name) =>
              chartId === 'os'
                ? ['Linux', 'Windows'].map((group) => ({ group, name, values: [1] }))
                : [{ name, values: [1] }],
            ),
          ),
          pluginId: id,
        })),
        ...['a', 'b'].map((chartId) => ({ ...data(chartId, [[start, 1]]), pluginId: id })),
      ]),
    ]);
    for (const [charts, names] of [
      ['7:a', 'Servers'],
      ['7:a,7:b', '7:a,7:b'],
      ['7:a,7:arch', 'Servers,arch,x'],
      ['7:os,7:arch', 'Linux,Windows,arch,x'],
      ['7:os,7:arch&level=2', 'Linux os,Linux x,Windows os,Windows x,arch,arch x'],
      ['7:os,8:os', '7:os Linux,7:os Windows,8:os Linux,8:os Windows'],
      ['7:os,8:os&sum=true', 'Linux,Windows'],
      ['7:time', '7:time'],
    ] as const) {
      const [head] = (await getText(others.url, `/api/v2/series.csv?charts=${charts}`)).split('\r\n');
      assert.equal(head, `time,${names}`, charts);
    }
  });
});

const hugePoints = [
  [start, 1e308],
  [start + 1, 1e308],
];
const huge = await serveRecords([
  software,
  plugin(),
  chart('a', 1, 'single_linechart'),
  chart('b', 2, 'single_linechart'),
  chart('os', 3, 'drilldown_pie'),
  data('a', hugePoints),
  data('b', hugePoints),
  history(
    'os',
    [start, start + 1],
    ['10', '11'].map((name) => ({ group: 'Windows', name, values: [-1e308, 1] })),
  ),
]);

for (const [query, values] of [
  ['charts=7:a,7:b&sum=true', [[null, null]]],
  ['charts=7:a&step=1d', [[null]]],
  ['charts=7:os', [[null, 2]]],
  ['charts=7:os&sum=true', [[null, 2]]],
] as const)
  test(`a sum that no double can hold is null in the series of ${query}`, async () => {
    const answer = JSON.parse(await getText(huge.url, `/api/v2/series?${query}`));
    assert.deepEqual(
      answer.series.map((one: { readonly values: unknown }) => one.values),
      values,
    );
    const [, ...rows] = (await getText(huge.url, `/api/v2/series.csv?${query}`)).trimEnd().split('\r\n');
    assert.deepEqual(
      rows.map((row) => row.split(',').slice(1)),
      answer.times.map((_: number, at: number) => values.map((column) => String(column[at] ?? ''))),
    );
  });
