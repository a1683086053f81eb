/** Software: the kinds of servers that plugins run on (interface.md 2.7, 2.3). */
import type { XStatic } from 'typebox/schema';
import { idSchema, nameSchema } from './identifier.ts';

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
