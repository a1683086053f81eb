// Charts of every type as pictures and as sentences, events as marks on them, and badges as shields.io draws
// them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawBadge } from '../../src/draw/badge.ts';
import { badgeStyles } from '../../src/draw/badge-look.ts';
import { drawChart } from '../../src/draw/chart.ts';
import { type ChartToDraw, contentOf, describeContent, openSlice } from '../../src/draw/chart-content.ts';
import { eventMarks, gatherEvents, noEvents } from '../../src/draw/events.ts';
import { drawLine } from '../../src/draw/line/line.ts';
import { lightColours } from '../../src/draw/theme.ts';
import type { DataForm } from '../../src/model/chart-types.ts';
import { pointsOf } from '../../src/model/columns.ts';
import type { PluginEvent } from '../../src/model/plugin-event.ts';
import { readSvg } from '../support/read-svg.ts';
import { columnsFor, halfHours } from './line/made-lines.ts';

const options = { width: 560, height: 340, theme: 'auto', hasStyle: true } as const;
const software: ChartToDraw = {
  form: 'pie',
  title: 'Server Software',
  pluginName: 'X',
  isDefault: true,
  data: [
    { name: 'Spigot', y: 22 },
    { name: 'Paper', y: 61 },
    { name: 'Purpur', y: 9 },
    { name: 'Leaf', y: 5 },
    { name: 'Folia', y: 3 },
  ],
};
const java: ChartToDraw = {
  form: 'drilldown',
  title: 'Java Version',
  data: {
    drilldownData: [
      {
        name: 'Java 21',
        id: '21',
        data: [
          ['21.0.7', 1],
          ['21.0.11', 4],
        ],
      },
    ],
    seriesData: [
      { name: 'Java 8', y: 1, drilldown: '8' },
      { name: 'Java 21', y: 5, drilldown: '21' },
    ],
  },
};
const chart = (form: DataForm, data: unknown): ChartToDraw => ({ form, title: 'T', data });

function lineChart(line: readonly (readonly [time: number, value: number])[]): ChartToDraw {
  const [points, [time = 0, value = 0] = []] = [pointsOf(line), line.at(-1)];
  const window = { from: line[0]?.[0] ?? 0, to: time + 1 };
  return { form: 'line', title: 'T', data: undefined, line: { window, points, newest: { time, value } } };
}

function describeChart(described: ChartToDraw): string {
  return describeContent(contentOf(described), { chart: described });
}

test('a sentence describes a picture', () => {
  const sentence = 'Server Software of servers using X: Paper 61%, Spigot 22%, Purpur 9% and 2 more';
  assert.equal(describeChart(software), sentence);
  assert.match(drawChart(software, options), new RegExp(`<desc[^>]*>${sentence}</desc>`));
  assert.equal(describeChart({ ...software, isDefault: false }).slice(0, 19), 'Server Software (X)');
  assert.equal(describeChart(chart('pie', [{ name: 'a', y: 1 }])), 'T: a 100%');
  assert.equal(describeChart(java), 'Java Version: Java 21 83% and Java 8 17%');
  const temperatures = [
    { name: 'a', data: [-3] },
    { name: 'b', data: [1000, 200.5] },
  ];
  assert.equal(describeChart(chart('bars', temperatures)), 'T: b 100% and a 0%');
  assert.equal(describeChart(chart('other', [1])), "T: This chart's type is not known here.");
  const line: [number, number][] = [
    [0, 2950],
    [1_800_000, 4659],
    [3_600_000, 3883],
  ];
  assert.match(
    drawChart(lineChart(line), { ...options, range: '7d' }),
    /<desc[^>]*>T: 3,883 on 1 Jan 1970, between 2,950 and 4,659 in the 7 days before</,
  );
});

test('a share has the colour of its name, whatever is larger now', () => {
  const colours = ['gone', 'b', 'a'];
  const keysOf = (group?: 'minor') => {
    const data = [
      { name: 'a', y: 3 },
      { name: 'new', y: 2 },
      { name: 'b', y: 1 },
    ];
    const svg = drawChart({ ...chart('pie', data), colours, group }, { ...options, theme: 'light' });
    return readSvg(svg)
      .filter(({ name, attributes }) => name === 'rect' && attributes['rx'] === '2')
      .map(({ attributes }) => attributes['fill']);
  };
  const { series1, series2, series3 } = lightColours;
  assert.deepEqual(keysOf(), [series2, series3, series1]);
  assert.deepEqual(keysOf('minor'), keysOf());
});

test('a slice of a drilldown pie opens by its index in the picture', () => {
  const { title, data } = openSlice(java, 0) ?? assert.fail();
  assert.deepEqual(
    [title, JSON.stringify(data)],
    ['Java Version › Java 21', '[{"name":"21.0.7","y":1},{"name":"21.0.11","y":4}]'],
  );
  for (const nothing of [openSlice(java, 1), openSlice(java, 2), openSlice(software, 0)])
    assert.equal(nothing, undefined);
});

test('shares have their day where it is not that of now', () => {
  const dated = { ...software, timestamp: Date.UTC(2024, 5, 30, 12) };
  assert.match(describeChart(dated), /^Server Software of servers using X on 30 Jun 2024: Paper 61%/);
  assert.match(drawChart(dated, options), />30 Jun 2024 *</);
  // Its description has it alone where the title needs the room.
  assert.doesNotMatch(
    drawChart({ ...dated, title: `${dated.title} and more` }, { ...options, width: 200 }),
    /> {2}30 Jun/,
  );
  const bars = { ...dated, form: 'bars' as const, data: [{ name: 'a', data: [1, 2] }], settings: undefined };
  assert.match(drawChart(bars, options), />30 Jun 2024 *</);
  const content = contentOf(dated);
  const soon = { chart: dated, range: 'all', nowMs: Date.UTC(2024, 6, 1) } as const;
  assert.match(describeContent(content, soon), /^Server Software of servers using X: Paper/);
  const never = { ...dated, timestamp: undefined, data: [] };
  assert.equal(describeChart(never), 'Server Software of servers using X: No data yet.');
});

const day = 86_400_000;
const points = halfHours({ days: 30, level: 100 });
const from = points.times[0] ?? 0;
const window = { from, to: (points.times.at(-1) ?? 0) + 1 };
const look = { width: 800, height: 300, theme: 'light', hasStyle: true } as const;
const release = (days: number, title = `2.${days}.0`): PluginEvent => ({
  time: from + days * day,
  title,
  url: null,
});

function marksOf(events: readonly PluginEvent[], columnCount = 400) {
  return eventMarks(gatherEvents(noEvents, events, { window, columnCount }));
}

function drawWith(events: readonly PluginEvent[] | undefined, width = 800): string {
  const picture = { title: 'T', shape: columnsFor(points, width), range: '30d' } as const;
  return drawLine({ ...picture, marks: events && marksOf(events, width / 2) }, { ...look, width });
}

/** The titles of the marks, and the texts of the picture. */
function marksIn(svg: string) {
  const [, ...titles] = readSvg(svg).filter(({ name }) => name === 'title');
  const texts = readSvg(svg).filter(
    ({ name, attributes }) => name === 'text' && attributes['font-size'] === '9',
  );
  return { titles: titles.map(({ text }) => text), labels: texts.map(({ text }) => text) };
}

test('events that are close to each other are one mark, which says how many', () => {
  assert.deepEqual(marksIn(drawWith([release(3), release(3.1, '2.3.1'), release(20)])), {
    titles: ['2 events, 3 Jul 2025: 2.3.0, 2.3.1', '2.20.0, 20 Jul 2025'],
    labels: ['2', '2.20.0'],
  });
  const many = Array.from({ length: 1200 }, (_, index) => release(20 + index / 1000, `v${index}`));
  assert.deepEqual(marksIn(drawWith(many)), {
    titles: ['1,200 events, 20 Jul 2025 to 21 Jul 2025: v0 to v1199'],
    labels: ['1.2k'],
  });
});

test('an event says its title where that has room', () => {
  const long = 'A release with a title that is cut';
  const labels = (...events: readonly PluginEvent[]) => marksIn(drawWith(events)).labels;
  assert.deepEqual(labels(release(3), release(10, long)), ['2.3.0', 'A release with a title …']);
  assert.deepEqual(labels(release(3), release(4), release(5), release(29, long)), [
    '2.3.0',
    '2.5.0',
    'A release with a title …',
  ]);
});

test('ten thousand events with long titles add less than 12 KB to a picture of the usual size', () => {
  for (const width of [200, 800, 1600]) {
    const events = Array.from({ length: 10_000 }, (_, index) =>
      release((index * 30) / 10_000, `${index}`.padEnd(200, '"')),
    );
    const added = drawWith(events, width).length - drawWith([], width).length;
    assert.ok(added < 4000 + 10 * width, `${width}: ${added}`);
  }
});

test('the newest three events are described, and the number of the others', () => {
  assert.equal(marksOf([]).words, '');
  assert.equal(marksOf([release(1)]).words, '1 event: 2.1.0 on 1 Jul 2025');
  assert.equal(
    marksOf([1, 2, 3, 4, 5].map((days) => release(days))).words,
    '5 events: 2.5.0 on 5 Jul 2025, 2.4.0 on 4 Jul 2025, 2.3.0 on 3 Jul 2025 and 2 more',
  );
});

const players = { label: 'players', message: '3.9k', color: 'blue', style: 'flat' } as const;

// `node --test --test-update-snapshots` writes them again.
for (const style of badgeStyles)
  test(`the drawing of a badge in the style ${style} is known`, (context) => {
    const path = `${import.meta.dirname}/drawings/badge-${style}.svg`;
    context.assert.fileSnapshot(drawBadge({ ...players, style }), path, { serializers: [String] });
  });

test('a light colour has dark text', () => {
  assert.match(drawBadge({ ...players, color: '#fff' }), / fill="#333">3\.9k<\/text>/);
  assert.match(drawBadge({ ...players, color: '#b3b3b3' }), / fill="#333">3\.9k<\/text>/);
  assert.doesNotMatch(drawBadge({ ...players, color: '#b0b0b0' }), /#333/);
});

/** Texts whose width no table has, beside texts that are as wide. */
const shapedTexts = [
  ['مُحَمَّد', 'محمد'],
  ['می\u200cخواهم', 'میخواهم'],
  ['안녕'.normalize('NFD'), '안녕'],
  ['安カ', '安国'],
  ['e\u0301x\u0336', 'ex'],
  ['👩\u200d👩\u200d👧\u200d👦', '👍🏽'],
  ['🇩🇪', '👍'],
] as const;

test('a text of which no width is known is as wide as its font makes it, and what shapes its letters takes no room', () => {
  const elementsOf = (words: object) => readSvg(drawBadge({ ...players, ...words }));
  const widthOf = (words: object) => Number(elementsOf(words)[0]?.attributes['width']);
  for (const style of badgeStyles)
    for (const [text, alike] of shapedTexts)
      for (const half of ['label', 'message']) {
        const texts = elementsOf({ style, [half]: text }).filter(({ name }) => name === 'text');
        const free = texts.filter(({ attributes }) => !('textLength' in attributes));
        assert.ok(
          free.every((each) => each.text.includes(style === 'for-the-badge' ? text.toUpperCase() : text)),
        );
        assert.equal(free.length * 2, texts.length);
        const difference = widthOf({ style, [half]: text }) - widthOf({ style, [half]: alike });
        assert.ok(Math.abs(difference) <= 3, `${style} ${text}`);
      }
});

test('a badge without a label is only its message', () => {
  const svg = drawBadge({ ...players, label: ' ' });
  assert.match(svg, /width="35" height="20" role="img" aria-label="3\.9k"/);
  assert.equal(svg.split('>3.9k</text>').length, 4);
});

test('texts are escaped, and control and bidi characters are removed', () => {
  const svg = drawBadge({ ...players, label: '<a href="x">&\u202e\u0007', message: '\ud800' });
  assert.match(svg, />&lt;a href=&quot;x&quot;&gt;&amp;<\/text>/);
  for (const one of ['\u0007', '\u202e', '\ud800']) assert.ok(!svg.includes(one));
  readSvg(svg);
});
