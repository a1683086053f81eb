/** Chart: the definition of one chart of a plugin (interface.md 2.5). */
import type { XStatic } from 'typebox/schema';
import { unknownChart } from './app-error.ts';
import { booleanSchema, idSchema, maxId, nameSchema } from './identifier.ts';
import type { JsonText } from './json-text.ts';

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
