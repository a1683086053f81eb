// The number of points that the custom element requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPoints, pointsOf } from '../../../../src/model/points.ts';
import { coversLength, fetchNewest } from '../../../../src/site/browser/element/newest-points.ts';

const minuteMs = 60_000;
const days = (count: number) => count * 24 * 60 * minuteMs;

test('for a half-hourly line, the points that cover the length are requested, both ends included', async () => {
  for (const [lengthMs, count] of [
    [days(1), 49],
    [days(30), 1441],
    [days(365), 17_521],
    [Number.POSITIVE_INFINITY, 1_000_000],
  ] as const) {
    const { maxElements } = await fetchNewest(lengthMs, async () => ({ points: noPoints, entryCount: 0 }));
    assert.equal(maxElements, count);
  }
});

test('a half-hourly line is requested once', async () => {
  const { asked, history } = await parseLine({ intervalMs: 30 * minuteMs, pointCount: 100_000 });
  assert.deepEqual(asked, [1441]);
  assert.ok(coversLength(history, days(30)) && coversLength(history, days(7)));
  assert.ok(!coversLength(history, days(90)));
});

test('a denser line is requested again, until the points cover the length', async () => {
  const { asked, history } = await parseLine({ intervalMs: minuteMs, pointCount: 100_000 });
  assert.equal(asked.length, 2);
  assert.ok(coversLength(history, days(30)));
  assert.ok(history.points.timestamps.length < 50_000);
});

test('a line shorter than the length is complete', async () => {
  const { asked, history } = await parseLine({ intervalMs: 30 * minuteMs, pointCount: 10 });
  assert.deepEqual(asked, [1441]);
  assert.ok(coversLength(history, days(30)) && coversLength(history, days(365)));
});

test('a line without some half hour of the range, or some values, is requested once if that is all', async () => {
  for (const valueCount of [1440, 1400]) {
    const asked: number[] = [];
    const history = await fetchNewest(days(30), async (maxElements) => {
      asked.push(maxElements);
      const points = Array.from(
        { length: valueCount },
        (_, index) => [index * 30 * minuteMs, index] as const,
      );
      return { points: pointsOf(points), entryCount: 1440 };
    });
    assert.deepEqual(asked, [1441]);
    assert.ok(coversLength(history, Number.POSITIVE_INFINITY));
  }
});

test('a line with as many entries as requested is requested again if too few have a value', async () => {
  const asked: number[] = [];
  await fetchNewest(days(30), async (maxElements) => {
    asked.push(maxElements);
    const length = maxElements / 2;
    const points = Array.from({ length }, (_, index) => [index * 30 * minuteMs, index] as const);
    return { points: pointsOf(points), entryCount: maxElements };
  });
  assert.equal(asked.length, 2);
});

test('the number of requests is bounded, whatever a server sends', async () => {
  const { asked } = await parseLine({ intervalMs: 0, pointCount: Number.POSITIVE_INFINITY });
  assert.ok(asked.length < 6);
  assert.ok(Math.max(...asked) <= 1_000_000);
});

async function parseLine({ intervalMs, pointCount }: { intervalMs: number; pointCount: number }) {
  const asked: number[] = [];
  const history = await fetchNewest(days(30), async (maxElements) => {
    asked.push(maxElements);
    const length = Math.min(maxElements, pointCount);
    const points = Array.from({ length }, (_, index) => [index * intervalMs, index] as const);
    return { points: pointsOf(points), entryCount: length };
  });
  return { asked, history };
}
