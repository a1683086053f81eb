/** Choices on a comparison page, as the script makes addresses of them: of forms, of windows, and of a choice made while another one is loading. */
import { maxComparedLines } from '../../draw/line/line-layout.ts';
import type { ChartName } from '../../model/chart.ts';
import type { Period, Range } from '../../model/window.ts';
import { type CompareQuery, compareAddress, compareFields, includesChart } from './compare-query.ts';
import { accept } from './fields.ts';

/** A choice on the shown page. */
export interface ComparisonChoice {
  /** The query of its link or its form. */
  readonly query: URLSearchParams;
  /** The parameters that it is about: they are set even if they are as shown. */
  readonly sets: readonly string[];
}

/** The pages that a choice meets. */
interface ComparisonPages {
  /** The query of the page that is shown, on which it was made. */
  readonly shown: URLSearchParams;
  /** The query of the page that is loading; that of the shown one if none is. */
  readonly loading: URLSearchParams;
}

/**
 * The query of a page with a choice applied to the page that is loading: only what the choice changes on the shown one. Lines are
 * added, removed and hidden one by one; the search is always that of the choice.
 */
export function applyChoice({ query, sets }: ComparisonChoice, pages: ComparisonPages): URLSearchParams {
  const [chosen, shown, loading] = [query, pages.shown, pages.loading].map(stateOf);
  if (chosen === undefined || shown === undefined || loading === undefined) return query;
  const isSet = (parameter: string, member: 'mode' | 'axis' | 'window') =>
    sets.includes(parameter) || JSON.stringify(chosen[member]) !== JSON.stringify(shown[member]);
  return queryOf({
    mode: (isSet('mode', 'mode') ? chosen : loading).mode,
    axis: (isSet('axis', 'axis') ? chosen : loading).axis,
    window: (isSet('range', 'window') ? chosen : loading).window,
    charts: changedList('charts').slice(0, maxComparedLines),
    hidden: sets.includes('hide') ? chosen.hidden : changedList('hidden'),
    add: chosen.add,
  });

  function changedList(name: 'charts' | 'hidden'): readonly ChartName[] {
    const lists = [chosen, shown, loading].map((state) => state?.[name] ?? []);
    const [after = [], before = [], now = []] = lists;
    const kept = now.filter((each) => includesChart(after, each) || !includesChart(before, each));
    return [...kept, ...after.filter((each) => !includesChart(before, each) && !includesChart(now, each))];
  }
}

function stateOf(query: URLSearchParams): CompareQuery {
  return accept(compareFields, query);
}

function queryOf(state: CompareQuery): URLSearchParams {
  return new URL(compareAddress(state), 'http://localhost').searchParams;
}

/** The choice of a window. */
export function windowChoice(window: Period, shown: URLSearchParams): ComparisonChoice {
  return { query: queryOf({ ...stateOf(shown), window, add: '' }), sets: ['range'] };
}

/** The choice of a form, by its fields. */
export function formChoice(fields: URLSearchParams): ComparisonChoice {
  return { query: fields, sets: fields.has('from') ? ['range'] : [] };
}

/** The address of a comparison with this query. */
export function comparisonAddress(query: URLSearchParams): string {
  return compareAddress(stateOf(query));
}

/** The range of a comparison; undefined if it has two dates. */
export function rangeIn(query: URLSearchParams): Range | undefined {
  const { window } = stateOf(query);
  return typeof window === 'string' ? window : undefined;
}

/** Tells if two comparisons show the same; a search for plugins is no part of it. */
export function isSameComparison(a: URLSearchParams, b: URLSearchParams): boolean {
  const [one, other] = [a, b].map((query) => compareAddress({ ...stateOf(query), add: '' }));
  return one === other;
}
