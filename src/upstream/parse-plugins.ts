/** Parses plugins and their charts as other servers send them. */
import { createHash } from 'node:crypto';
import { JsonWalk } from '../json/json-walk.ts';
import { storedJson } from '../json/parse-chart-data.ts';
import { parseShape, quoteJson } from '../json/parse-shape.ts';
import { AppError, quote } from '../model/app-error.ts';
import { type Chart, chartIdSchema, isChartId } from '../model/chart.ts';
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

/** An owner as a server tells it. */
interface ReceivedOwner {
  readonly id?: number | null;
  readonly name: string;
}

/** What the plugin list says of a plugin beyond its detail. */
export interface ListedPlugin {
  readonly owner: ReceivedOwner;
  readonly software: SoftwareReference;
  readonly isGlobal: boolean;
}

/** A plugin on its own. */
export interface ReceivedPlugin {
  readonly id: number;
  readonly name: string;
  readonly owner: ReceivedOwner;
  /** What live servers add. */
  readonly software: SoftwareReference | undefined;
  readonly isGlobal: boolean | undefined;
  /** Undefined where the server keeps them apart. */
  readonly charts: readonly Chart[] | undefined;
}

/** The most charts that a plugin may have: each costs a request. */
export const maxCharts = 10_000;

/**
 * The plugin list by id. An element that cannot be taken is the error that says so, if its id can be read.
 * @param isWanted others are not looked at further.
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
 * A plugin with its charts.
 * @throws AppError `invalid` for what cannot be taken, and for another plugin than the one asked for.
 */
export function parsePluginBody(json: Uint8Array, pluginId: number): ReceivedPlugin {
  const told = parseShape(pluginShape, { json, name: '' }) as Pick<ReceivedPlugin, 'id' | 'name' | 'owner'> &
    Readonly<Record<'software' | 'isGlobal' | 'charts', Uint8Array | undefined>>;
  if (told.id !== pluginId) throw new AppError('invalid', `id must be ${pluginId}, got ${told.id}`);
  const isGlobal = told.isGlobal === undefined ? '' : String(Buffer.from(told.isGlobal));
  return {
    ...told,
    software: isObject(told.software)
      ? (parseShape(softwareReferenceShape, { json: told.software, name: 'software' }) as SoftwareReference)
      : undefined,
    isGlobal: isGlobal === 'true' || isGlobal === 'false' ? isGlobal === 'true' : undefined,
    charts: told.charts === undefined ? undefined : parseRegistryBody(told.charts, 'charts'),
  };
}

function isObject(json: Uint8Array | undefined): json is Uint8Array {
  return json !== undefined && new JsonWalk(json).kind() === 'object';
}

/**
 * A chart registry.
 * @param name what it is called in messages; `''` for a whole body.
 * @throws AppError `invalid`.
 */
export function parseRegistryBody(json: Uint8Array, name: string): Chart[] {
  const walk = new JsonWalk(json);
  const charts = new Map<string, Chart>();
  // An object without members is an empty array in some languages.
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

/** Settings are any object, kept as it came; nothing, null and an empty array stand for an empty one. */
function parseSettings(json: Uint8Array | undefined, name: string): JsonText {
  if (json === undefined || /^(null|\[\s*\])$/.test(String(Buffer.from(json.subarray(0, 100)))))
    return trustedJson('{}');
  if (isObject(json)) return storedJson(json, name);
  throw new AppError('invalid', `${name} must be an object, got ${quoteJson(json)}`);
}

/** The owner with an id: of the first that tells one, or made from the name. */
export function ownerOf(told: ReceivedOwner, listed: ReceivedOwner | undefined): Owner {
  return { id: told.id ?? listed?.id ?? ownerIdFor(told.name), name: told.name };
}

/**
 * Makes an id from a name: 52 bits of its SHA-256 above 2^52, where no counted id ever comes. The same name always gives the
 * same id; two of a million names collide with a chance of one in ten thousand.
 */
export function ownerIdFor(name: string): number {
  const bits = createHash('sha256').update(name, 'utf8').digest().readBigUInt64BE() >> 12n;
  return Number(2n ** 52n + bits);
}
