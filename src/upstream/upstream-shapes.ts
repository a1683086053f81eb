/**
 * Schemas of other servers' responses: the fields that a mirror needs, in the forms that servers send. Other
 * fields are ignored.
 */
import { integerOrNull } from '../json/check-shape.ts';
import {
  booleanSchema,
  chartIdSchema,
  chartSchema,
  idSchema,
  nameSchema,
  softwareSchema,
} from '../model/catalogue.ts';
import { timestampSchema } from '../model/forms/schemas.ts';
import type { Shape } from '../model/shape.ts';

const object = (required: readonly string[], properties: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  required,
  properties,
  description: `an object with the members ${required.join(', ')}`,
});

// Some servers send only the name.
const owner = object(['name'], {
  id: integerOrNull(idSchema),
  name: nameSchema,
});

const { name, url } = softwareSchema.properties;

/** Software as a plugin refers to it; some servers send only its id. */
export const softwareReferenceShape = object(['id'], { id: idSchema, name, url });

/** The id of an element, so that an element with another fault can still be found by id. */
export const identifiedShape = object(['id'], { id: idSchema });

/** An element of the plugin list. */
export const listedPluginShape = object(['id', 'owner', 'software'], {
  id: idSchema,
  owner,
  software: softwareReferenceShape,
  isGlobal: booleanSchema,
});

/** Element of the software list; the global plugin has many forms. */
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

/** A chart; its settings are not checked here. */
export const chartShape = object(['uid', 'type', 'position', 'title', 'isDefault'], {
  uid,
  type,
  position,
  title,
  isDefault,
  data: {},
});

const timeOrNull = integerOrNull(timestampSchema);

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
