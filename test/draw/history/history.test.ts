// Pictures of shares over time, how they are stacked, and since when a version has led.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { drawHistory } from '../../../src/draw/chart.ts';
import { gatherHistory, hideInHistory, leaderPhrase } from '../../../src/draw/history/history-to-draw.ts';
import { stackHistory } from '../../../src/draw/history/stack.ts';
import { lightColours } from '../../../src/draw/theme.ts';
import { timeStep } from '../../../src/draw/time-step.ts';
import { readSvg } from '../../support/read-svg.ts';
import { fc } from '../../support/seed.ts';
import { anyHistory, driftingHistory, madeHistory } from './made-histories.ts';

const options = {
  width: 800,
  height: 300,
  theme: 'auto',
  hasStyle: true,
  range: '30d',
  unit: 'percent',
} as const;

test('a card says its mean where its page does not name it: another than usual, or that of a sum', () => {
  const history = madeHistory({ shares: { a: [3, 2], b: [1, 1] } });
  for (const [step, isSum, isSaid] of [
    ['6h', false, false],
    ['6h', true, true],
    ['1d', false, true],
  ] as const) {
    const made = { ...history, step: timeStep(step) };
    const svg = drawHistory(made, { ...options, isInCard: true, isSum });
    assert.equal(svg.includes(made.step.mean), isSaid, `${step}, ${isSum}`);
  }
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
  const whole = gatherHistory(history, 3).other;
  const isShown = (name: string | undefined) => name !== 'Software 11';
  const { other } = gatherHistory(hideInHistory(history, isShown), 3);
  assert.equal(other?.shareCount, (whole?.shareCount ?? 0) - 1);
  assert.equal(other.last, (whole?.last ?? 0) - (history.shares[11]?.last ?? 0));
});

const history = {
  ...madeHistory({ hours: [0, 24, 48, 72], shares: { a: [9, 4, 1, 0], b: [1, 5, 3, 2], c: [0, 1, 6, 8] } }),
  title: 'Plugin Version',
  mostUsed: { name: 'c', since: 172_800_000 },
};

test('a chart of versions says which is the most used and since when, and no other chart does', () => {
  assert.equal(leaderPhrase(history), 'most used: c since 3 Jan 1970');
  assert.equal(leaderPhrase({ ...history, title: 'Server Software' }), undefined);
  assert.equal(leaderPhrase({ ...history, mostUsed: null }), undefined);
});

test('a picture says it below its title and in its description, as far as it has room', () => {
  const words = (width: number, height = 300) => {
    const look = { width, height, theme: 'light', hasStyle: false } as const;
    const svg = drawHistory(history, { ...look, range: '30d', unit: 'percent' });
    assert.match(svg, /<desc [^>]*>[^<]*; most used: c since 3 Jan 1970<\/desc>/);
    return /, (most used[^<]*)<\/t/.exec(svg)?.[1];
  };
  assert.equal(words(440), 'most used: c since 3 Jan 1970');
  assert.equal(words(240), undefined);
});

test('any edges are finite, and none is above the one before', () => {
  fc.assert(
    fc.property(anyHistory, fc.constantFrom('percent', 'count'), (history, unit) => {
      const { edges, runs, middles, high } = stackHistory(history, unit);
      assert.ok(high >= 0 && Number.isFinite(high));
      for (const [rank, edge] of edges.entries())
        for (const [index, value] of edge.entries()) {
          assert.ok(value >= 0 && value <= high * (1 + 1e-12), `${value} of ${high}`);
          assert.ok(value <= (edges[rank - 1]?.[index] ?? Number.POSITIVE_INFINITY) * (1 + 1e-12));
        }
      for (const [index, run] of runs.entries()) {
        assert.ok(run.start < run.end && run.from <= run.to);
        assert.ok(run.from <= (middles[run.start] ?? 0) && (middles[run.end - 1] ?? 0) <= run.to);
        assert.ok(run.from >= (runs[index - 1]?.to ?? 0));
      }
    }),
  );
});

test('the sum of huge values keeps their parts', () => {
  const history = madeHistory({ shares: { a: [1.5e308], b: [1.5e308] } });
  assert.deepEqual(
    stackHistory(history, 'percent').edges.map((edge) => [...edge]),
    [[100], [50]],
  );
  assert.equal(stackHistory(history, 'count').high, 2e290);
});
