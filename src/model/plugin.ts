/** Plugins and their owners (interface.md 2.1 to 2.4). */
import type { XStatic } from 'typebox/schema';
import type { Chart } from './chart.ts';
import { booleanSchema, idSchema, nameSchema } from './identifier.ts';
import { softwareUrlSchema } from './software.ts';

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
