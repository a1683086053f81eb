/** The schemas of other servers' answers: the fields that a mirror needs, in the forms that servers send. Others are ignored. */
import { chartIdSchema, chartSchema } from '../model/chart.ts';
import { timestampSchema } from '../model/data-shapes.ts';
import { booleanSchema, idSchema, nameSchema } from '../model/identifier.ts';
import type { Shape } from '../model/shape.ts';
import { softwareSchema } from '../model/software.ts';

const object = (required: readonly string[], properties: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  required,
  properties,
  description: `an object with the members ${required.join(', ')}`,
});

// Some servers send the name alone.
const owner = object(['name'], {
  id: { ...idSchema, type: ['integer', 'null'], description: `${idSchema.description}, or null` },
  name: nameSchema,
});

const { name, url } = softwareSchema.properties;

/** A software within a plugin; some servers send its id alone. */
export const softwareReferenceShape = object(['id'], { id: idSchema, name, url });

/** The id of an element alone, so that an element with another fault is still known by its id. */
export const identifiedShape = object(['id'], { id: idSchema });

/** An element of the plugin list. */
export const listedPluginShape = object(['id', 'owner', 'software'], {
  id: idSchema,
  owner,
  software: softwareReferenceShape,
  isGlobal: booleanSchema,
});

/** An element of the software list; the global plugin has many forms. */
export const softwareShape = object(['id', 'name', 'url'], { id: idSchema, name, url, globalPlugin: {} });

/** A plugin. Live servers add `software` and `isGlobal`, in several forms. */
export const pluginShape = object(['id', 'name', 'owner'], {
  id: idSchema,
  name: nameSchema,
  owner,
  software: {},
  isGlobal: {},
  charts: {},
});

const { uid, type, position, title, isDefault } = chartSchema.properties;

/** A chart, without rules for its settings. */
export const chartShape = object(['uid', 'type', 'position', 'title', 'isDefault'], {
  uid,
  type,
  position,
  title,
  isDefault,
  data: {},
});

const timeOrNull: Shape = {
  ...timestampSchema,
  type: ['integer', 'null'],
  description: `${timestampSchema.description}, or null`,
};

/** A plugin in `/api/v2`, with the times of its charts. */
export const pluginNowShape = object(['charts'], {
  charts: {
    type: 'array',
    description: 'an array',
    items: object(['chartId', 'first', 'last'], {
      chartId: chartIdSchema,
      first: timeOrNull,
      last: timeOrNull,
    }),
  },
});
