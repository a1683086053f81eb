// Pictures of shares over time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { drawHistory } from '../../../src/draw/history/draw-history.ts';
import { gatherHistory, hideInHistory } from '../../../src/draw/history/history-to-draw.ts';
import { lightColours } from '../../../src/draw/theme.ts';
import { timeStep } from '../../../src/draw/time-step.ts';
import { readSvg } from '../../support/read-svg.ts';
import { driftingHistory, madeHistory } from './made-histories.ts';

const options = {
  width: 800,
  height: 300,
  theme: 'auto',
  hasStyle: true,
  range: '30d',
  unit: 'percent',
} as const;
const counts = { shares: { Paper: [50, 61], Spigot: [30, 22], Purpur: [10, 9], Leaf: [10, 8] } };

test('the description says how the largest shares began and ended', () => {
  const words = (history: Parameters<typeof drawHistory>[0], unit: 'percent' | 'count' = 'percent') =>
    /<desc [^>]*>([^<]*)</.exec(drawHistory(history, { ...options, unit }))?.[1];
  assert.equal(
    words(madeHistory(counts)),
    'Server Software of servers using X over time, in the 30 days to 1 Jan 1970: Paper from 50% to 61%, Spigot from 30% to 22%, Purpur from 10% to 9% and 1 more; 100 in total at the end',
  );
  assert.equal(
    words(madeHistory({ shares: { Paper: [1500, 900] }, other: [3, 3] }), 'count'),
    'Server Software of servers using X over time, in the 30 days to 1 Jan 1970: Paper from 1,500 to 900 and 7 more; 903 in total at the end',
  );
  assert.match(words(madeHistory({ shares: { a: [3], b: [1] } })) ?? '', /: a 75% and b 25%; 4 in total/);
});

test('a single time is as wide as can be seen', () => {
  const svg = drawHistory(madeHistory({ shares: { a: [3], b: [1] } }), options);
  assert.match(svg, /d="M480 68h4V264\.4H480Z"/);
});

test('a history of zeros is a sentence', () => {
  const svg = drawHistory(madeHistory({ shares: { a: [0, 0] } }), { ...options, title: 'T' });
  assert.match(svg, /<desc [^>]*>Nothing was counted in the 30 days to 1 Jan 1970\.</);
  assert.match(svg, /<title [^>]*>T</);
});

test('counts have an axis of counts, and parts one of percent', () => {
  const labels = (unit: 'percent' | 'count') =>
    readSvg(drawHistory(madeHistory(counts), { ...options, unit })).map(({ text }) => text);
  assert.ok(labels('percent').includes('100%'));
  assert.ok(labels('count').includes('100') && !labels('count').includes('100%'));
});

test('the legend is in the order of the latest share, with what is 0 now below a line, and colours stay', () => {
  const shares = { gone: [90, 0], old: [50, 10], young: [0, 60] };
  const elements = readSvg(drawHistory(madeHistory({ shares, other: [5, 5] }), options));
  const rows = elements.filter(
    ({ name, attributes }) =>
      name === 'text' && attributes['x'] === elements.find(({ text }) => text === 'young')?.attributes['x'],
  );
  assert.deepEqual(
    rows.map(({ text }) => text),
    ['young', 'old', 'Other (7)', 'gone'],
  );
  const keys = elements.filter(({ name, attributes }) => name === 'rect' && attributes['rx'] === '2');
  assert.deepEqual(
    keys.map(({ attributes }) => attributes['fill']),
    [lightColours.series2, lightColours.series1, lightColours.axis, lightColours.series0],
  );
  assert.equal(
    elements.filter(({ attributes }) => /^M[\d.]+ [\d.]+h\d+$/.test(attributes['d'] ?? '')).length,
    1,
  );
});

test('a month of twelve shares and others is under 30 KB, and under 10 KB compressed', () => {
  const svg = drawHistory(driftingHistory(12), options);
  assert.ok(svg.length < 30_000, String(svg.length));
  assert.ok(gzipSync(svg).length < 10_000, String(gzipSync(svg).length));
});

// `node --test --test-update-snapshots` writes them again.
for (const [width, height, unit] of [
  [200, 100, 'percent'],
  [400, 220, 'count'],
  [800, 300, 'percent'],
] as const)
  test(`the drawing of a history at ${width}×${height} is known`, (context) => {
    const history = { ...driftingHistory(3) };
    const times = history.times.filter((_, index) => index % 10 === 0 && (index < 100 || index > 140));
    const pick = (values: Float64Array) =>
      values.filter((_, index) => index % 10 === 0 && (index < 100 || index > 140));
    const shares = history.shares.map((share) => ({ ...share, values: pick(share.values) }));
    const other = history.other && { ...history.other, values: pick(history.other.values) };
    const svg = drawHistory(
      { ...history, step: timeStep('1d'), times, shares, other },
      { ...options, width, height, unit },
    );
    const path = `${import.meta.dirname}/drawings/history-${width}.svg`;
    context.assert.fileSnapshot(svg, path, { serializers: [String] });
  });

test('shares without a row are hidden and shown by their names too', () => {
  const history = driftingHistory(12);
  const textsOf = (isShown: (name: string | undefined) => boolean, width = 320) =>
    readSvg(drawHistory(history, { ...options, width, height: 160, isShown })).flatMap(({ name, text }) =>
      name === 'text' || name === 'desc' ? [text] : [],
    );
  for (const width of [320, 800]) {
    const alone = textsOf((name) => name === 'Software 11', width);
    assert.ok(alone.includes('Software 11'), alone.join());
    assert.equal(alone.filter((text) => text === '100%').length, 2, 'on the axis and in the legend');
    assert.match(alone[0] ?? '', /: Software 11 100%; /);
  }
  const whole = gatherHistory(history, 3).other;
  const isShown = (name: string | undefined) => name !== 'Software 11';
  const { other } = gatherHistory(hideInHistory(history, isShown), 3);
  assert.equal(other?.shareCount, (whole?.shareCount ?? 0) - 1);
  assert.equal(other.last, (whole?.last ?? 0) - (history.shares[11]?.last ?? 0));
  assert.match(textsOf((name) => name !== 'Software 11')[0] ?? '', /and 15 more; /);
});
