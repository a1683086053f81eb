/** Records of small stores, made of their defaults and the fields given. */

type Fields = Readonly<Record<string, unknown>>;

/** The software that the plugins of small stores are for. */
export function softwareRecord(fields: Fields = {}): object {
  return { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: null, ...fields };
}

/** A plugin. */
export function pluginRecord(
  id: number,
  name: string,
  fields: Fields = {},
): Fields & { readonly id: number } {
  const owner = { id: 1, name: 'Owner' };
  return { record: 'plugin', id, name, owner, softwareId: 1, isGlobal: false, ...fields };
}

/** A chart: a line of the plugin 1 without settings, whose title is its id. */
export function chartRecord(
  chartId: string,
  uid: number,
  fields: Fields = {},
): Fields & { readonly chartId: string } {
  const about = { type: 'single_linechart', position: uid, title: chartId, isDefault: false, data: {} };
  return { record: 'chart', pluginId: 1, chartId, uid, ...about, ...fields };
}

/** The data of a chart. */
export function dataRecord(chartId: string, data: unknown, fields: Fields = {}): object {
  return { record: 'data', pluginId: 1, chartId, data, ...fields };
}

/** The history of a chart of shares. */
export function historyRecord(chartId: string, times: readonly number[], series: readonly object[]): object {
  return { record: 'history', pluginId: 1, chartId, times, series };
}
