/** Turns the nouns of the model into rows to write. */
import type { Chart } from '../model/chart.ts';
import type { JsonText } from '../model/json-text.ts';
import type { PluginFields, SoftwareFields } from '../model/metrics-record.ts';
import type { Removal } from '../model/metrics-remover.ts';
import { nameKey } from '../model/names.ts';
import type { OldName, Owner } from '../model/plugin.ts';
import type { PluginEvent } from '../model/plugin-event.ts';
import { type Columns, withChecksum } from './tables.ts';

/** Makes the row of a software. */
export function softwareColumns({ id, name, url, globalPluginId }: SoftwareFields): Columns {
  return withChecksum('software', [id, name, url, globalPluginId]);
}

/** Makes the row of an owner. */
export function ownerColumns({ id, name }: Owner): Columns {
  return withChecksum('owner', [id, name, nameKey(name)]);
}

/** Makes the row of a plugin. */
export function pluginColumns({ id, name, owner, softwareId, isGlobal }: PluginFields): Columns {
  return withChecksum('plugin', [id, name, owner.id, softwareId, Number(isGlobal), nameKey(name)]);
}

/** Makes the row of a chart. */
export function chartColumns(pluginId: number, chart: Chart): Columns {
  const { uid, chartId, type, position, title, isDefault, data } = chart;
  return withChecksum('chart', [uid, pluginId, chartId, type, position, title, Number(isDefault), data]);
}

/** Makes the row for the data of a chart that is not a line; `at` is their time, if they have one. */
export function snapshotColumns(uid: number, json: JsonText, at: number | null): Columns {
  return withChecksum('snapshot', [uid, json, at]);
}

/** Makes the row of a name that a plugin had. */
export function oldNameColumns({ pluginId, name }: OldName): Columns {
  return withChecksum('old_name', [pluginId, name, nameKey(name)]);
}

/** Makes the row of an event. */
export function eventColumns(pluginId: number, { time, title, url }: PluginEvent): Columns {
  return withChecksum('event', [pluginId, time, title, url]);
}

/** The plugin id in the row of a removal of every plugin. */
export const everyPlugin = 0;

/** The chart id in the row of a removal of a whole plugin. */
export const everyChart = '';

/** Makes the row of a removal. Of that and the stored one for the same, null wins, otherwise the later time. */
export function removalColumns(
  { pluginId = everyPlugin, chartId = everyChart, before }: Removal,
  stored?: Columns,
): Columns {
  const both = stored === undefined ? [before] : [before, stored[2] ?? null];
  return withChecksum('removal', [
    pluginId,
    chartId,
    both.includes(null) ? null : Math.max(...both.map(Number)),
  ]);
}
