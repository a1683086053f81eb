// The figures of a line: latest value, peak and changes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadLineFigures } from '../../../src/site/charts/line-figures.ts';
import { makeStore } from '../../http/support/test-server.ts';
import { openSqliteReader } from '../../support/reads.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** Four points a day, with a value for each day. */
const days = (count: number, valueAt: (index: number) => number) =>
  Array.from(
    { length: count * 4 },
    (_, index) => [index * 6 * hour, valueAt(Math.floor(index / 4))] as const,
  );

async function storeWith(lines: readonly (readonly (readonly number[])[])[]) {
  const reader = openSqliteReader(
    await makeStore([
      softwareRecord(),
      pluginRecord(1, 'P'),
      ...lines.flatMap((data, index) => [chartRecord(`c${index}`, index + 1), dataRecord(`c${index}`, data)]),
    ]),
  );
  after(() => reader[Symbol.asyncDispose]());
  return reader;
}

const type = 'single_linechart';

test('the figures of a line are its latest value, its changes and its peak of 30 days', async () => {
  const reader = await storeWith([
    // A last point on a day of its own, which is not whole.
    [
      ...days(60, (index) => (index >= 53 ? 150 : index >= 46 ? 100 : index >= 30 ? 25 : 20)),
      [60 * day + 5 * hour, 9000],
    ],
    days(50, (index) => (index < 10 ? 900 : index < 43 ? 0 : 5)),
    days(17, (index) => index + 1),
    [[5, -1]],
    [],
  ]);
  const spans = await reader.findSpans([1, 2, 3, 4, 5]);
  const [long, fromZero, young, single] = await Promise.all(
    [1, 2, 3, 4].map((uid) => loadLineFigures(reader, { uid, type }, spans.get(uid) ?? assert.fail())),
  );
  assert.equal(long?.changes['7d'], 0.5);
  // (14 * 25 + 7 * 100 + 7 * 150) / (26 * 20 + 2 * 25) - 1
  assert.equal(long.changes['28d'], 2.6842);
  assert.deepEqual(long.now, [60 * day + 5 * hour, 9000]);
  // No change from zero, and no peak older than 30 days.
  assert.deepEqual([fromZero?.changes['7d'], fromZero?.peak30d[1]], [null, 5]);
  assert.equal(young?.changes['28d'], null);
  assert.ok(Number(young.changes['7d']) > 0);
  assert.equal(single?.peak30d[1], -1);
  assert.equal(spans.has(5), false);
});
