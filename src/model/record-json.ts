/** Records as JSON: the lines of an archive. */
import type { MetricsRecord } from './metrics-record.ts';
import type { ShareHistory } from './share-history.ts';

/** Renders a record as JSON, with its fields in the order of the format. */
export function recordJson(
  record: MetricsRecord & { readonly kind: 'software' | 'plugin' | 'chart' | 'event' },
): string {
  switch (record.kind) {
    case 'software': {
      const { id, name, url, globalPluginId } = record.software;
      return JSON.stringify({ record: 'software', id, name, url, globalPluginId });
    }
    case 'plugin': {
      const { id, name, owner, softwareId, isGlobal } = record.plugin;
      return JSON.stringify({
        record: 'plugin',
        id,
        name,
        owner: { id: owner.id, name: owner.name },
        softwareId,
        isGlobal,
      });
    }
    case 'event': {
      const { time, title, url } = record.event;
      return JSON.stringify({ record: 'event', pluginId: record.pluginId, time, title, url });
    }
    case 'chart': {
      const { chartId, uid, type, position, title, isDefault, data } = record.chart;
      const fields = {
        record: 'chart',
        pluginId: record.pluginId,
        chartId,
        uid,
        type,
        position,
        title,
        isDefault,
      };
      return `${JSON.stringify(fields).slice(0, -1)},"data":${data}}`;
    }
  }
}

/** Renders the field `at` of a data record, behind its data. */
export function atMember({ at }: MetricsRecord & { readonly kind: 'data' }): string {
  return at === undefined ? '' : `,"at":${at}`;
}

/** Renders a history record as JSON. */
export function historyJson(
  { pluginId, chartId }: { readonly pluginId: number; readonly chartId: string },
  { times, shares, columns }: ShareHistory,
): string {
  const series = shares.map(({ group, name }, rank) => ({
    ...(group === null ? {} : { group }),
    name,
    values: Array.from(columns[rank] ?? []),
  }));
  return JSON.stringify({ record: 'history', pluginId, chartId, times: [...times], series });
}
