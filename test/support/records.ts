/** Makes records of small stores from defaults and the given fields. */

type Fields = Readonly<Record<string, unknown>>;

/** Makes the software of the plugins in small stores. */
export function softwareRecord(fields: Fields = {}): object {
  return { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: null, ...fields };
}

/** Makes a plugin. */
export function pluginRecord(
  id: number,
  name: string,
  fields: Fields = {},
): Fields & { readonly id: number } {
  const owner = { id: 1, name: 'Owner' };
  return { record: 'plugin', id, name, owner, softwareId: 1, isGlobal: false, ...fields };
}

/** Makes a chart: by default a line of plugin 1 without settings, with its id as title. */
export function chartRecord(
  chartId: string,
  uid: number,
  fields: Fields = {},
): Fields & { readonly chartId: string } {
  const about = { type: 'single_linechart', position: uid, title: chartId, isDefault: false, data: {} };
  return { record: 'chart', pluginId: 1, chartId, uid, ...about, ...fields };
}

/** Makes the data of a chart. */
export function dataRecord(chartId: string, data: unknown, fields: Fields = {}): object {
  return { record: 'data', pluginId: 1, chartId, data, ...fields };
}

/** Makes the history of a chart of shares. */
export function historyRecord(chartId: string, times: readonly number[], series: readonly object[]): object {
  return { record: 'history', pluginId: 1, chartId, times, series };
}

/** Records of plugins 7 and 8 with a chart `os` each, whose histories end at a time, and ten days before. */
export function endedApart(last: number): object[] {
  const day = 86_400_000;
  const pluginThat = (pluginId: number, end: number) => [
    pluginRecord(pluginId, `P${pluginId}`),
    chartRecord('os', pluginId, { pluginId, type: 'simple_pie' }),
    { ...historyRecord('os', [end - 40 * day, end], [{ name: 'Linux', values: [1, 2] }]), pluginId },
  ];
  return [softwareRecord(), ...pluginThat(7, last), ...pluginThat(8, last - 10 * day)];
}
