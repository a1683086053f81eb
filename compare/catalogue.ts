/** Plugins and charts in the text of archives: from these, requests are made without asking either build. */

/** A chart of an archive. */
export interface Chart {
  readonly pluginId: number;
  readonly chartId: string;
  readonly type: string;
  /** The first names of its shares; empty for a line and for a chart without data. */
  readonly shareNames: readonly string[];
}

/** A plugin of an archive. */
export interface Plugin {
  readonly id: number;
  readonly name: string;
  readonly owner: { readonly id: number; readonly name: string };
  readonly softwareUrl: string;
  readonly charts: readonly Chart[];
}

/** Everything that requests are made of. */
export interface Catalogue {
  readonly plugins: readonly Plugin[];
  readonly charts: readonly Chart[];
  readonly softwareUrls: readonly string[];
  readonly oldNames: readonly string[];
}

/** The type of line charts. */
export const lineType = 'single_linechart';

const shareNamesPerChart = 3;

/** Plugins and software that requests name; others are in lists alone. */
const maxPlugins = 48;
const maxSoftware = 9;

/** Reads the catalogue of the texts of archives. */
export function readCatalogue(archives: readonly string[]): Catalogue {
  const software = new Map<number, string>();
  const plugins = new Map<number, Omit<Plugin, 'charts'>>();
  const charts = new Map<string, Chart & { readonly shareNames: string[] }>();
  const oldNames: string[] = [];
  for (const line of archives.flatMap((text) => text.split('\n'))) {
    if (line === '' || /^\{"record":"(?:history|event)"/.test(line)) continue;
    const record = JSON.parse(line);
    const key = `${record.pluginId}/${record.chartId}`;
    switch (record.record) {
      case 'software':
        software.set(record.id, record.url);
        break;
      case 'plugin': {
        const { id, name, owner, softwareId } = record;
        plugins.set(id, { id, name, owner, softwareUrl: software.get(softwareId) ?? '' });
        break;
      }
      case 'oldName':
        oldNames.push(record.name);
        break;
      case 'chart': {
        const { pluginId, chartId, type } = record;
        charts.set(key, { pluginId, chartId, type, shareNames: [] });
        break;
      }
      case 'data': {
        const names = charts.get(key)?.shareNames;
        if (names?.length === 0) names.push(...namesIn(record.data).slice(0, shareNamesPerChart));
        break;
      }
    }
  }
  const byPlugin = Map.groupBy(charts.values(), ({ pluginId }) => pluginId);
  const named = [...plugins.values()]
    .slice(0, maxPlugins)
    .map((plugin) => ({ ...plugin, charts: byPlugin.get(plugin.id) ?? [] }));
  return {
    plugins: named,
    charts: named.flatMap((plugin) => plugin.charts),
    softwareUrls: [...software.values()].slice(0, maxSoftware),
    oldNames,
  };
}

function namesIn(data: unknown): readonly string[] {
  const isGrouped = typeof data === 'object' && data !== null && 'seriesData' in data;
  const shares: unknown = isGrouped ? data.seriesData : data;
  if (!Array.isArray(shares)) return [];
  return shares.flatMap((share) => {
    const name: unknown = share?.name ?? share?.code;
    return typeof name === 'string' ? [name] : [];
  });
}
