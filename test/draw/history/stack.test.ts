// Stacked shares: their edges, their gaps, their units.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackHistory } from '../../../src/draw/history/stack.ts';
import { fc } from '../../support/seed.ts';
import { anyHistory, hourMs, madeHistory } from './made-histories.ts';

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
      [0, 10],
      [15, 16],
    ],
  );
});

test('the sum of huge values keeps their parts', () => {
  const history = madeHistory({ shares: { a: [1.5e308], b: [1.5e308] } });
  assert.deepEqual(
    stackHistory(history, 'percent').edges.map((edge) => [...edge]),
    [[100], [50]],
  );
  assert.equal(stackHistory(history, 'count').high, 2e15);
});
