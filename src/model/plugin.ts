/** Plugins, and the owners that they belong to (interface.md 2.1 to 2.4). */
import type { XStatic } from 'typebox/schema';
import type { Chart } from './chart.ts';
import { booleanSchema, idSchema, nameSchema } from './identifier.ts';
import { softwareUrlSchema } from './software.ts';

/** The owner of a plugin. */
const ownerSchema = {
  type: 'object',
  required: ['id', 'name'],
  additionalProperties: false,
  properties: { id: idSchema, name: nameSchema },
  description: 'an object with the fields id and name',
} as const;

/** An element of the plugin list. */
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

/** A name that a plugin had, and is still found by. */
export interface OldName {
  readonly pluginId: number;
  readonly name: string;
}

/** One chart with the name of its plugin, and true if the plugin has events. */
export interface PluginChart extends Chart {
  readonly pluginName: string;
  readonly hasEvents: boolean;
}
