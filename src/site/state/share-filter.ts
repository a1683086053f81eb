/**
 * The shares that a chart shows, as a reader has chosen them in its legend. Kept in the URL of a page, and in
 * attributes.
 */

import type { Field } from './fields.ts';

/** Hides some shares (`hide`), or shows only some (`only`). */
export interface ShareFilter {
  readonly kind: 'hide' | 'only';
  readonly names: readonly string[];
}

/**
 * Makes a test whether a share is shown. `undefined` stands for all shares without a name of their own, which
 * `only` hides.
 */
export function shareTest(filter: ShareFilter | undefined): (name: string | undefined) => boolean {
  if (filter === undefined) return () => true;
  const names = new Set<string | undefined>(filter.names);
  const isOnly = filter.kind === 'only';
  return (name) => names.has(name) === isOnly;
}

/**
 * Shows or hides a share; undefined if all shares are shown then, or if the last shown share would be hidden.
 */
export function toggleShare(filter: ShareFilter | undefined, name: string): ShareFilter | undefined {
  const { kind, names } = filter ?? { kind: 'hide', names: [] };
  const next = names.includes(name) ? names.filter((each) => each !== name) : [...names, name];
  return next.length === 0 ? undefined : { kind, names: next };
}

/** Shows one share alone; if it already is, shows all again. */
export function isolateShare(filter: ShareFilter | undefined, name: string): ShareFilter | undefined {
  const isAlone = filter?.kind === 'only' && filter.names.length === 1 && filter.names[0] === name;
  return isAlone ? undefined : { kind: 'only', names: [name] };
}

/** Kinds of filters. If both are set, the first counts. */
const filterKinds = ['only', 'hide'] as const;

/** Makes a filter from names; undefined if there are none. */
export function filterOf(namesOf: (kind: ShareFilter['kind']) => readonly string[]): ShareFilter | undefined {
  for (const kind of filterKinds) {
    const names = namesOf(kind).filter((name) => name !== '');
    if (names.length > 0) return { kind, names };
  }
  return undefined;
}

/** The filter of one chart in attributes, one name per line. */
export const filterField: Field<ShareFilter | undefined> = {
  read: (query) => filterOf((kind) => String(query[kind] ?? '').split('\n')),
  write: (filter) => (filter === undefined ? {} : { [filter.kind]: filter.names.join('\n') }),
};

/**
 * Filters of a page by chart: `only=os:Linux&hide=javaVersion:Java+8`, each a chart id and a share, repeated
 * for each share. The order of the shares does not matter; values without a chart id are ignored.
 */
export const filtersField: Field<ReadonlyMap<string, ShareFilter>> = {
  read(query) {
    const found = new Map<string, { kind: ShareFilter['kind']; names: Set<string> }>();
    for (const kind of filterKinds)
      for (const entry of [query[kind] ?? []].flat()) {
        const [, chartId = '', name = ''] = /^([^:]+):(.+)$/s.exec(entry) ?? [];
        const filter = found.get(chartId) ?? { kind, names: new Set() };
        if (name === '' || filter.kind !== kind) continue;
        found.set(chartId, filter);
        filter.names.add(name);
      }
    const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
    return new Map(sorted.map(([chartId, { kind, names }]) => [chartId, { kind, names: [...names].sort() }]));
  },
  write(filters) {
    const entriesOf = (wanted: ShareFilter['kind']) =>
      [...filters].flatMap(([chartId, { kind, names }]) =>
        kind === wanted ? names.map((name) => `${chartId}:${name}`) : [],
      );
    return { hide: entriesOf('hide'), only: entriesOf('only') };
  },
};
