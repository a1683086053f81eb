/** Records as JSON: the lines of an archive. */
import type { ChartName } from './catalogue.ts';
import type { Columns } from './columns.ts';
import type { JsonText } from './json-text.ts';
import type { MetricsRecord } from './metrics-record.ts';

/** Size limit of a record in an archive, in bytes. */
export const maxRecordBytes = 16 * 1024 * 1024;

/** A record of the given kinds, without its place. */
export type RecordWithoutPlace<Kind> = Kind extends unknown ? Omit<Kind, 'place'> : never;

/** Renders a record as JSON, with its fields in the order of the archive format. */
export function recordJson(
  record: RecordWithoutPlace<
    MetricsRecord & { readonly kind: 'software' | 'plugin' | 'oldName' | 'chart' | 'event' | 'removal' }
  >,
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
    case 'oldName': {
      const { pluginId, name } = record.oldName;
      return JSON.stringify({ record: 'oldName', pluginId, name });
    }
    case 'event': {
      const { time, title, url } = record.event;
      return JSON.stringify({ record: 'event', pluginId: record.pluginId, time, title, url });
    }
    case 'removal': {
      const { pluginId, chartId, before, after } = record.removal;
      return JSON.stringify({ record: 'removal', pluginId, chartId, before, after });
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

/** Renders the beginning of a data record of a line; the points and a closing brace follow. */
export function beforePoints({ pluginId, chartId }: ChartName): string {
  return `{"record":"data","pluginId":${pluginId},"chartId":${JSON.stringify(chartId)},"data":`;
}

/** Renders a data record without points. @param at time of the data, in Unix milliseconds, if it has one. */
export function dataJson(
  chart: ChartName,
  { json, at }: { readonly json: JsonText; readonly at: number | null | undefined },
): string {
  return `${beforePoints(chart)}${json}${at == null ? '' : `,"at":${at}`}}`;
}

/** Renders a history record in pieces, JSON text and arrays of numbers, because it may be megabytes long. */
export function* historyPieces(
  { pluginId, chartId }: ChartName,
  { times, series }: Columns,
): Generator<string | Float64Array> {
  yield `{"record":"history","pluginId":${pluginId},"chartId":${JSON.stringify(chartId)},"times":`;
  yield times;
  yield ',"series":[';
  for (const [rank, { group, name, values }] of series.entries()) {
    const members = JSON.stringify({ group: group ?? undefined, name });
    yield `${rank === 0 ? '' : ','}${members.slice(0, -1)},"values":`;
    yield values;
    yield '}';
  }
  yield ']}';
}
