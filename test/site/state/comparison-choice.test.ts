// A choice on a comparison while another one is loading: nothing that was chosen is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChartName } from '../../../src/model/chart.ts';
import { type CompareQuery, compareAddress, includesChart } from '../../../src/site/state/compare-query.ts';
import { applyChoice } from '../../../src/site/state/comparison-choice.ts';
import { fc } from '../../support/seed.ts';

const charts = [1, 2, 3, 4].map((pluginId): ChartName => ({ pluginId, chartId: 'players' }));

const first: CompareQuery = {
  charts: charts.slice(0, 3),
  mode: 'absolute',
  axis: 'linear',
  window: '30d',
  hidden: charts.slice(2, 3),
  add: '',
};

/** A change of a comparison; `sets` is what its link names. */
interface Change {
  readonly sets: string;
  readonly apply: (state: CompareQuery) => CompareQuery;
}

const setting = fc.oneof(
  fc
    .constantFrom<CompareQuery['mode']>('absolute', 'indexed')
    .map((mode): Change => ({ sets: 'mode', apply: (state) => ({ ...state, mode }) })),
  fc
    .constantFrom<CompareQuery['axis']>('linear', 'log')
    .map((axis): Change => ({ sets: 'axis', apply: (state) => ({ ...state, axis }) })),
  fc
    .constantFrom<CompareQuery['window']>('30d', '7d', { from: 0, to: 86_400_000 })
    .map((window): Change => ({ sets: 'range', apply: (state) => ({ ...state, window }) })),
);

/** Adds, removes, hides or shows a line. */
const listChange = fc
  .record({
    list: fc.constantFrom('charts', 'hidden'),
    chart: fc.constantFrom(...charts),
    isIn: fc.boolean(),
  })
  .map(
    ({ list, chart, isIn }): Change => ({
      sets: '',
      apply: (state) => {
        const others = state[list].filter((each) => !includesChart([chart], each));
        const isAdded = isIn && !includesChart(state[list], chart);
        const next = isAdded ? [...state[list], chart] : isIn ? state[list] : others;
        return inOrder({ ...state, [list]: next });
      },
    }),
  );

/** The hidden lines in the order of the lines, as the server writes them. */
function inOrder(state: CompareQuery): CompareQuery {
  return { ...state, hidden: state.charts.filter((chart) => includesChart(state.hidden, chart)) };
}

function queryOf(state: CompareQuery): URLSearchParams {
  return new URL(compareAddress(state), 'https://metrics.example.org').searchParams;
}

/** True if the shown page has a link for it: those of settings are always there. */
function hasLink({ sets, apply }: Change): boolean {
  return sets !== '' || compareAddress(apply(first)) !== compareAddress(first);
}

test('choices that overtake each other give the page that they give one after the other', () => {
  const changes = fc.array(fc.oneof(setting, listChange).filter(hasLink), { maxLength: 6 });
  fc.assert(
    fc.property(changes, (all) => {
      const shown = queryOf(first);
      let loading = shown;
      let wanted = first;
      for (const { sets, apply } of all) {
        loading = applyChoice({ query: queryOf(apply(first)), sets: [sets] }, { shown, loading });
        wanted = inOrder(apply(wanted));
        assert.equal(String(loading), String(queryOf(wanted)));
      }
    }),
  );
});

/** A choice on top of another one, as text. */
function choose(query: string, { loading, sets = '' }: { readonly loading: string; readonly sets?: string }) {
  const pages = { shown: new URLSearchParams('charts=1:a,2:a'), loading: new URLSearchParams(loading) };
  const next = applyChoice({ query: new URLSearchParams(query), sets: [sets] }, pages);
  return decodeURIComponent(String(next));
}

test('a link to the shown mode takes back another mode that is loading', () => {
  const loading = 'charts=1:a,2:a&mode=indexed&range=7d';
  assert.equal(choose('charts=1:a,2:a', { loading, sets: 'mode' }), 'charts=1:a,2:a&range=7d');
});

test('a line shown alone hides the line that was shown alone before', () => {
  const loading = 'charts=1:a,2:a&hide=2:a';
  assert.equal(choose('charts=1:a,2:a&hide=1:a', { loading, sets: 'hide' }), 'charts=1:a,2:a&hide=1:a');
  assert.equal(choose('charts=1:a,2:a&hide=1:a', { loading }), 'charts=1:a,2:a&hide=1:a,2:a');
});

test('a search keeps the mode that is loading, and another choice drops the search', () => {
  const loading = 'charts=1:a,2:a&mode=sum&add=map';
  assert.equal(choose('charts=1:a,2:a&add=maps', { loading }), 'charts=1:a,2:a&mode=sum&add=maps');
  assert.equal(choose('charts=1:a,2:a&range=7d', { loading }), 'charts=1:a,2:a&mode=sum&range=7d');
});

test('an axis is no part of a sum, and an eleventh line is left out', () => {
  assert.equal(
    choose('charts=1:a,2:a&axis=log', { loading: 'charts=1:a,2:a&mode=sum' }),
    'charts=1:a,2:a&mode=sum',
  );
  const ten = Array.from({ length: 10 }, (_, index) => `${index + 1}:a`).join();
  assert.equal(choose('charts=1:a,2:a,11:a', { loading: `charts=${ten}` }), `charts=${ten}`);
});
