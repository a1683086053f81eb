/** Parses the shares that a picture, a file or a page shows, from the query of its address. */
import { malformedQuery, type Query } from '../../http/query-parameter.ts';
import { filterOf, filtersInQuery, type ShareFilter } from '../state/share-filter.ts';

/** The most names of a filter; no legend has as many rows. */
const maxNameCount = 100;

/** The longest name in characters, as long as pictures show it. */
const maxNameLength = 200;

const allowed = `given at most ${maxNameCount} times for a chart, each time with the name of a share, of at most ${maxNameLength} characters`;

/**
 * Parses `hide` and `only` of one chart, each a name, given once for each share; undefined if all are shown. If both are given, `only` counts.
 * The same shares give the same filter, in any order.
 * @throws AppError `invalid` for too many names and for a name that is too long.
 */
export function parseShareFilter(query: Query): ShareFilter | undefined {
  const names = {
    only: boundedNames('only', valuesOf(query, 'only')),
    hide: boundedNames('hide', valuesOf(query, 'hide')),
  };
  return filterOf((kind) => names[kind]);
}

/**
 * Parses `hide` and `only` of a page, each a chart and a share, such as `os:Linux`. The bounds are those of {@link parseShareFilter}, for
 * each chart; a value that names no chart is ignored.
 */
export function parseShareFilters(query: Query): ReadonlyMap<string, ShareFilter> {
  const filters = [...filtersInQuery((kind) => valuesOf(query, kind))];
  const bounded = filters.map(([chartId, { kind, names }]): [string, ShareFilter] => [
    chartId,
    { kind, names: boundedNames(kind, names) },
  ]);
  return new Map(bounded.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function valuesOf(query: Query, kind: ShareFilter['kind']): readonly string[] {
  return [query[kind] ?? []].flat();
}

function boundedNames(kind: ShareFilter['kind'], names: readonly string[]): readonly string[] {
  if (names.length > maxNameCount) throw malformedQuery(kind, allowed, `${names.length} names`);
  // Code points are at most as many as code units.
  const long = names.find((name) => name.length > maxNameLength && [...name].length > maxNameLength);
  if (long !== undefined) throw malformedQuery(kind, allowed, long);
  return [...new Set(names)].sort();
}
