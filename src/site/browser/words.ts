/** Words of the custom element. */
import { formatExact } from '../../draw/format.ts';

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
