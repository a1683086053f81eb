/** Parses the shares that the charts of a page show, from the query of its address. */
import { malformedQuery, type Query } from '../../http/query-parameter.ts';
import { filtersInQuery, type ShareFilter } from '../state/share-filter.ts';

/** The most names of a filter; no legend has as many rows. */
const maxNameCount = 100;

/** The longest name in characters, as long as pictures show it. */
const maxNameLength = 200;

const allowed = `given at most ${maxNameCount} times for a chart, each time with the name of a share, of at most ${maxNameLength} characters`;

/**
 * Parses `hide` and `only`, each a chart and a share, such as `os:Linux`, given once for each share. If a chart has both, `only` counts. The
 * same shares give the same filter, in any order; a value that names no chart is ignored.
 * @throws AppError `invalid` for too many names of a chart and for a name that is too long.
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
