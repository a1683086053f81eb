/** Events: something that happened to a plugin, such as a release. */

import { timestampSchema } from './data-shapes.ts';
import { nameSchema } from './identifier.ts';

/** An event. One with the same time and title is the same event. */
export interface PluginEvent {
  /** Unix milliseconds. */
  readonly time: number;
  readonly title: string;
  /** Address of a page about it. */
  readonly url: string | null;
}

/** The fields of an event. */
export const eventProperties = {
  time: timestampSchema,
  title: nameSchema,
  url: {
    type: ['string', 'null'],
    pattern: '^https?://[^\\s\\p{Cc}\\p{Cs}/][^\\s\\p{Cc}\\p{Cs}]{0,1990}$',
    description: 'null, or a URL of at most 2,000 characters that begins with http:// or https://',
  },
} as const;
