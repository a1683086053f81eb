/** The shares that a chart shows, as a reader has chosen them in its legend. They are in the address of a page, and in attributes. */

import type { Field } from './fields.ts';

/** All shares but some (`hide`), or some alone (`only`). */
export interface ShareFilter {
  readonly kind: 'hide' | 'only';
  readonly names: readonly string[];
}

/** Makes the test if a share is shown; `undefined` is all those without a name of their own, which `only` leaves out. */
export function shareTest(filter: ShareFilter | undefined): (name: string | undefined) => boolean {
  if (filter === undefined) return () => true;
  const names = new Set<string | undefined>(filter.names);
  const isOnly = filter.kind === 'only';
  return (name) => names.has(name) === isOnly;
}

/** Shows a share or hides it; undefined if all are shown then, also where the last one would go. */
export function toggleShare(filter: ShareFilter | undefined, name: string): ShareFilter | undefined {
  const { kind, names } = filter ?? { kind: 'hide', names: [] };
  const next = names.includes(name) ? names.filter((each) => each !== name) : [...names, name];
  return next.length === 0 ? undefined : { kind, names: next };
}

/** Shows one share alone, or all again if it is. */
export function isolateShare(filter: ShareFilter | undefined, name: string): ShareFilter | undefined {
  const isAlone = filter?.kind === 'only' && filter.names.length === 1 && filter.names[0] === name;
  return isAlone ? undefined : { kind: 'only', names: [name] };
}

/** The kinds of filters. If both are set, the first counts. */
const filterKinds = ['only', 'hide'] as const;

/** The filter of these names; undefined if there are none. */
export function filterOf(namesOf: (kind: ShareFilter['kind']) => readonly string[]): ShareFilter | undefined {
  for (const kind of filterKinds) {
    const names = namesOf(kind).filter((name) => name !== '');
    if (names.length > 0) return { kind, names };
  }
  return undefined;
}

/** The filter of one chart in attributes, a name a line. */
export const filterField: Field<ShareFilter | undefined> = {
  read: (query) => filterOf((kind) => String(query[kind] ?? '').split('\n')),
  write: (filter) => (filter === undefined ? {} : { [filter.kind]: filter.names.join('\n') }),
};

/**
 * The filters of a page by chart: `only=os:Linux&hide=javaVersion:Java+8`, each a chart and a share, given once for each share. The same shares
 * give the same filters, in any order; a value that names no chart is ignored.
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
