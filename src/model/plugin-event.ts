/** Events: things that happen to a plugin, such as releases. */

import { nameSchema } from './catalogue.ts';
import { timestampSchema } from './forms/schemas.ts';

/** An event, identified by its time and title. */
export interface PluginEvent {
  /** Unix milliseconds. */
  readonly time: number;
  readonly title: string;
  /** URL of a page about the event. */
  readonly url: string | null;
}

/** Schemas of the fields of an event. */
export const eventProperties = {
  time: timestampSchema,
  title: nameSchema,
  url: {
    type: ['string', 'null'],
    pattern: '^https?://[^\\s\\p{Cc}\\p{Cs}/][^\\s\\p{Cc}\\p{Cs}]{0,1990}$',
    description: 'null, or a URL of at most 2,000 characters that begins with http:// or https://',
  },
} as const;
