/** Parses the lines of an archive. */

import { JsonWalk } from '../json/json-walk.ts';
import { parseChartData, storedJson } from '../json/parse-chart-data.ts';
import { checkUtf8, parseShape, quoteJson } from '../json/parse-shape.ts';
import { AppError } from '../model/app-error.ts';
import { type Chart, isChartId } from '../model/chart.ts';
import type { ChartData } from '../model/chart-data.ts';
import { shapeOf } from '../model/data-shapes.ts';
import type { MetricsRecord, PluginFields, SoftwareFields } from '../model/metrics-record.ts';
import type { Removal } from '../model/metrics-remover.ts';
import type { OldName } from '../model/plugin.ts';
import type { PluginEvent } from '../model/plugin-event.ts';
import { orderPoints, type Points } from '../model/points.ts';
import { parsePoints } from '../series/points-json.ts';
import { type HistoryFor, parseHistory } from './parse-history.ts';
import { isRecordName, type RecordName, recordShapes } from './record-shapes.ts';

/** A line of an archive: a record for a store, the header or the end. */
export type ArchiveRecord =
  | Exclude<MetricsRecord, { kind: 'end' | 'archive' | 'history' }>
  | HistoryRecord
  | { readonly kind: 'archive'; readonly version: number }
  | { readonly kind: 'end'; readonly place: string; readonly records: number };

/** A history, of which a line with millions of values has the first part alone. */
type HistoryRecord = MetricsRecord & { readonly kind: 'history'; readonly rest: readonly HistoryRecord[] };

/**
 * Parses one line.
 * @throws AppError `invalid` without a place, with the field and the rule that it breaks.
 */
export function parseRecord(line: Uint8Array, place: string): ArchiveRecord {
  return parseExportedRecord(line, place) ?? parseAnyRecord(line, place);
}

const dataHead = Buffer.from('{"record":"data","pluginId":');
const chartIdHead = Buffer.from(',"chartId":"');
const dataMember = Buffer.from('","data":');
const quotationMark = 0x22;
const brace = 0x7d;

/** Parses the record that most lines are: points in exactly the form that `export` writes, without looking at single fields. */
function parseExportedRecord(line: Uint8Array, place: string): ArchiveRecord | undefined {
  if (!startsWith(line, dataHead, 0) || line.at(-1) !== brace) return undefined;
  const idStart = dataHead.length;
  let at = idStart;
  while (isDigit(line[at])) at++;
  if (at === idStart || at - idStart > 15 || !startsWith(line, chartIdHead, at)) return undefined;
  const pluginId = Number(asciiSlice(line, idStart, at));
  const chartIdStart = at + chartIdHead.length;
  const chartIdEnd = line.indexOf(quotationMark, chartIdStart);
  if (chartIdEnd === -1 || chartIdEnd - chartIdStart > 100 || !startsWith(line, dataMember, chartIdEnd))
    return undefined;
  const chartId = asciiSlice(line, chartIdStart, chartIdEnd);
  if (pluginId < 1 || line[idStart] === 0x30 || !isChartId(chartId)) return undefined;
  const dataStart = chartIdEnd + dataMember.length;
  const points = parsePoints(line, dataStart, line.length - 1);
  if (points === undefined) return undefined;
  const data = line.subarray(dataStart, -1);
  return { kind: 'data', place, pluginId, chartId, dataFor: (typeName) => dataFor(typeName, data, points) };
}

function parseAnyRecord(line: Uint8Array, place: string): ArchiveRecord {
  checkUtf8(line, 'the line');
  const name = recordName(line);
  const { record: _, ...fields } = parseShape(recordShapes[name], { json: line, name: '' }) as {
    readonly record: unknown;
  };
  switch (name) {
    case 'archive':
      return { kind: 'archive', version: (fields as { readonly version: number }).version };
    case 'software':
      return { kind: 'software', place, software: fields as SoftwareFields };
    case 'plugin':
      return { kind: 'plugin', place, plugin: fields as PluginFields };
    case 'oldName': {
      const { pluginId, name: oldName } = fields as OldName;
      return { kind: 'oldName', place, oldName: { pluginId, name: oldName } };
    }
    case 'chart': {
      const { pluginId, data, ...chart } = fields as ChartFields;
      const settings = storedJson(data, 'the settings of a chart');
      return { kind: 'chart', place, pluginId, chart: { ...chart, data: settings } };
    }
    case 'data': {
      const { pluginId, chartId, data, at } = fields as DataFields;
      return {
        kind: 'data',
        place,
        pluginId,
        chartId,
        ...(at === undefined ? {} : { at }),
        dataFor: (typeName) => parseChartData(typeName, data),
      };
    }
    case 'history': {
      const { pluginId, chartId } = fields as DataFields;
      const part = (historyFor: HistoryFor, rest: readonly HistoryRecord[]): HistoryRecord => ({
        kind: 'history',
        place,
        pluginId,
        chartId,
        historyFor,
        rest,
      });
      const [first, ...others] = parseHistory(line);
      return part(
        first,
        others.map((historyFor) => part(historyFor, [])),
      );
    }
    case 'event': {
      const { pluginId, time, title, url } = fields as PluginEvent & { readonly pluginId: number };
      return { kind: 'event', place, pluginId, event: { time, title, url } };
    }
    case 'removal':
      return { kind: 'removal', place, removal: checkedRemoval(fields as Removal) };
    default:
      return { kind: 'end', place, records: (fields as { readonly records: number }).records };
  }
}

function checkedRemoval(removal: Removal): Removal {
  if (removal.chartId === undefined || removal.pluginId !== undefined) return removal;
  throw new AppError('invalid', 'the field "pluginId" is missing, which "chartId" needs');
}

type ChartFields = Omit<Chart, 'data'> & { readonly pluginId: number; readonly data: Uint8Array };
type DataFields = {
  readonly pluginId: number;
  readonly chartId: string;
  readonly data: Uint8Array;
  readonly at?: number;
};

/** Parses the field `record`, and nothing after it. */
function recordName(line: Uint8Array): RecordName {
  const walk = new JsonWalk(line);
  if (walk.kind() !== 'object') {
    const json = walk.text();
    walk.end();
    throw new AppError('invalid', `a record must be a JSON object, got ${quoteJson(json)}`);
  }
  const json = walk.find('record');
  const name = json?.[0] === quotationMark ? new JsonWalk(json).string() : '';
  if (isRecordName(name)) return name;
  if (json === undefined) walk.end();
  const known = Object.keys(recordShapes).join(', ');
  const got = json === undefined ? 'none' : quoteJson(json);
  throw new AppError('invalid', `the field "record" must be one of ${known}, got ${got}`);
}

/** Makes the data of a record when the type of its chart is known. */
function dataFor(typeName: string, text: Uint8Array, points: Points): ChartData {
  const { storage } = shapeOf(typeName);
  return storage === 'series' ? { storage, points: orderPoints(points) } : parseChartData(typeName, text);
}

function startsWith(line: Uint8Array, head: Uint8Array, offset: number): boolean {
  for (let index = 0; index < head.length; index++) {
    if (line[offset + index] !== head[index]) return false;
  }
  return true;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function asciiSlice(line: Uint8Array, start: number, end: number): string {
  return Buffer.from(line.buffer, line.byteOffset + start, end - start).toString('latin1');
}
