/** A list by the change of servers from one week to the next. */
import type { MetricsView } from '../model/metrics-reader.ts';
import type { Directory, DirectoryPage, DirectoryRow, DirectorySearch } from './directory.ts';
import type { Trend } from './trends.ts';

/** Most plugins that are sorted by change, those with the most servers: each is read. The others follow, by servers. */
export const maxSortedByChange = 5000;

/** A number that is older than the newest of the store by this much does not speak of today. */
const oldMs = 7 * 24 * 60 * 60 * 1000;

/** Finds the plugins that match, those that grew most first, or last. Plugins without a change come last either way. */
export async function searchByChange(
  directory: Directory,
  search: Omit<DirectorySearch, 'sort'>,
  view: MetricsView,
): Promise<DirectoryPage> {
  const { offset = 0, limit, descending = true } = search;
  const largest = { ...search, sort: 'servers', descending: true } as const;
  if (offset >= maxSortedByChange) return directory.search(largest);
  const found = await directory.search({ ...largest, offset: 0, limit: maxSortedByChange });
  const trends = await loadTrends(directory, found.rows, view);
  const direction = descending ? -1 : 1;
  const changeOf = ({ id }: DirectoryRow) => trends.get(id)?.change;
  const sorted = found.rows
    .map((row, place) => ({ row, place, change: changeOf(row) }))
    .sort((a, b) => {
      if (a.change === undefined || b.change === undefined)
        return Number(a.change === undefined) - Number(b.change === undefined) || a.place - b.place;
      return direction * (a.change - b.change) || a.place - b.place;
    });
  return { ...found, rows: sorted.slice(offset, offset + limit).map(({ row }) => row) };
}

/** Loads the trends of rows by plugin id; those that do not speak of today have no change. Rejects as the view does. */
export async function loadTrends(
  directory: Directory,
  rows: readonly DirectoryRow[],
  view: MetricsView,
): Promise<ReadonlyMap<number, ListedTrend>> {
  const pluginIds = rows.filter(({ servers }) => servers !== undefined).map(({ id }) => id);
  const loaded = new Map<number, ListedTrend>();
  for (const [id, trend] of await directory.trends.load(view, pluginIds)) {
    if (trend === undefined) continue;
    const isOld = trend.newest < (directory.newestTime ?? 0) - oldMs;
    loaded.set(id, isOld ? { ...trend, change: undefined, isOld } : { ...trend, isOld });
  }
  return loaded;
}

/** A trend in a list. */
export interface ListedTrend extends Trend {
  /** True if its newest point is a week older than the newest of all plugins. */
  readonly isOld: boolean;
}
