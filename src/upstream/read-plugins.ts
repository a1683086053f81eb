/** Plugins and their charts as other servers tell them. */
import { JsonWalk } from '../json/json-walk.ts';
import { storedJson } from '../json/read-chart-data.ts';
import { quoteJson, readShape } from '../json/read-shape.ts';
import { AppError, quote } from '../model/app-error.ts';
import { type Chart, chartIdSchema, isChartId } from '../model/chart.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';
import type { Owner } from '../model/plugin.ts';
import { ownerIdFor } from './owner-id.ts';
import { readElement, readElements, type SoftwareReference } from './read-software.ts';
import {
  chartShape,
  identifiedShape,
  listedPluginShape,
  pluginShape,
  softwareReferenceShape,
} from './upstream-shapes.ts';

/** An owner as a server tells it. */
interface ToldOwner {
  readonly id?: number | null;
  readonly name: string;
}

/** What the plugin list says of a plugin beyond its detail. */
export interface ListedPlugin {
  readonly owner: ToldOwner;
  readonly software: SoftwareReference;
  readonly isGlobal: boolean;
}

/** A plugin on its own. */
export interface ToldPlugin {
  readonly id: number;
  readonly name: string;
  readonly owner: ToldOwner;
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
export function readPluginList(
  json: Uint8Array,
  isWanted: (id: number) => boolean,
): Map<number, ListedPlugin | AppError> {
  const list = new Map<number, ListedPlugin | AppError>();
  readElements(json, (element, name) => {
    const { id } = readShape(identifiedShape, { json: element, name }) as { readonly id: number };
    if (isWanted(id)) list.set(id, readElement(element, name, readListed));
  });
  return list;
}

function readListed(element: Uint8Array, name: string): ListedPlugin {
  const { owner, software, isGlobal } = readShape(listedPluginShape, { json: element, name }) as Omit<
    ListedPlugin,
    'isGlobal'
  > & { readonly isGlobal?: boolean };
  return { owner, software, isGlobal: isGlobal ?? false };
}

/**
 * A plugin with its charts.
 * @throws AppError `invalid` for what cannot be taken, and for another plugin than the one asked for.
 */
export function readPlugin(json: Uint8Array, pluginId: number): ToldPlugin {
  const told = readShape(pluginShape, { json, name: '' }) as Pick<ToldPlugin, 'id' | 'name' | 'owner'> &
    Readonly<Record<'software' | 'isGlobal' | 'charts', Uint8Array | undefined>>;
  if (told.id !== pluginId) throw new AppError('invalid', `id must be ${pluginId}, got ${told.id}`);
  const isGlobal = told.isGlobal === undefined ? '' : String(Buffer.from(told.isGlobal));
  return {
    ...told,
    software: isObject(told.software)
      ? (readShape(softwareReferenceShape, { json: told.software, name: 'software' }) as SoftwareReference)
      : undefined,
    isGlobal: isGlobal === 'true' || isGlobal === 'false' ? isGlobal === 'true' : undefined,
    charts: told.charts === undefined ? undefined : readRegistry(told.charts, 'charts'),
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
export function readRegistry(json: Uint8Array, name: string): Chart[] {
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
    charts.set(chartId, readChart(walk.text(), chartId, `${name}.${chartId}`.replace(/^\./, '')));
  });
  walk.end();
  return [...charts.values()];
}

function readChart(json: Uint8Array, chartId: string, name: string): Chart {
  const { data, ...fields } = readShape(chartShape, { json, name }) as Omit<Chart, 'data'> & {
    readonly data?: Uint8Array;
  };
  return { ...fields, chartId, data: readSettings(data, `${name}.data`) };
}

/** Settings are any object, kept as it came; nothing, null and an empty array stand for an empty one. */
function readSettings(json: Uint8Array | undefined, name: string): JsonText {
  if (json === undefined || /^(null|\[\s*\])$/.test(String(Buffer.from(json.subarray(0, 100)))))
    return trustedJson('{}');
  if (isObject(json)) return storedJson(json, name);
  throw new AppError('invalid', `${name} must be an object, got ${quoteJson(json)}`);
}

/** The owner with an id: of the first that tells one, or made from the name. */
export function ownerOf(told: ToldOwner, listed: ToldOwner | undefined): Owner {
  return { id: told.id ?? listed?.id ?? ownerIdFor(told.name), name: told.name };
}
