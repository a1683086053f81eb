/** Walks plugins and their registries to find fixtures. */

import { findNode, type JsonNode } from './json-text.ts';

/** Reads a path of the server; undefined if the answer is not 200 with JSON. */
export type ReadPath = (path: string) => Promise<JsonNode | undefined>;

/** A plugin as the plugin list shows it. */
export interface ListedPlugin {
  readonly id: number;
  readonly entry: JsonNode;
}

/** A chart as a registry shows it. */
export interface CatalogueChart {
  readonly pluginId: number;
  readonly chartId: string;
  readonly type: string;
}

/** The findings of the walk. */
export interface Catalogue {
  readonly listed: readonly ListedPlugin[];
  readonly charts: readonly CatalogueChart[];
  /** A plugin without charts, if one was seen. */
  readonly emptyPluginId: number | undefined;
}

/**
 * Numbers of plugins: the minimum to look at, and the maximum while no line chart or no other chart has been
 * found.
 */
const MIN_PLUGINS = 50;
const MAX_PLUGINS = 250;

/** The type of line charts (`interface.md` 2.5). */
export const LINE_TYPE = 'single_linechart';

/** Lists the plugins and reads the registries of some of them. */
export async function walkCatalogue(read: ReadPath): Promise<Catalogue> {
  const listed = listPlugins(await read('/api/v1/plugins'));
  const charts: CatalogueChart[] = [];
  let emptyPluginId: number | undefined;
  for (const [index, { id }] of listed.slice(0, MAX_PLUGINS).entries()) {
    if (index >= MIN_PLUGINS && hasBothKinds(charts)) break;
    const detail = await read(pluginPath(id));
    const registry = detail && findNode(detail, ['charts']);
    if (registry?.kind !== 'object') continue;
    if (registry.members.length === 0) emptyPluginId ??= id;
    for (const { name, value } of registry.members) {
      const type = findNode(value, ['type']);
      // An id with half a surrogate pair has no path.
      if (type?.kind !== 'string' || !name.isWellFormed()) continue;
      charts.push({ pluginId: id, chartId: name, type: type.value });
    }
  }
  return { listed, charts, emptyPluginId };
}

/** The path of a plugin. */
export function pluginPath(pluginId: number): string {
  return `/api/v1/plugins/${pluginId}`;
}

/** The path of a chart. */
export function chartPath({ pluginId, chartId }: CatalogueChart): string {
  return `${pluginPath(pluginId)}/charts/${encodeURIComponent(chartId)}`;
}

function listPlugins(list: JsonNode | undefined): readonly ListedPlugin[] {
  if (list?.kind !== 'array') return [];
  return list.items.flatMap((entry) => {
    const id = findNode(entry, ['id']);
    return id?.kind === 'number' && Number.isSafeInteger(id.value) ? [{ id: id.value, entry }] : [];
  });
}

function hasBothKinds(charts: readonly CatalogueChart[]): boolean {
  return charts.some((chart) => chart.type === LINE_TYPE) && charts.some((chart) => chart.type !== LINE_TYPE);
}
