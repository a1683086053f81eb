/** Words of the custom element. */
import { formatExact } from '../../draw/format.ts';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

/** A moment, as it is read out: 12 November 2026, 14:00 UTC. */
export function longTime(timestamp: number): string {
  return `${date.format(timestamp)}, ${time.format(timestamp)} UTC`;
}

/** A value with what it counts, where the settings of the chart say that: 3,883 players. */
export function valueWords(value: number, settings: unknown): string {
  const unit = unitOf(settings);
  return `${formatExact(value)}${unit === '' ? '' : ` ${unit}`}`;
}

/** The name of the line; not where it is an identifier or too long to be read each time. */
function unitOf(settings: unknown): string {
  if (typeof settings !== 'object' || settings === null || !('lineName' in settings)) return '';
  const { lineName } = settings;
  const isWords = typeof lineName === 'string' && /^\p{L}[\p{L} ]{0,29}$/u.test(lineName);
  return isWords ? lineName.toLowerCase() : '';
}
