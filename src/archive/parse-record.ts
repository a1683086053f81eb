/** One line of an archive as a record. */
import { isUtf8 } from 'node:buffer';
import { AppError, quote } from '../model/app-error.ts';
import type { Chart } from '../model/chart.ts';
import { type ChartData, maxSnapshotBytes } from '../model/chart-data.ts';
import { chartTypeOf } from '../model/chart-types.ts';
import { compactJson } from '../model/json-text.ts';
import type { MetricsRecord, PluginFields, SoftwareFields } from '../model/metrics-record.ts';
import { orderPoints, type Points, pointsOf } from '../model/points.ts';
import { parsePoints } from '../series/points-json.ts';
import { readMembers } from './json-members.ts';
import { recordSchemas } from './record-schemas.ts';
import { checkShape } from './validate.ts';

/** A line of an archive: a record for a store, or one of the two that frame them. */
export type ArchiveRecord =
  | Exclude<MetricsRecord, { kind: 'end' }>
  | { readonly kind: 'archive' }
  | { readonly kind: 'end'; readonly place: string; readonly records: number };

/**
 * Reads one line.
 * @throws AppError `invalid` for anything that is no record, saying which field breaks which rule; the place is
 *   the caller's to add.
 */
export function parseRecord(line: Uint8Array, place: string): ArchiveRecord {
  return parseExportedRecord(line, place) ?? parseAnyRecord(line, place);
}

const dataHead = Buffer.from('{"record":"data","pluginId":');
const chartIdHead = Buffer.from(',"chartId":"');
const dataMember = Buffer.from('","data":');
const brace = 0x7d;

/** The record that archives are made of, points in the very form that `export` writes, without a detour. */
function parseExportedRecord(line: Uint8Array, place: string): ArchiveRecord | undefined {
  if (!startsWith(line, dataHead, 0) || line.at(-1) !== brace) return undefined;
  const idStart = dataHead.length;
  let at = idStart;
  while (isDigit(line[at])) at++;
  if (at === idStart || at - idStart > 15 || !startsWith(line, chartIdHead, at)) return undefined;
  const pluginId = Number(asciiSlice(line, idStart, at));
  const chartIdStart = at + chartIdHead.length;
  const chartIdEnd = line.indexOf(0x22, chartIdStart);
  if (chartIdEnd === -1 || chartIdEnd - chartIdStart > 100 || !startsWith(line, dataMember, chartIdEnd))
    return undefined;
  const chartId = asciiSlice(line, chartIdStart, chartIdEnd);
  if (pluginId < 1 || line[idStart] === 0x30 || !/^[A-Za-z0-9_][A-Za-z0-9_.~-]*$/.test(chartId))
    return undefined;
  const dataStart = chartIdEnd + dataMember.length;
  const points = parsePoints(line, dataStart, line.length - 1);
  if (points === undefined) return undefined;
  const text = () => asciiSlice(line, dataStart, line.length - 1);
  return { kind: 'data', place, pluginId, chartId, dataFor: (typeName) => dataFor(typeName, text, points) };
}

function parseAnyRecord(line: Uint8Array, place: string): ArchiveRecord {
  if (!isUtf8(line)) throw new AppError('invalid', 'the line is not valid UTF-8');
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8');
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('invalid', `a record must be a JSON object, got ${quote(value)}`);
  }
  const members = readMembers(text);
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const name = fields['record'];
  const schema =
    typeof name === 'string' && Object.hasOwn(recordSchemas, name) ? recordSchemas[name] : undefined;
  if (schema === undefined) {
    const known = Object.keys(recordSchemas).join(', ');
    throw new AppError('invalid', `the field "record" must be one of ${known}, got ${quote(name)}`);
  }
  checkShape(schema, value, '');
  const data = members.get('data') ?? '';
  switch (name) {
    case 'archive':
      return { kind: 'archive' };
    case 'software':
      return { kind: 'software', place, software: withoutName(fields) as SoftwareFields };
    case 'plugin':
      return { kind: 'plugin', place, plugin: withoutName(fields) as PluginFields };
    case 'chart': {
      const { pluginId, ...chart } = withoutName(fields) as Chart & { readonly pluginId: number };
      return { kind: 'chart', place, pluginId, chart: { ...chart, data: compactJson(data) } };
    }
    case 'data': {
      const { pluginId, chartId } = fields as { readonly pluginId: number; readonly chartId: string };
      return { kind: 'data', place, pluginId, chartId, dataFor: (typeName) => dataFor(typeName, () => data) };
    }
    default:
      return { kind: 'end', place, records: Number(fields['records']) };
  }
}

/** The data of a record, once it is known what type of chart it belongs to. */
function dataFor(typeName: string, text: () => string, parsed?: Points): ChartData {
  const { storage, dataSchema } = chartTypeOf(typeName);
  if (storage === 'series')
    return { storage, points: orderPoints(parsed ?? parseAnyPoints(text(), dataSchema)) };
  const json = compactJson(text());
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes > maxSnapshotBytes) {
    throw new AppError(
      'invalid',
      `the data has ${sizeBytes} bytes; that of a ${typeName} may have ${maxSnapshotBytes}`,
    );
  }
  checkShape(dataSchema, parseJson(json), 'data');
  return { storage, json };
}

function parseAnyPoints(text: string, schema: object): Points {
  const bytes = Buffer.from(compactJson(text));
  const points = parsePoints(bytes, 0, bytes.length);
  if (points !== undefined) return points;
  const entries = parseJson(text);
  checkShape(schema, entries, 'data');
  return pointsOf(entries as [number, number][]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError(
      'invalid',
      `the line is not valid JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function withoutName(fields: Readonly<Record<string, unknown>>): unknown {
  const { record: _, ...rest } = fields;
  return rest;
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
