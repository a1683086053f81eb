/** A view in which a store has only the plugins that are published. */
import type { MetricsReader, MetricsView } from '../model/metrics-reader.ts';
import { type ListedPlugin, type ListedSoftware, maxPublished, type OwnerNow } from '../model/plugin-list.ts';

/** Replaces methods of an object. */
function withMethods<Target extends object>(target: Target, own: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name) {
      const method: unknown = Reflect.get(name in own ? own : target, name);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

/** Makes a reader of one view, so that all files show one state. */
export function readerOf(reader: MetricsReader, view: MetricsView): MetricsReader {
  return withMethods(reader, { read: (work) => work(view), stream: (work) => work(view) });
}

/** Restricts lists and totals to plugins. What one plugin shows is that of the whole store, as its rank. */
export async function viewOfPlugins(view: MetricsView, pluginIds: readonly number[]): Promise<MetricsView> {
  const request = { text: '', find: 'part', sort: 'id', descending: false } as const;
  const { plugins } = await view.findPlugins({ ...request, ids: pluginIds, limit: maxPublished });
  return withMethods(view, {
    findPlugins: (asked) => view.findPlugins({ ...asked, ids: pluginIds }),
    // A page of the sum over several platforms needs a server.
    listNamesakes: async () => [],
    listSoftwareNow: async () => (await view.listSoftwareNow()).map((software) => recount(software, plugins)),
    loadOwnerNow: async (ownerId) => ownerOf(plugins.filter(({ owner }) => owner.id === ownerId)),
  });
}

function recount(software: ListedSoftware, all: readonly ListedPlugin[]): ListedSoftware {
  const plugins = all.filter((plugin) => plugin.software.id === software.id);
  const counted = plugins.filter(({ isGlobal }) => !isGlobal);
  const largest = (chartId: 'servers' | 'players') => maxOf(counted.map((plugin) => plugin[chartId]?.[1]));
  const hasGlobal = plugins.some(({ id }) => id === software.globalPlugin?.id);
  return {
    ...software,
    ...(hasGlobal ? {} : { globalPlugin: null, servers: null, players: null, days: [] }),
    pluginCount: counted.length,
    globalCount: plugins.length - counted.length,
    largest: { servers: largest('servers'), players: largest('players') },
    newestTime: newestOf(plugins),
  };
}

function ownerOf(all: readonly ListedPlugin[]): OwnerNow | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const plugins = all.filter(({ isGlobal }) => !isGlobal);
  const sum = (chartId: 'servers' | 'players') => {
    const values = plugins.flatMap((plugin) => plugin[chartId]?.[1] ?? []);
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  };
  return {
    name: first.owner.name,
    pluginCount: plugins.length,
    servers: sum('servers'),
    players: sum('players'),
    newestTime: newestOf(plugins),
  };
}

function newestOf(plugins: readonly ListedPlugin[]): number | null {
  return maxOf(plugins.flatMap(({ servers, players }) => [servers?.[0], players?.[0]]));
}

function maxOf(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? null : Math.max(...known);
}
