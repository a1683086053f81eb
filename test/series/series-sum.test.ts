// Sums of series: their memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeriesSum } from '../../src/series/merge-series.ts';

test('a sum takes the memory of two of its parts, however many are added', () => {
  const [seriesCount, timeCount, partCount] = [50, 20_000, 8];
  const sizeBytes = 8 * seriesCount * timeCount;
  const startBytes = process.memoryUsage().arrayBuffers;
  const sum = new SeriesSum();
  let mostBytes = 0;
  for (let part = 0; part < partCount; part++) {
    // Each has one time that the others lack, so that the sum moves to new times.
    const times = Float64Array.from({ length: timeCount }, (_, at) => (at === 0 ? part / partCount : at));
    const series = Array.from({ length: seriesCount }, (_, rank) => ({
      ...{ group: null, name: String(rank) },
      values: new Float64Array(timeCount).fill(1),
    }));
    sum.add({ times, series });
    mostBytes = Math.max(mostBytes, process.memoryUsage().arrayBuffers - startBytes);
    assert.deepEqual([...new Set(series.map(({ values }) => values.length))], [0]);
  }
  const { times, series } = sum.columns([{ group: null, name: 'Sum' }]);
  assert.deepEqual([times.length, series[0]?.values.at(-1)], [timeCount + partCount - 1, partCount]);
  assert.ok(mostBytes < 2 * sizeBytes, `${mostBytes} of ${sizeBytes}`);
});
