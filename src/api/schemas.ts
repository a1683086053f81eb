/** The schemas of the responses, by their names in the OpenAPI document. */

import { chartIdSchema, chartRegistrySchema, chartSchema } from '../model/chart.ts';
import { chartTypes } from '../model/chart-types.ts';
import { shapeOf } from '../model/data-shapes.ts';
import { booleanSchema, idSchema, nameSchema } from '../model/identifier.ts';
import { ownerSchema, pluginSummarySchema } from '../model/plugin.ts';
import { softwareSchema } from '../model/software.ts';
import type { ApiOptions } from './api-options.ts';

/** The response of `/data`: one of the known shapes, or any array or object for an unknown type. */
const chartDataSchema = {
  description:
    'The shape depends on the type of the chart; a type outside this list has any array or object.',
  anyOf: [
    ...Object.keys(chartTypes).map((name) => ({ title: name, ...shapeOf(name).dataSchema })),
    { title: 'any other type', type: ['array', 'object'] },
  ],
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
