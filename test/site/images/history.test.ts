// Pictures of shares over time: `view=history`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lightColours } from '../../../src/draw/theme.ts';
import { makeStore } from '../../http/support/test-server.ts';
import { hostileNames } from '../../support/hostile-names.ts';
import { readSvg } from '../../support/read-svg.ts';
import {
  chartRecord,
  dataRecord,
  historyRecord,
  pluginRecord,
  softwareRecord,
} from '../../support/records.ts';
import { serveSite } from '../pages/support/site-client.ts';
import { ask } from './support/ask.ts';
import { assertSvg, descriptionOf } from './support/assert-svg.ts';

const hour = 3_600_000;
const newest = Date.UTC(2026, 5, 30, 18);
const times = Array.from({ length: 240 }, (_, index) => newest - (239 - index) * hour);
const values = (level: number) => times.map((_, index) => level * (index + 1));

const charts: readonly (readonly [chartId: string, type: string, series: readonly object[] | undefined])[] = [
  ['pie', 'simple_pie', [0, 1, 2].map((rank) => ({ name: `s${rank}`, values: values(3 - rank) }))],
  [
    'drilldown',
    'drilldown_pie',
    [0, 1, 2].map((rank) => ({ group: `g${rank % 2}`, name: `s${rank}`, values: values(1) })),
  ],
  ['map', 'advanced_map', ['DE', 'FR'].map((name, rank) => ({ name, values: values(2 - rank) }))],
  ['bars', 'simple_bar', [{ name: 'Bar', values: values(1) }]],
  [
    'hostile',
    'advanced_pie',
    [...hostileNames.map((name) => name.replaceAll(/\p{Cc}/gu, '')), '__proto__', 'Other'].map((name) => ({
      name,
      values: values(1),
    })),
  ],
  // The largest twelve of one minor line, and more of another.
  [
    'versions',
    'simple_pie',
    Array.from({ length: 30 }, (_, patch) => ({
      name: patch < 12 ? `2.4.${patch}` : `2.5.${patch}`,
      values: values(patch < 12 ? 3 : 2),
    })),
  ],
  // The largest is gone for the last five days.
  [
    'replaced',
    'simple_pie',
    [
      { name: 'new', values: times.map((_, index) => Math.max(0, index - 100)) },
      { name: 'gone', values: times.map((_, index) => (index < 120 ? 500 : 0)) },
      { name: 'small', values: times.map((_, index) => 1 + (index % 2)) },
    ],
  ],
  // Neither the largest first nor in the order of their digits.
  ...['releases', 'copied'].map(
    (chartId) =>
      [
        chartId,
        'simple_pie',
        [
          { name: '0.9-beta', values: times.map((_, index) => (index < 200 ? 90 : 0)) },
          { name: '1.2', values: values(1) },
          { name: '1.10', values: values(3) },
          { name: '1.9', values: values(2) },
        ],
      ] as const,
  ),
  ['none', 'simple_pie', undefined],
  ['line', 'single_linechart', undefined],
  ['heat', 'heatmap', undefined],
];

const server = await serveSite(
  await makeStore([
    softwareRecord(),
    pluginRecord(1, 'X'),
    ...charts.map(([chartId, type], index) =>
      chartRecord(chartId, index + 1, { type, title: `Title of ${chartId}` }),
    ),
    dataRecord(
      'line',
      times.map((time) => [time, 5]),
    ),
    dataRecord(
      'versions',
      ['2.4.0', '2.5.1', '2.5.2'].map((name) => ({ name, y: 1 })),
    ),
    dataRecord('replaced', [
      { name: 'new', y: 139 },
      { name: 'small', y: 2 },
    ]),
    ...['releases', 'copied'].map((chartId) =>
      dataRecord(
        chartId,
        ['1.10', '1.9', '1.2'].map((name) => ({ name, y: 5 })),
      ),
    ),
    pluginRecord(2, 'Y'),
    ...[
      [1, newest - 24 * hour, '2.4.0'],
      [1, newest - 48 * hour, '"><script>'],
      [1, newest - 500 * hour, 'long ago'],
      [2, newest - 24 * hour, 'of another plugin'],
    ].map(([pluginId, time, title]) => ({ record: 'event', pluginId, time, title, url: null })),
    ...charts.flatMap(([chartId, , series]) =>
      series === undefined ? [] : [historyRecord(chartId, times, series)],
    ),
  ]),
);

async function describePicture(chartId: string, query = ''): Promise<string> {
  const { status, text } = await ask(server, `/embed/1/${chartId}.svg?view=history${query}`);
  assert.equal(status, 200, chartId);
  return descriptionOf(text);
}

test('every chart of shares has its history, a drilldown pie that of its outer shares', async () => {
  const end = 'in the 30 days to 30 Jun 2026';
  const events = '2 events: 2.4.0 on 29 Jun 2026 and "><script> on 28 Jun 2026';
  assert.equal(
    await describePicture('pie'),
    `Title of pie (X) over time, ${end}: s0 50%, s1 33% and s2 17%; 1,440 in total at the end; ${events}`,
  );
  assert.match(await describePicture('drilldown'), /: g0 67% and g1 33%; 720 in total/);
  assert.match(await describePicture('map'), /: Germany 67% and France 33%; /);
  assert.match(await describePicture('bars'), /: Bar 100%; 240 in total/);
});

test('unit, range and the other parameters of pictures decide what is shown', async () => {
  assert.match(
    await describePicture('pie', '&unit=count&range=1d'),
    /in the day to 30 Jun 2026: s0 from 648 to 720, /,
  );
  const { text } = await ask(
    server,
    '/embed/1/pie.svg?view=history&width=400&height=200&title=Mine&theme=dark',
  );
  const elements = assertSvg(text);
  assert.deepEqual([elements[0]?.attributes['width'], elements[0]?.attributes['height']], ['400', '200']);
  assert.ok(elements.some((element) => element.name === 'text' && element.text === 'Mine'));
  const png = await ask(server, '/embed/1/pie.png?view=history');
  assert.deepEqual([png.status, png.headers['content-type']], [200, 'image/png']);
});

/** The names in the legend of a picture, each with its colour. */
async function keysIn(path: string): Promise<ReadonlyMap<string, string | undefined>> {
  const elements = assertSvg((await ask(server, path)).text);
  const keys = elements.flatMap(({ name, attributes }, at) =>
    name === 'rect' && attributes['rx'] === '2' ? [at] : [],
  );
  return new Map(keys.map((at) => [elements[at + 1]?.text ?? '', elements[at]?.attributes['fill']]));
}

test('a share has one colour, now and over time in every window, and no row where it was 0', async () => {
  const coloursIn = async (query: string) => [...(await keysIn(`/embed/1/replaced.svg?${query}`))];
  const { series0, series1, series2 } = lightColours;
  const [gone, fresh, small] = [
    ['gone', series0],
    ['new', series1],
    ['small', series2],
  ];
  assert.deepEqual(await coloursIn('view=history&range=all'), [fresh, small, gone]);
  assert.deepEqual(await coloursIn('view=lines&range=all'), [fresh, small, gone]);
  assert.deepEqual(await coloursIn('view=history&range=1d'), [fresh, small]);
  assert.deepEqual(await coloursIn(''), [fresh, small]);
});

test('versions have a ramp from the newest to the oldest, the same in every window, view and theme', async () => {
  const all = await keysIn('/embed/1/releases.svg?view=history&range=all');
  const newestFirst = ['1.10', '1.9', '1.2', '0.9-beta'];
  assert.deepEqual([...all.keys()].sort(), newestFirst.toSorted());
  const lights = newestFirst.map((name) => {
    const digits = Number.parseInt(all.get(name)?.slice(1) ?? '', 16);
    // About as light as eyes see them.
    return 2 * (digits >> 16) + 7 * ((digits >> 8) & 255) + (digits & 255);
  });
  assert.deepEqual(
    lights,
    lights.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(lights).size, 4);
  for (const query of [
    'view=history&range=1d',
    'view=lines&unit=count',
    'view=now&width=200&height=100',
    'theme=dark',
    'theme=transparent&view=history',
  ])
    for (const path of ['/embed/1/releases.svg?', '/embed/shares.svg?charts=1:releases,1:copied&']) {
      const shown = await keysIn(path + query);
      assert.ok(shown.size > 0, query);
      for (const [name, colour] of shown) assert.equal(colour, all.get(name), `${path}${query}: ${name}`);
    }
});

test('view=lines draws a line for each share', async () => {
  for (const unit of ['percent', 'count']) {
    const elements = assertSvg((await ask(server, `/embed/1/pie.svg?view=lines&unit=${unit}`)).text);
    const lines = elements.filter(
      ({ name, attributes }) =>
        name === 'path' && attributes['data-index'] !== undefined && attributes['stroke-width'] === '1.75',
    );
    assert.deepEqual(
      lines.map(({ attributes }) => [attributes['fill'], /Z/i.test(attributes['d'] ?? '')]),
      Array.from({ length: 3 }, () => ['none', false]),
    );
    // A stack would reach 100%, and 1,440.
    const texts = elements.flatMap(({ name, text, attributes }) =>
      name === 'text' && attributes['text-anchor'] === undefined ? [text] : [],
    );
    assert.ok(!texts.includes('100%') && !texts.includes('1,500'), texts.join());
  }
  assert.equal((await ask(server, '/embed/1/pie.svg?view=areas')).status, 400);
});

test('group=minor puts versions of one minor line together, now and over time', async () => {
  assert.match(
    await describePicture('versions', '&group=minor'),
    /: 2\.4\.x 50% and 2\.5\.x 50%; 17,280 in total at the end/,
  );
  assert.match(await describePicture('versions'), /: 2\.4\.0 4\.2%, .* and 27 more; 17,280 in total/);
  const now = assertSvg((await ask(server, '/embed/1/versions.svg?group=minor')).text);
  assert.match(now.find(({ name }) => name === 'desc')?.text ?? '', /: 2\.5\.x 67% and 2\.4\.x 33%/);
  assert.equal((await ask(server, '/embed/1/versions.svg?group=major')).status, 400);
});

test('view=ladder has the share of each version or minor line with all newer ones', async () => {
  const describe = async (chartId: string, query = '') => {
    const { text, status } = await ask(server, `/embed/1/${chartId}.svg?view=ladder${query}`);
    assert.equal(status, 200);
    return assertSvg(text).find(({ name }) => name === 'desc')?.text;
  };
  assert.match(
    String(await describe('versions', '&group=minor')),
    /: 2\.5\.x or newer \d+% and 2\.4\.x or newer 100%$/,
  );
  assert.match(String(await describe('versions')), /: 2\.5\.\d+ or newer .*, .* and \d+ more$/);
  for (const chartId of ['line', 'heat', 'none', 'pie'])
    assert.equal(await describe(chartId), 'Only charts of versions have a ladder.', chartId);
  const before = await server.count('responses_total', { cache: 'miss' });
  await ask(server, '/embed/1/versions.svg?view=ladder&range=1y&unit=count');
  assert.equal(await server.count('responses_total', { cache: 'miss' }), before);
});

test('events of the plugin in the range are marks on its lines too', async () => {
  const { text } = await ask(server, '/embed/1/line.svg');
  const elements = assertSvg(text);
  const words = '5 on 30 Jun 2026; 2 events: 2.4.0 on 29 Jun 2026 and "><script> on 28 Jun 2026';
  assert.ok(elements.find(({ name }) => name === 'desc')?.text.endsWith(words));
  assert.ok(elements.some((element) => element.name === 'title' && element.text === '2.4.0, 29 Jun 2026'));
  assert.match(await describePicture('pie', '&range=1d'), /; 1 event: 2\.4\.0 on 29 Jun 2026$/);
});

test('a line, a chart without history and one of an unknown type are pictures that say so', async () => {
  assert.match(await describePicture('line'), /^This chart is a line/);
  assert.equal(await describePicture('none'), 'No history yet.');
  assert.match(await describePicture('heat'), /^Only pies, maps and bars/);
  const { text } = await ask(server, '/embed/1/none.svg?view=history');
  assert.ok(readSvg(text).some((element) => element.name === 'text' && element.text === 'Title of none'));
});
