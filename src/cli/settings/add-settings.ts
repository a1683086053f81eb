/** The settings of the commands that add one thing to the store. */
import { AppError } from '../../model/app-error.ts';
import { nameSchema } from '../../model/identifier.ts';
import { eventProperties } from '../../model/plugin-event.ts';
import { parseTime } from '../date.ts';
import { shownValue } from '../password-text.ts';
import type { SettingsTable } from './setting.ts';
import { allowFutureSetting, changeSettings } from './settings.ts';

/** The settings of `add event`. */
export const addEventSettings = {
  ...changeSettings,
  title: {
    placeholder: 'TITLE',
    help: 'what happened, such as the version of a release; must be given',
    parse: parseTitle,
  },
  time: {
    placeholder: 'TIME',
    help: 'when it happened: 2024-01-31, 2024-01-31T12:00:00Z, 90d for 90 days ago, or Unix milliseconds; now unless given',
    parse: (text) => parseTime(text, Date.now()),
  },
  url: {
    placeholder: 'URL',
    help: 'the address of a page about it, http or https; none unless given',
    parse: parseEventUrl,
  },
  allowFuture: allowFutureSetting,
} satisfies SettingsTable;

function parseTitle(text: string): string {
  if (new RegExp(nameSchema.pattern, 'u').test(text)) return text;
  throw new AppError('invalid', `it must be ${nameSchema.description}, got ${shownValue(text)}`);
}

function parseEventUrl(text: string): string {
  if (new RegExp(eventProperties.url.pattern, 'u').test(text)) return text;
  throw new AppError(
    'invalid',
    `it must be a URL of at most 2,000 characters that begins with http:// or https://, got ${shownValue(text)}`,
  );
}
