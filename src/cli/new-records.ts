/** Makes the records of new software, plugins and charts. */

import { defaultChartsOf, knownSoftware, type NewChart } from '../collect/default-charts.ts';
import type { Owner } from '../model/catalogue.ts';
import type { MetricsRecord, PluginFields } from '../model/metrics-record.ts';
import type { FreeIds } from '../model/metrics-writer.ts';

/** A software to add. */
interface NewSoftware {
  readonly url: string;
  readonly name: string;
}

/**
 * Makes the records of a software, with its global plugin if it has one.
 * @param owner the owner of the global plugin.
 */
export function newSoftwareRecords(
  { url, name }: NewSoftware,
  { softwareId: id, pluginId, chartUid }: FreeIds,
  owner: Owner,
): readonly MetricsRecord[] {
  const hasGlobal = knownSoftware.get(url)?.globalCharts !== undefined;
  const software = { id, name, url, globalPluginId: hasGlobal ? pluginId : null };
  const records: MetricsRecord[] = [{ place: `software ${url}`, kind: 'software', software }];
  if (!hasGlobal) return records;
  const plugin = { id: pluginId, name: `_${url}_`, owner, softwareId: id, isGlobal: true };
  return [...records, ...newPluginRecords(plugin, url, chartUid)];
}

/**
 * Makes the records of a plugin with its default charts.
 * @param maxPlayers the most players counted for one server, if not the default.
 */
export function newPluginRecords(
  plugin: PluginFields,
  softwareUrl: string,
  chartUid: number,
  maxPlayers?: number,
): readonly MetricsRecord[] {
  const place = `plugin ${plugin.id}`;
  const charts = defaultChartsOf(softwareUrl, { ...plugin, maxPlayers }).map((chart, position) =>
    newChartRecord(plugin.id, chart, { uid: chartUid + position, position, isDefault: true }),
  );
  return [{ place, kind: 'plugin', plugin }, ...charts];
}

/** Makes the record of a chart. */
export function newChartRecord(
  pluginId: number,
  { chartId, type, title, settings }: NewChart,
  fields: { readonly uid: number; readonly position: number; readonly isDefault: boolean },
): MetricsRecord {
  const chart = { chartId, type, title, ...fields, data: settings };
  return { place: `chart ${pluginId}/${chartId}`, kind: 'chart', pluginId, chart };
}
