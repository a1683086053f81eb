/** The schemas of the responses, by their names in the OpenAPI document. */

import { chartIdSchema, chartRegistrySchema, chartSchema } from '../model/chart.ts';
import { chartTypes } from '../model/chart-types.ts';
import { shapeOf, shareTextSchema, timestampSchema } from '../model/data-shapes.ts';
import { booleanSchema, idSchema, nameSchema } from '../model/identifier.ts';
import { ownerSchema, pluginSummarySchema } from '../model/plugin.ts';
import { softwareSchema } from '../model/software.ts';
import { aggregates } from '../series/series-query.ts';
import type { ApiOptions } from './api-options.ts';
import { v2Schemas } from './v2/v2-schemas.ts';

/** The response of `/data`: one of the known shapes, or any array or object for an unknown type. */
const chartDataSchema = {
  description:
    'The shape depends on the type of the chart; a type outside this list has any array or object.',
  anyOf: [
    ...Object.keys(chartTypes).map((name) => ({ title: name, ...shapeOf(name).dataSchema })),
    { title: 'any other type', type: ['array', 'object'] },
  ],
};

/** One series: of a line, of a share, or the sum of several. */
const seriesSchema = {
  type: 'object',
  required: ['name', 'values'],
  additionalProperties: false,
  properties: {
    pluginId: idSchema,
    chartId: chartIdSchema,
    group: { ...shareTextSchema, description: 'The outer share, with `level=2`.' },
    name: { type: 'string', description: 'The name of the line or of the share.' },
    isOther: { const: true, description: 'The sum of the shares that are not among the largest.' },
    isSum: { const: true, description: 'The sum of all line charts.' },
    values: {
      type: 'array',
      items: { type: ['number', 'null'] },
      description: 'A value for each time, or null where there is none.',
    },
  },
};

const schemas = {
  PluginList: { type: 'array', items: pluginSummarySchema },
  PluginDetail: {
    type: 'object',
    required: ['id', 'name', 'owner', 'charts'],
    additionalProperties: false,
    properties: { id: idSchema, name: nameSchema, owner: ownerSchema, charts: chartRegistrySchema },
  },
  ChartRegistry: chartRegistrySchema,
  Chart: chartSchema,
  ChartData: chartDataSchema,
  SoftwareList: { type: 'array', items: softwareSchema },
  Series: {
    type: 'object',
    required: ['from', 'to', 'step', 'aggregate', 'times', 'series'],
    additionalProperties: false,
    properties: {
      from: timestampSchema,
      to: { ...timestampSchema, description: 'The end of the window, exclusive.' },
      step: {
        type: ['integer', 'null'],
        description: 'The length of a step in milliseconds; null without steps.',
      },
      aggregate: { enum: [...aggregates, null] },
      times: { type: 'array', items: { type: 'integer' }, description: 'Ascending, in Unix milliseconds.' },
      series: { type: 'array', items: seriesSchema },
    },
  },
  ...v2Schemas(chartDataSchema),
  CsvText: { type: 'string', description: 'CSV (RFC 4180) with a row of column names.' },
  OpenapiDocument: {
    type: 'object',
    required: ['openapi', 'info', 'paths', 'components'],
    properties: {
      openapi: { const: '3.1.0' },
      info: { type: 'object' },
      paths: { type: 'object' },
      components: { type: 'object' },
    },
  },
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'detail'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'Stable; one per kind of error.' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'The fault in this request, and what is allowed.' },
    },
  },
} as const;

/** A name in `components.schemas`. */
export type SchemaName = keyof typeof schemas;

/** The schemas of a server with these options. */
export function schemasFor({ hasLiveFields }: ApiOptions): Readonly<Record<SchemaName, object>> {
  if (!hasLiveFields) return schemas;
  const Chart = withFields(chartSchema, { idCustom: chartIdSchema });
  const ChartRegistry = { ...chartRegistrySchema, additionalProperties: Chart };
  const { software } = pluginSummarySchema.properties;
  const plugin = withFields(schemas.PluginDetail, { software, isGlobal: booleanSchema });
  const PluginDetail = { ...plugin, properties: { ...plugin.properties, charts: ChartRegistry } };
  return { ...schemas, PluginDetail, ChartRegistry, Chart };
}

function withFields(
  schema: { readonly required: readonly string[]; readonly properties: object },
  fields: object,
) {
  return {
    ...schema,
    required: [...schema.required, ...Object.keys(fields)],
    properties: { ...schema.properties, ...fields },
  };
}
