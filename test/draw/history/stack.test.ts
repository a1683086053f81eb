// Stacked shares: their edges, their gaps, their units.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackHistory } from '../../../src/draw/history/stack.ts';
import { fc } from '../../support/seed.ts';
import { anyHistory, hourMs, madeHistory } from './made-histories.ts';

test('edges descend from the sum of all shares to that of the others', () => {
  const history = madeHistory({ shares: { a: [3, 1], b: [1, 1] }, other: [1, 0] });
  const { edges, high } = stackHistory(history, 'count');
  assert.deepEqual(
    edges.map((edge) => [...edge]),
    [
      [5, 2],
      [2, 1],
      [1, 0],
    ],
  );
  assert.equal(high, 5);
  assert.deepEqual(
    stackHistory(history, 'percent').edges.map((edge) => [...edge]),
    [
      [100, 100],
      [40, 50],
      [20, 0],
    ],
  );
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

test('an interval without times is a gap', () => {
  const hours = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16];
  const history = madeHistory({ hours, shares: { a: hours.map(() => 1) } });
  const { runs } = stackHistory(history, 'count');
  assert.deepEqual(
    runs.map(({ from, to }) => [from / hourMs, to / hourMs]),
    [
      [0, 9.5],
      [14.5, 16],
    ],
  );
});

test('where all shares are 0 there is a gap in percent, and none in counts', () => {
  const history = madeHistory({ shares: { a: [1, 0, 0, 2], b: [1, 0, 0, 0] } });
  assert.equal(stackHistory(history, 'percent').runs.length, 2);
  assert.equal(stackHistory(history, 'count').runs.length, 1);
  const zeros = madeHistory({ shares: { a: [0, 0] } });
  assert.equal(stackHistory(zeros, 'percent').runs.length, 0);
  assert.equal(stackHistory(zeros, 'count').high, 0);
});

test('the sum of huge values keeps their parts', () => {
  const history = madeHistory({ shares: { a: [1.5e308], b: [1.5e308] } });
  assert.deepEqual(
    stackHistory(history, 'percent').edges.map((edge) => [...edge]),
    [[100], [50]],
  );
  assert.equal(stackHistory(history, 'count').high, 2e15);
});

test('a step is drawn for the time that it lasts, within the times of the history', () => {
  const step = { ms: 6 * hourMs, mean: '' };
  const history = { ...madeHistory({ hours: [0, 6, 12], shares: { a: [1, 1, 1] } }), step, from: hourMs };
  const { runs, middles } = stackHistory({ ...history, to: 13 * hourMs }, 'count');
  assert.deepEqual(
    runs.map(({ from, to }) => [from / hourMs, to / hourMs]),
    [[1, 13]],
  );
  assert.deepEqual(
    Array.from(middles, (time) => time / hourMs),
    [3.5, 9, 12.5],
  );
});
