// The JSON of lines, compared with the platform's JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf, pointsOf, valuesOf } from '../../src/model/columns.ts';
import { renderRuns } from '../../src/series/points-json.ts';
import { anyEntries, type Entry } from '../support/points.ts';
import { fc } from '../support/seed.ts';

const render = (entries: readonly Entry[]) => Buffer.concat([...renderRuns([pointsOf(entries)])]).toString();

test('a line is written exactly as JSON.stringify writes its pairs', () => {
  fc.assert(
    fc.property(anyEntries, (entries) => {
      assert.equal(render(entries), JSON.stringify(entries));
    }),
    { numRuns: 500 },
  );
});

test('points in runs are one JSON text, however the runs are split', () => {
  for (const count of [1, 9_999, 10_000, 10_001, 25_000]) {
    const entries = Array.from({ length: count }, (_, index): Entry => [index * 1_800_000, index % 977]);
    const runs = [0, 1, 2].map((part) => entries.slice(part * 10_000, (part + 1) * 10_000));
    const slices = Array.from(renderRuns(runs.filter((run) => run.length > 0).map(pointsOf)), (slice) =>
      Buffer.from(slice).toString(),
    );
    assert.equal(slices.join(''), JSON.stringify(entries));
    assert.equal(render(entries), JSON.stringify(entries));
  }
});

test('a rendered part does not change while later runs are rendered, in the room of the run before', () => {
  for (const count of [100, 8000, 9000]) {
    const runs = [0, 1, 2].map((run) =>
      Array.from({ length: count }, (_, index): Entry => [run * count + index, index]),
    );
    const [times, values] = [new Float64Array(count), new Float64Array(count)];
    function* inOneRoom() {
      for (const run of runs) {
        const points = pointsOf(run);
        times.set(points.times);
        values.set(valuesOf(points));
        yield lineOf(times, values);
      }
    }
    const parts = [...renderRuns(inOneRoom())];
    assert.equal(Buffer.concat(parts).toString(), JSON.stringify(runs.flat()));
    assert.ok(parts.every((part) => part.length === part.buffer.byteLength || count < 8000));
  }
});
