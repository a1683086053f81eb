/**
 * Software, plugins with their owners, charts, and the ids and names that they share
 * (interface.md 2.1 to 2.7).
 */

import type { XStatic } from 'typebox/schema';
import { AppError, quote, unknownChart } from './app-error.ts';
import type { JsonText } from './json-text.ts';

/** Largest id: 2^53-1, the largest integer that all JSON readers keep exact. */
export const maxId = Number.MAX_SAFE_INTEGER;

/** Largest id assigned by counting; mirrors derive larger ones from names. */
export const maxCountedId = 2 ** 52 - 1;

/** Ids of software, plugins and owners, and chart uids. */
export const idSchema = {
  type: 'integer',
  minimum: 1,
  maximum: maxId,
  description: 'an integer from 1 to 9007199254740991',
} as const;

/** Names and titles. The pattern counts code points, and excludes control characters and lone surrogates. */
export const nameSchema = {
  type: 'string',
  pattern: '^[^\\p{Cc}\\p{Cs}]{1,200}$',
  description: 'a string of 1 to 200 characters without control characters',
} as const;

/** Flags, such as `isGlobal`. */
export const booleanSchema = { type: 'boolean', description: 'true or false' } as const;

/** Maximum number of platforms of one plugin, which a page shows together. */
export const maxPlatforms = 10;

/**
 * Parses ids of plugins with plus signs between, such as `1337+42`: ascending, each once.
 * @throws AppError `invalid` for anything but ids, and for more than {@link maxPlatforms}.
 */
export function parsePluginIds(text: string): readonly number[] {
  const ids = new Set(text.split('+').map(parsePluginId));
  if (ids.size <= maxPlatforms) return [...ids].sort((a, b) => a - b);
  const message = `a page has up to ${maxPlatforms} plugins; got ${ids.size} plugin ids`;
  throw new AppError('malformed-plugin-id', message);
}

/**
 * Parses a plugin id in a path.
 * @throws AppError `invalid` for anything but decimal digits up to 2^53-1.
 */
export function parsePluginId(text = ''): number {
  const id = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (id <= maxId) return id;
  const message = `the plugin id must be decimal digits, at most ${maxId}; got ${quote(text)}`;
  throw new AppError('malformed-plugin-id', message);
}

/** The short URL-style identifier of a software; unique in a store. */
export const softwareUrlSchema = {
  type: 'string',
  pattern: '^[a-z0-9][a-z0-9._-]{0,99}$',
  description: 'a string of 1 to 100 characters a-z, 0-9, ".", "_" or "-" that starts with a letter or digit',
} as const;

/** Schema of an element of the software list. */
export const softwareSchema = {
  type: 'object',
  required: ['id', 'name', 'url', 'globalPlugin'],
  additionalProperties: false,
  properties: {
    id: idSchema,
    name: nameSchema,
    url: softwareUrlSchema,
    globalPlugin: {
      anyOf: [
        {
          type: 'object',
          required: ['id', 'name'],
          additionalProperties: false,
          properties: { id: idSchema, name: nameSchema },
        },
        { type: 'null' },
      ],
      description: 'The global plugin of this software; null for a software that has none.',
    },
  },
} as const;

/** An element of the software list. */
export type Software = XStatic<typeof softwareSchema>;

/** Schema of an owner. */
const ownerSchema = {
  type: 'object',
  required: ['id', 'name'],
  additionalProperties: false,
  properties: { id: idSchema, name: nameSchema },
  description: 'an object with the fields id and name',
} as const;

/** Schema of an element of the plugin list. */
export const pluginSummarySchema = {
  type: 'object',
  required: ['id', 'name', 'owner', 'software', 'isGlobal'],
  additionalProperties: false,
  properties: {
    id: idSchema,
    name: nameSchema,
    owner: ownerSchema,
    software: {
      type: 'object',
      required: ['id', 'name', 'url'],
      additionalProperties: false,
      properties: { id: idSchema, name: nameSchema, url: softwareUrlSchema },
    },
    isGlobal: booleanSchema,
  },
} as const;

/** The owner of a plugin. */
export type Owner = XStatic<typeof ownerSchema>;

/** An element of the plugin list. */
export type PluginSummary = XStatic<typeof pluginSummarySchema>;

/** A former name of a plugin, by which it can still be found. */
export interface OldName {
  readonly pluginId: number;
  readonly name: string;
}

/** A chart with the name of its plugin, and whether the plugin has events. */
export interface PluginChart extends Chart {
  readonly pluginName: string;
  readonly hasEvents: boolean;
}

/** Key of a chart in the registry of its plugin. */
export const chartIdSchema = {
  type: 'string',
  pattern: '^[A-Za-z0-9_][A-Za-z0-9_.~-]{0,99}$',
  description:
    'a string of 1 to 100 characters A-Z, a-z, 0-9, "_", ".", "~" or "-" that starts with a letter, digit or "_"',
} as const;

const chartIdPattern = new RegExp(chartIdSchema.pattern);

/** True for a valid chart id. */
export function isChartId(text: string): boolean {
  return chartIdPattern.test(text);
}

/**
 * Parses a chart id in a path.
 * @throws AppError `not_found` if no chart can have the id.
 */
export function parseChartId(pluginId: number, text = ''): string {
  if (isChartId(text)) return text;
  throw unknownChart(pluginId, text);
}

/** Wire name of a chart type. A name outside the table is a type of its own. */
export const chartTypeNameSchema = {
  type: 'string',
  pattern: '^[a-z][a-z0-9_]{0,49}$',
  description: 'a string of 1 to 50 characters a-z, 0-9 or "_" that starts with a letter',
} as const;

/** Position of a chart among the charts of its plugin. */
const positionSchema = {
  type: 'integer',
  minimum: -Number.MAX_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'an integer of at most 2^53-1',
} as const;

/**
 * Settings that depend on the type. Their members are not checked: they are stored and returned unchanged.
 */
const chartSettingsSchema = {
  type: 'object',
  description: 'an object',
} as const;

/** A chart in the form of the interface. */
export const chartSchema = {
  type: 'object',
  required: ['uid', 'type', 'position', 'title', 'isDefault', 'data'],
  additionalProperties: false,
  properties: {
    uid: idSchema,
    type: chartTypeNameSchema,
    position: positionSchema,
    title: nameSchema,
    isDefault: booleanSchema,
    data: chartSettingsSchema,
  },
} as const;

/** Charts of a plugin by chart id, ordered by position, then chart id. */
export const chartRegistrySchema = {
  type: 'object',
  propertyNames: chartIdSchema,
  additionalProperties: chartSchema,
} as const;

/** Name of a chart: its plugin and its chart id. */
export interface ChartName {
  readonly pluginId: number;
  readonly chartId: string;
}

/** Parses a name in query notation, such as `1337:players`; undefined for any other text. */
export function parseChartName(text: string): ChartName | undefined {
  const [, id = '', chartId = ''] = /^([1-9][0-9]{0,15}):(.+)$/.exec(text) ?? [];
  const pluginId = Number(id);
  return id !== '' && pluginId <= maxId && isChartId(chartId) ? { pluginId, chartId } : undefined;
}

/** Renders names in query notation: `1337:players,42:players`. */
export function chartNamesText(names: readonly ChartName[]): string {
  return names.map(({ pluginId, chartId }) => `${pluginId}:${chartId}`).join(',');
}

type ChartFields = XStatic<typeof chartSchema>;

/**
 * A chart with its key. `data` holds the settings as text, which preserves the order of members and the
 * digits.
 */
export interface Chart extends Omit<ChartFields, 'data'> {
  readonly chartId: string;
  readonly data: JsonText;
}
