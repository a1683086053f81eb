/** Choices on a comparison page, as the script makes addresses of them: of forms, of windows, and of a choice made while another one is loading. */
import { maxComparedLines } from '../../draw/line/line-layout.ts';
import type { Period, Range } from '../../model/window.ts';
import { comparePath, withQuery } from '../address/paths.ts';
import { linesFields } from './compare-query.ts';
import { accept } from './fields.ts';
import { windowParameters } from './shown-window.ts';

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
export function applyChoice(
  { query, sets }: ComparisonChoice,
  { shown, loading }: ComparisonPages,
): URLSearchParams {
  const next = new Map<string, string | null>();
  for (const names of settings) {
    const isSet = names.some(
      (name) => sets.includes(name) || settingIn(query, name) !== settingIn(shown, name),
    );
    for (const name of names) next.set(name, (isSet ? query : loading).get(name));
  }
  if (next.get('mode') === 'sum') next.delete('axis');
  const charts = changedList('charts').slice(0, maxComparedLines);
  const hidden = changedList('hide');
  next.set('charts', charts.join());
  next.set('hide', charts.filter((chart) => hidden.includes(chart)).join());
  next.set('add', query.get('add'));
  return orderedQuery([...next].map(([name, value]) => [name, value ?? '']));

  function changedList(name: string): readonly string[] {
    const [before, chosen, now] = [listIn(shown, name), listIn(query, name), listIn(loading, name)];
    if (sets.includes(name)) return chosen;
    const kept = now.filter((each) => chosen.includes(each) || !before.includes(each));
    return [...kept, ...chosen.filter((each) => !before.includes(each) && !now.includes(each))];
  }
}

/** Parameters that are set together. */
const settings = [['mode'], ['axis'], ['range', 'from', 'to']] as const;

const defaults: Readonly<Record<string, string>> = { mode: 'absolute', axis: 'linear', range: '30d' };

function settingIn(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) ?? defaults[name];
}

function listIn(query: URLSearchParams, name: string): readonly string[] {
  return (query.get(name) ?? '').split(',').filter((each) => each !== '');
}

/** The choice of a window. */
export function windowChoice(window: Period, shown: URLSearchParams): ComparisonChoice {
  const times = Object.entries(windowParameters(window)).map(([name, value]) => [name, value ?? ''] as const);
  const others = [...shown].filter(([name]) => !['range', 'from', 'to', 'add'].includes(name));
  return { query: orderedQuery([...others, ...times]), sets: ['range'] };
}

/** The choice of a form, by its fields. */
export function formChoice(fields: Iterable<readonly [name: string, value: unknown]>): ComparisonChoice {
  const texts = [...fields].map(
    ([name, value]) => [name, typeof value === 'string' ? value.trim() : ''] as const,
  );
  const hasTimes = texts.some(([name]) => name === 'from');
  return { query: orderedQuery(texts), sets: hasTimes ? ['range'] : [] };
}

const parameterNames = ['charts', 'mode', 'axis', 'range', 'from', 'to', 'hide', 'add'];

/** The parameters that are not empty and no defaults, in the order in which the server writes them. */
function orderedQuery(parameters: ReadonlyArray<readonly [string, string]>): URLSearchParams {
  const ordered = parameterNames.flatMap((name) =>
    parameters.filter(([each, value]) => each === name && value !== '' && value !== defaults[name]),
  );
  return new URLSearchParams(ordered.map(([name, value]): [string, string] => [name, value]));
}

/** The address of a comparison with this query. */
export function comparisonAddress(query: URLSearchParams): string {
  return withQuery(comparePath, Object.fromEntries(query));
}

/** The range of a comparison; undefined if it has two dates. */
export function rangeIn(query: URLSearchParams): Range | undefined {
  const period = accept({ window: linesFields.window }, query).window;
  return typeof period === 'string' ? period : undefined;
}

/** Tells if two comparisons show the same; a search for plugins is no part of it. */
export function isSameComparison(a: URLSearchParams, b: URLSearchParams): boolean {
  const [one, other] = [a, b].map((query) =>
    orderedQuery([...query].filter(([name]) => name !== 'add')).toString(),
  );
  return one === other;
}
