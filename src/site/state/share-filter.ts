/** The shares that a chart shows, as a reader has chosen them in its legend. They are in the address of a page, and in attributes. */

/** All shares but some (`hide`), or some alone (`only`). */
export interface ShareFilter {
  readonly kind: 'hide' | 'only';
  readonly names: readonly string[];
}

/** Tells if a share is shown; `undefined` is all those without a name of their own, which `only` leaves out. */
export function isShareShown(filter: ShareFilter | undefined, name: string | undefined): boolean {
  if (filter === undefined) return true;
  const isNamed = name !== undefined && filter.names.includes(name);
  return isNamed === (filter.kind === 'only');
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

const kinds = ['only', 'hide'] as const;

/** The filter in attributes, a name a line. */
export function filterInAttributes(
  read: (name: ShareFilter['kind']) => string | null,
): ShareFilter | undefined {
  for (const kind of kinds) {
    const names = (read(kind) ?? '').split('\n').filter((name) => name !== '');
    if (names.length > 0) return { kind, names };
  }
  return undefined;
}

/** The filters in the query of a page, by chart: `only=os:Linux&hide=javaVersion:Java+8`. */
export function filtersInQuery(query: URLSearchParams): ReadonlyMap<string, ShareFilter> {
  const filters = new Map<string, ShareFilter>();
  for (const kind of kinds)
    for (const entry of query.getAll(kind)) {
      const [, chartId = '', name = ''] = /^([^:]+):(.+)$/s.exec(entry) ?? [];
      const known = filters.get(chartId) ?? { kind, names: [] };
      if (name !== '' && known.kind === kind) filters.set(chartId, { kind, names: [...known.names, name] });
    }
  return filters;
}

/** An address with the filters of a page in its query. */
export function withFilters(address: string, filters: ReadonlyMap<string, ShareFilter>): string {
  const query = new URLSearchParams();
  for (const [chartId, { kind, names }] of filters)
    for (const name of names) query.append(kind, `${chartId}:${name}`);
  if (query.size === 0) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${query.toString().replaceAll('%3A', ':')}`;
}
