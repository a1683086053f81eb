/** The shares that a chart shows, as a reader has chosen them in its legend. They are in the address of a page, and in attributes. */

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

/** The kinds of filters. Of both, the first counts. */
const filterKinds = ['only', 'hide'] as const;

/** The filter in attributes, a name a line. */
export function filterInAttributes(
  read: (name: ShareFilter['kind']) => string | null,
): ShareFilter | undefined {
  return filterOf((kind) => (read(kind) ?? '').split('\n'));
}

/** The attributes of a filter, a name a line; undefined for those that it does not have. */
export function filterAttributes(
  filter: ShareFilter | undefined,
): Readonly<Record<ShareFilter['kind'], string | undefined>> {
  return { hide: undefined, only: undefined, ...(filter && { [filter.kind]: filter.names.join('\n') }) };
}

/** The filter of these names; undefined if there are none. */
export function filterOf(namesOf: (kind: ShareFilter['kind']) => readonly string[]): ShareFilter | undefined {
  for (const kind of filterKinds) {
    const names = namesOf(kind).filter((name) => name !== '');
    if (names.length > 0) return { kind, names };
  }
  return undefined;
}

/** The filters in the query of a page, by chart: `only=os:Linux&hide=javaVersion:Java+8`. */
export function filtersInQuery(
  valuesOf: (kind: ShareFilter['kind']) => readonly string[],
): ReadonlyMap<string, ShareFilter> {
  const filters = new Map<string, ShareFilter>();
  for (const kind of filterKinds)
    for (const entry of valuesOf(kind)) {
      const [, chartId = '', name = ''] = /^([^:]+):(.+)$/s.exec(entry) ?? [];
      const known = filters.get(chartId) ?? { kind, names: [] };
      if (name !== '' && known.kind === kind) filters.set(chartId, { kind, names: [...known.names, name] });
    }
  return filters;
}

/** The query parameters of the filters of a page. */
export function filterParameters(
  filters: ReadonlyMap<string, ShareFilter>,
): Readonly<Record<ShareFilter['kind'], readonly string[]>> {
  const entriesOf = (wanted: ShareFilter['kind']) =>
    [...filters].flatMap(([chartId, { kind, names }]) =>
      kind === wanted ? names.map((name) => `${chartId}:${name}`) : [],
    );
  return { hide: entriesOf('hide'), only: entriesOf('only') };
}
