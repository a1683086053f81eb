/** Parses plugins and charts of other servers. */
import { createHash } from 'node:crypto';
import { JsonWalk } from '../json/json-walk.ts';
import { storedJson } from '../json/parse-chart-data.ts';
import { parseShape, quoteJson } from '../json/parse-shape.ts';
import { AppError, quote } from '../model/app-error.ts';
import { type Chart, chartIdSchema, isChartId } from '../model/chart.ts';
import { maxCountedId } from '../model/identifier.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';
import type { Owner } from '../model/plugin.ts';
import { parseElement, type SoftwareReference, visitElements } from './parse-software.ts';
import {
  chartShape,
  identifiedShape,
  listedPluginShape,
  pluginShape,
  softwareReferenceShape,
} from './upstream-shapes.ts';

/** An owner of another server. */
interface ReceivedOwner {
  readonly id?: number | null;
  readonly name: string;
}

/** The fields of the plugin list that the detail of a plugin may lack. */
export interface ListedPlugin {
  readonly owner: ReceivedOwner;
  readonly software: SoftwareReference;
  readonly isGlobal: boolean;
}

/** The detail of a plugin. */
interface ReceivedPlugin {
  readonly id: number;
  readonly name: string;
  readonly owner: ReceivedOwner;
  /** Added by live servers, like `isGlobal`. */
  readonly software: SoftwareReference | undefined;
  readonly isGlobal: boolean | undefined;
  /** Undefined if they are not part of the detail. */
  readonly charts: readonly Chart[] | undefined;
}

/** The most charts of a plugin, because each costs a request. */
export const maxCharts = 10_000;

/**
 * Parses the plugin list, by id. An element that breaks a rule becomes an error, if its id is valid.
 * @param isWanted elements of other ids are skipped.
 * @throws AppError `invalid` for a body that is no array of objects with ids.
 */
export function parsePluginListBody(
  json: Uint8Array,
  isWanted: (id: number) => boolean,
): Map<number, ListedPlugin | AppError> {
  const list = new Map<number, ListedPlugin | AppError>();
  visitElements(json, (element, name) => {
    const { id } = parseShape(identifiedShape, { json: element, name }) as { readonly id: number };
    if (isWanted(id)) list.set(id, parseElement(element, name, parseListed));
  });
  return list;
}

function parseListed(element: Uint8Array, name: string): ListedPlugin {
  const { owner, software, isGlobal } = parseShape(listedPluginShape, { json: element, name }) as Omit<
    ListedPlugin,
    'isGlobal'
  > & { readonly isGlobal?: boolean };
  return { owner, software, isGlobal: isGlobal ?? false };
}

/**
 * Parses a plugin with its charts.
 * @throws AppError `invalid` for a plugin that breaks a rule, and for another one than was asked for.
 */
export function parsePluginBody(json: Uint8Array, pluginId: number): ReceivedPlugin {
  const received = parseShape(pluginShape, { json, name: '' }) as Pick<
    ReceivedPlugin,
    'id' | 'name' | 'owner'
  > &
    Readonly<Record<'software' | 'isGlobal' | 'charts', Uint8Array | undefined>>;
  if (received.id !== pluginId) throw new AppError('invalid', `id must be ${pluginId}, got ${received.id}`);
  const isGlobal = received.isGlobal === undefined ? '' : String(Buffer.from(received.isGlobal));
  return {
    ...received,
    software: isObject(received.software)
      ? (parseShape(softwareReferenceShape, {
          json: received.software,
          name: 'software',
        }) as SoftwareReference)
      : undefined,
    isGlobal: isGlobal === 'true' || isGlobal === 'false' ? isGlobal === 'true' : undefined,
    charts: received.charts === undefined ? undefined : parseRegistryBody(received.charts, 'charts'),
  };
}

function isObject(json: Uint8Array | undefined): json is Uint8Array {
  return json !== undefined && new JsonWalk(json).kind() === 'object';
}

/**
 * Parses a chart registry.
 * @param name its name in messages; `''` for a whole body.
 * @throws AppError `invalid`.
 */
export function parseRegistryBody(json: Uint8Array, name: string): Chart[] {
  const walk = new JsonWalk(json);
  const charts = new Map<string, Chart>();
  // Some languages render an object without members as an empty array.
  if (/^\s*\[\s*\]\s*$/.test(String(Buffer.from(json.subarray(0, 100))))) return [];
  if (walk.kind() !== 'object')
    throw new AppError(
      'invalid',
      `${name || 'the body'} must be an object of charts, got ${quoteJson(walk.text())}`,
    );
  walk.object((chartId) => {
    if (!isChartId(chartId))
      throw new AppError(
        'invalid',
        `${name || 'the body'}: a chart id must be ${chartIdSchema.description}, got ${quote(chartId)}`,
      );
    if (charts.size === maxCharts && !charts.has(chartId))
      throw new AppError('invalid', `${name || 'the body'} must have at most ${maxCharts} charts`);
    charts.set(chartId, parseChart(walk.text(), chartId, `${name}.${chartId}`.replace(/^\./, '')));
  });
  walk.end();
  return [...charts.values()];
}

function parseChart(json: Uint8Array, chartId: string, name: string): Chart {
  const { data, ...fields } = parseShape(chartShape, { json, name }) as Omit<Chart, 'data'> & {
    readonly data?: Uint8Array;
  };
  return { ...fields, chartId, data: parseSettings(data, `${name}.data`) };
}

/** Parses settings: any object, kept as text. A missing one, null and an empty array mean an empty object. */
function parseSettings(json: Uint8Array | undefined, name: string): JsonText {
  if (json === undefined || /^(null|\[\s*\])$/.test(String(Buffer.from(json.subarray(0, 100)))))
    return trustedJson('{}');
  if (isObject(json)) return storedJson(json, name);
  throw new AppError('invalid', `${name} must be an object, got ${quoteJson(json)}`);
}

/** Gives an owner an id: its own, that in the plugin list, or one made from the name. */
export function ownerOf(received: ReceivedOwner, listed: ReceivedOwner | undefined): Owner {
  return { id: received.id ?? listed?.id ?? ownerIdFor(received.name), name: received.name };
}

/**
 * Makes an id from a name: 52 bits of its SHA-256 above 2^52, where no counted id ever comes. The same name always gives the
 * same id; two of a million names collide with a chance of one in ten thousand.
 */
export function ownerIdFor(name: string): number {
  const bits = createHash('sha256').update(name, 'utf8').digest().readBigUInt64BE() >> 12n;
  return Number(BigInt(maxCountedId) + 1n + bits);
}
