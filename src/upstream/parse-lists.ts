/** Parses the catalogue of other servers: lists, plugins, charts and owners. */

import { createHash } from 'node:crypto';
import { checkShape, isJsonObject, quoteValue } from '../json/check-shape.ts';
import { memberText, parseJson, partsOf, storedJson } from '../json/parse-json.ts';
import { AppError, quote } from '../model/app-error.ts';
import { type Chart, chartIdSchema, isChartId, maxCountedId, maxId, type Owner } from '../model/catalogue.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';
import type { SoftwareFields } from '../model/metrics-record.ts';
import {
  chartShape,
  identifiedShape,
  listedPluginShape,
  pluginShape,
  softwareReferenceShape,
  softwareShape,
} from './upstream-shapes.ts';

/** Software as a plugin refers to it. */
export interface UpstreamSoftware {
  readonly id: number;
  readonly name?: string;
  readonly url?: string;
}

/** Software with the name and `url` from the user. */
export type GivenSoftware = Required<UpstreamSoftware>;

/** List by id. Elements are parsed on demand, so that an invalid element does not affect the others. */
export type ParsedList<T> = ReadonlyMap<number, () => T>;

/**
 * Parses an array of objects.
 * @param parse parses an element; its second parameter is the name of the element in messages.
 * @throws AppError `invalid` if the body is not an array of objects with ids.
 */
export function parseList<T>(json: string, parse: (element: unknown, name: string) => T): ParsedList<T> {
  const list = new Map<number, () => T>();
  const elements = parseJson(json);
  if (!Array.isArray(elements))
    throw new AppError('invalid', `the body must be an array, got ${quoteValue(elements)}`);
  for (const [index, element] of elements.entries()) {
    const name = `[${index}]`;
    list.set(idIn(element, name), () => parse(element, name));
  }
  return list;
}

function idIn(value: unknown, name: string): number {
  checkShape(identifiedShape, value, name);
  return (value as { readonly id: number }).id;
}

type ReceivedSoftware = Omit<SoftwareFields, 'globalPluginId'> & { readonly globalPlugin?: unknown };

/** Parses an element of the software list. @throws AppError `invalid`. */
export function parseSoftware(element: unknown, name: string): SoftwareFields {
  checkShape(softwareShape, element, name);
  const software = element as ReceivedSoftware;
  return {
    id: software.id,
    name: software.name,
    url: software.url,
    globalPluginId: parseGlobalPlugin(software.globalPlugin, `${name}.globalPlugin`),
  };
}

/**
 * Parses a global plugin: an object with an id, a number, or a number as a string. `""`, 0, null and a
 * missing member mean none.
 */
function parseGlobalPlugin(value: unknown, name: string): number | null {
  if (isJsonObject(value)) return idIn(value, name);
  const text = String(value ?? '');
  if (/^0*$/.test(text)) return null;
  if (/^\d+$/.test(text) && Number(text) <= maxId) return Number(text);
  throw new AppError(
    'invalid',
    `${name} must be an object with an id, an id or null, got ${quoteValue(value)}`,
  );
}

/** Owner of a plugin on another server. */
interface ReceivedOwner {
  readonly id?: number | null;
  readonly name: string;
}

/** Fields of the plugin list that a plugin resource may lack. */
export interface UpstreamPlugin {
  readonly owner: ReceivedOwner;
  readonly software: UpstreamSoftware;
  readonly isGlobal?: boolean;
}

/** A plugin resource. */
interface ReceivedPlugin {
  readonly id: number;
  readonly name: string;
  readonly owner: ReceivedOwner;
  /** Sent by live servers, like `isGlobal`. */
  readonly software: UpstreamSoftware | undefined;
  readonly isGlobal: boolean | undefined;
  /** Undefined if the server does not include charts. */
  readonly charts: readonly Chart[] | undefined;
}

/** Maximum number of charts of a plugin; each costs a request. */
const maxCharts = 10_000;

/** Parses an element of the plugin list. @throws AppError `invalid`. */
export function parseListedPlugin(element: unknown, name: string): UpstreamPlugin {
  checkShape(listedPluginShape, element, name);
  return element as UpstreamPlugin;
}

/**
 * Parses a plugin with its charts.
 * @throws AppError `invalid` if the plugin breaks a rule, or is not the requested one.
 */
export function parsePluginBody(json: string, pluginId: number): ReceivedPlugin {
  const value = parseJson(json);
  checkShape(pluginShape, value, '');
  const { id, name, owner, software, isGlobal, charts } = value as Pick<
    ReceivedPlugin,
    'id' | 'name' | 'owner'
  > &
    Readonly<Record<'software' | 'isGlobal' | 'charts', unknown>>;
  if (id !== pluginId) throw new AppError('invalid', `id must be ${pluginId}, got ${id}`);
  const reference = isJsonObject(software) ? software : undefined;
  if (reference !== undefined) checkShape(softwareReferenceShape, reference, 'software');
  return {
    id,
    name,
    owner,
    software: reference as UpstreamSoftware | undefined,
    isGlobal: typeof isGlobal === 'boolean' ? isGlobal : undefined,
    charts: charts === undefined ? undefined : registryIn(charts, memberText(json, 'charts') ?? '', 'charts'),
  };
}

/**
 * Parses the body of a chart registry.
 * @throws AppError `invalid`.
 */
export function parseRegistryBody(json: string): Chart[] {
  return registryIn(parseJson(json), json, '');
}

/**
 * Parses a chart registry; settings are kept as text.
 * @param json text of the value.
 * @param name name of the value in messages; `''` for a whole body.
 */
function registryIn(value: unknown, json: string, name: string): Chart[] {
  const title = name || 'the body';
  // Some languages encode an empty object as an empty array.
  if (Array.isArray(value) && value.length === 0) return [];
  if (!isJsonObject(value))
    throw new AppError('invalid', `${title} must be an object of charts, got ${quoteValue(value)}`);
  const charts = new Map<string, Chart>();
  for (const { name: chartId, text } of partsOf(json)) {
    if (!isChartId(chartId))
      throw new AppError(
        'invalid',
        `${title}: a chart id must be ${chartIdSchema.description}, got ${quote(chartId)}`,
      );
    if (charts.size === maxCharts && !charts.has(chartId))
      throw new AppError('invalid', `${title} must have at most ${maxCharts} charts`);
    charts.set(chartId, parseChart(text, chartId, name === '' ? chartId : `${name}.${chartId}`));
  }
  return [...charts.values()];
}

function parseChart(json: string, chartId: string, place: string): Chart {
  const value = parseJson(json);
  checkShape(chartShape, value, place);
  const { uid, type, position, title, isDefault, data } = value as Omit<Chart, 'data'> & {
    readonly data?: unknown;
  };
  const settings = settingsIn(data, json, `${place}.data`);
  return { chartId, uid, type, position, title, isDefault, data: settings };
}

/**
 * Returns settings, which must be an object, as text. A missing member, null and an empty array count as an
 * empty object.
 */
function settingsIn(data: unknown, chart: string, name: string): JsonText {
  if (data == null || (Array.isArray(data) && data.length === 0)) return trustedJson('{}');
  if (isJsonObject(data)) return storedJson(memberText(chart, 'data') ?? '', name);
  throw new AppError('invalid', `${name} must be an object, got ${quoteValue(data)}`);
}

/** Chooses the id of an owner: from the plugin, from the plugin list, or derived from the name. */
export function ownerOf(received: ReceivedOwner, listed: ReceivedOwner | undefined): Owner {
  return { id: received.id ?? listed?.id ?? ownerIdFor(received.name), name: received.name };
}

/**
 * Derives an id from a name: 52 bits of its SHA-256, offset by 2^52, where assigned ids never reach. The same
 * name always gives the same id; among a million names, the chance of a collision is one in ten thousand.
 */
export function ownerIdFor(name: string): number {
  const bits = createHash('sha256').update(name, 'utf8').digest().readBigUInt64BE() >> 12n;
  return Number(BigInt(maxCountedId) + 1n + bits);
}
