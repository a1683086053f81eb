// Numbers, times, periods and other texts as people read them, and the steps of pictures.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatExact,
  formatShare,
  formatShort,
  formatTick,
  rangeWords,
  timeWords,
} from '../../src/draw/format.ts';
import { timeAxis } from '../../src/draw/line/time-axis.ts';
import { setReaderZone, timeOfWall, wallTime } from '../../src/draw/reader-zone.ts';
import { cutText, escapeXml, measureText } from '../../src/draw/svg.ts';
import { historyStep, lineStep, stepRuns, timeStep } from '../../src/draw/time-step.ts';
import { dayMs } from '../../src/model/window.ts';
import { readSvg } from '../support/read-svg.ts';
import { fc } from '../support/seed.ts';

test('short numbers have two or three digits and a letter', () => {
  const cases: ReadonlyArray<readonly [number, string]> = [
    [0, '0'],
    [-0, '0'],
    [7, '7'],
    [0.125, '0.125'],
    [950, '950'],
    [999.6, '1k'],
    [1234, '1.2k'],
    [10_000, '10k'],
    [12_340, '12.3k'],
    [999_499, '999k'],
    [999_600, '1M'],
    [-3_400_000, '−3.4M'],
    [1.25e9, '1.3B'],
    [7e12, '7T'],
    [1e15, '1,000T'],
    [1e15 + 0.125, 'over 1,000T'],
    [-5e18, 'under −1,000T'],
    [-1e-9, '−1e-9'],
  ];
  for (const [value, text] of cases) assert.equal(formatShort(value), text);
});

test('an axis names numbers of any size in few characters', () => {
  for (const [value, text] of [
    [9e19, '90,000,000T'],
    [-1e26, '−1e+26'],
    [1.25e20, '1.3e+20'],
  ] as const)
    assert.equal(formatTick(value), text);
});

test('exact numbers have all digits', () => {
  const cases: ReadonlyArray<readonly [number, string]> = [
    [0, '0'],
    [-0, '0'],
    [3883, '3,883'],
    [-1234567.25, '−1,234,567.25'],
    [0.1 + 0.2, '0.3'],
    [1e15, '1,000,000,000,000,000'],
    [Number.MAX_VALUE, 'over 1,000T'],
    [-1.23456e21, 'under −1,000T'],
    [0.0012345, '0.00123'],
    [0.0009, '0.0009'],
    [-0.05, '−0.05'],
    [2e-6, '0.000002'],
    [1e-9, '1e-9'],
  ];
  for (const [value, text] of cases) assert.equal(formatExact(value), text);
});

test('exact numbers below a billion are the same as from Intl', () => {
  const intl = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
  const digits = fc.double({ min: 0.1, max: 1e9, noNaN: true });
  const halves = fc.integer({ min: 1000, max: 1e9 }).map((count) => count / 10_000);
  const check = (value: number) => {
    assert.equal(formatExact(value), intl.format(value));
    assert.equal(formatExact(-value), `−${intl.format(value)}`);
  };
  // Large numbers a little below a half have as many digits as fit.
  const nearHalves = fc
    .record({ whole: fc.integer({ min: 1e8, max: 1e9 }), decimals: fc.integer({ min: 100, max: 999 }) })
    .map(({ whole, decimals }) => Number(`${whole}.${decimals}49997`));
  fc.assert(fc.property(fc.oneof(digits, halves, nearHalves), check), { numRuns: 500 });
});

test('small numbers keep three digits', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 0.1, noNaN: true }), (value) => {
      assert.ok(Math.abs(Number(formatExact(value)) / value - 1) < 0.0051, formatExact(value));
    }),
  );
});

test('small shares have a decimal', () => {
  const cases: ReadonlyArray<readonly [number, string]> = [
    [0, '0%'],
    [0.0001, '<0.1%'],
    [0.0455, '4.6%'],
    [0.05, '5%'],
    [0.452, '45%'],
    [1 / 8, '13%'],
    [57 / 200, '29%'],
    [115 / 920 - 1e-16, '13%'],
    [0.12499, '12%'],
    [1, '100%'],
  ];
  for (const [share, text] of cases) assert.equal(formatShare(share), text);
});

test('times are in UTC', () => {
  assert.equal(formatDate(Date.UTC(2025, 10, 12)), '12 Nov 2025');
  assert.equal(formatDateTime(Date.UTC(2025, 0, 2, 3, 4)), '2 Jan 2025, 03:04 UTC');
});

const timestamp = Date.UTC(2026, 5, 30, 23, 30);

test('a value is that of now for two days, and is then named by its day', () => {
  assert.equal(timeWords({ timestamp, nowMs: timestamp + 2 * dayMs - 1 }), 'now');
  assert.equal(timeWords({ timestamp, nowMs: timestamp + 2 * dayMs }), 'on 30 Jun 2026');
  assert.equal(timeWords({ timestamp, nowMs: timestamp - dayMs }), 'now');
});

test('a range that has ended is not the last one', () => {
  const current = { timestamp, nowMs: timestamp };
  const ended = { timestamp, nowMs: timestamp + 700 * dayMs };
  assert.equal(rangeWords('30d', current), 'in the last 30 days');
  assert.equal(rangeWords('1d', current, timestamp), 'in the last day');
  assert.equal(rangeWords('30d', ended), 'in the 30 days to 30 Jun 2026');
  assert.equal(rangeWords('30d', ended, timestamp - 1), 'in the 30 days before');
  assert.equal(rangeWords('30d', ended, timestamp - 2 * dayMs), 'in the 30 days to 30 Jun 2026');
  assert.equal(rangeWords('all', ended), 'in its whole history');
  const window = { from: timestamp - dayMs, to: timestamp };
  assert.equal(rangeWords(window, current), rangeWords(window, ended));
});

const hour = 60 * 60 * 1000;
/** The change to summer time in Berlin: 02:00 becomes 03:00. */
const change = Date.UTC(2026, 2, 29, 1);
const berlin = (timestamp: number) => (timestamp < change ? hour : 2 * hour);

afterEach(() => setReaderZone(() => 0));

test('times have the zone of the reader, which they name, and days of steps are those of UTC', () => {
  const time = Date.UTC(2026, 5, 30, 23, 30);
  assert.equal(formatDateTime(time), '30 Jun 2026, 23:30 UTC');
  setReaderZone(berlin);
  assert.equal(formatDateTime(time), '1 Jul 2026, 01:30 GMT+2');
  assert.deepEqual([formatDate(time), formatDay(time)], ['1 Jul 2026', '30 Jun 2026']);
  assert.equal(formatDateTime(change - 1), '29 Mar 2026, 01:59 GMT+1');
  setReaderZone(() => -3.5 * hour);
  assert.equal(formatDateTime(time), '30 Jun 2026, 20:00 GMT−3:30');
});

test('the ticks of an axis are at the midnights of the reader, also where the clock changes', () => {
  setReaderZone(berlin);
  const place = { left: 0, right: 1000, labelEnd: 1000, textSize: 12 };
  const [from, to] = [Date.UTC(2026, 2, 27), Date.UTC(2026, 3, 2)];
  const { ticks, timestampAt } = timeAxis({ from, to }, place);
  const times = ticks.map(({ at, text }) => [text, new Date(timestampAt(at)).toISOString().slice(5, 16)]);
  const days = times.filter(([text = '']) => /^(29|30|31) Mar$/.test(text));
  assert.deepEqual(days, [
    ['29 Mar', '03-28T23:00'],
    ['30 Mar', '03-29T22:00'],
    ['31 Mar', '03-30T22:00'],
  ]);
});

test('the time of a wall clock is the one that it was made from, but in the hour that is there twice', () => {
  setReaderZone(berlin);
  const times = fc.integer({ min: change - 100 * hour, max: change + 100 * hour });
  fc.assert(fc.property(times, (time) => assert.equal(timeOfWall(wallTime(time)), time)));
});

const hourMs = 3_600_000;

test('a line has its points over sixty days, days beyond, and weeks where days have no room', () => {
  assert.equal(lineStep(60 * dayMs, 200), undefined);
  assert.equal(lineStep(90 * dayMs, 200), '1d');
  assert.equal(lineStep(365 * dayMs, 800), '1d');
  assert.equal(lineStep(365 * dayMs, 400), '7d');
  assert.equal(lineStep(36_500 * dayMs), '1d');
});

test('the step of a history is the shortest that is two pixels wide', () => {
  assert.equal(historyStep(7 * dayMs, 800), '30m');
  assert.equal(historyStep(30 * dayMs, 1600), '1h');
  assert.equal(historyStep(30 * dayMs, 800), '6h');
  assert.equal(historyStep(365 * dayMs, 800), '1d');
  assert.equal(historyStep(36_500 * dayMs, 800), '7d');
  assert.equal(timeStep('6h').mean, 'mean of 6 hours');
});

test('one missing time among regular ones is a gap, and irregular times are joined but for long pauses', () => {
  const runsFor = (hours: readonly number[], stepMs = 0) => {
    const times = Float64Array.from(hours, (hour) => hour * hourMs);
    const window = { from: 0, to: 100 * hourMs };
    return stepRuns(times, stepMs, { window }).runs.map(({ start, end }) => hours.slice(start, end));
  };
  assert.deepEqual(runsFor([0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]), [
    [0, 1, 2, 3],
    [5, 6, 7, 8, 9, 10, 11, 12],
  ]);
  assert.equal(runsFor([0, 1, 5, 6, 10, 12, 13, 17, 20, 22, 23, 24, 60]).length, 2);
  assert.deepEqual(runsFor([0, 1, 3], 2 * hourMs), [[0, 1, 3]]);
  const [days, hours] = [[0, 24, 48, 72], Array.from({ length: 60 }, (_, index) => 96 + index)];
  assert.deepEqual(runsFor([...days, ...hours], hourMs / 2), [[...days, ...hours]]);
  const later = hours.map((each) => each + 48);
  assert.deepEqual(runsFor([...days, ...later, 227, 251, 275], hourMs), [days, [...later, 227, 251, 275]]);
  assert.deepEqual(runsFor([7]), [[7]]);
  assert.deepEqual(runsFor([]), []);
});

test('any text is well-formed in an element and in an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeXml(text);
      const [element] = readSvg(`<t a="${escaped}">${escaped}</t>`);
      assert.ok(element !== undefined);
      if (/^[\w <>&"']*$/.test(text)) assert.equal(element.text, text);
    }),
  );
});

test('characters that XML forbids and lone surrogates are replaced', () => {
  assert.equal(escapeXml('a\u0000b\ufffec\ud800d'), 'a\ufffdb\ufffdc\ufffdd');
  assert.equal(escapeXml('"><script>&'), '&quot;&gt;&lt;script&gt;&amp;');
});

test('right-to-left text is isolated, and cannot end its isolation', () => {
  assert.equal(escapeXml('שלום'), '\u2068שלום\u2069');
  assert.equal(escapeXml('a\u202egnp\u2069'), '\u2068agnp\u2069');
});

test('a text is cut between visible characters', () => {
  const family = '👩‍👩‍👧‍👦';
  const cut = cutText(family.repeat(5), measureText(family, 12) * 2 + measureText('…', 12), { size: 12 });
  assert.equal(cut, `${family.repeat(2)}…`);
  assert.equal(cutText('short', 100, { size: 12 }), 'short');
  assert.equal(cutText('nothing fits', 3, { size: 12 }), '');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(200), (text, width) => {
      const shown = cutText(text, width, { size: 12 });
      assert.ok(measureText(shown, 12) <= width);
      assert.ok(shown.isWellFormed());
    }),
  );
});
