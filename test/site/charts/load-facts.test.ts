// Loading facts of several charts: each may take tens of milliseconds, and other requests must not wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextImmediate } from 'node:timers/promises';
import type { MetricsView } from '../../../src/model/metrics-reader.ts';
import { loadJoinedFacts } from '../../../src/site/charts/load-facts.ts';

test('other work has its turn between the facts of two charts', async (t) => {
  // With a clock of its own: where the system takes the processor away, a slice of work may be longer.
  let [turn, isEnded, now] = [0, false, performance.now()];
  t.mock.method(performance, 'now', () => now);
  const turns: number[] = [];
  const loadShareFacts: MetricsView['loadShareFacts'] = (uid) => {
    now += 20;
    turns.push(turn);
    return Promise.resolve({ colours: [`${uid}`], mostUsed: null });
  };
  const charts = [1, 2, 3].map((uid) => ({ pluginId: uid, chartId: 'os', uid, type: 'simple_pie' }));
  const counted = (async () => {
    for (; !isEnded; turn++) await nextImmediate();
  })();
  const { colours } = await loadJoinedFacts({ loadShareFacts } as MetricsView, charts);
  isEnded = true;
  await counted;
  assert.deepEqual(new Set(colours), new Set(['1', '2', '3']));
  assert.ok(new Set(turns).size === charts.length, `turns ${turns}`);
});
