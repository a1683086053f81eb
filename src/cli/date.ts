/** Times on the command line: a date, a time of day, an age, a duration. */
import { parseIso } from '../archive/csv/timestamps.ts';
import { AppError } from '../model/app-error.ts';
import { shownValue } from './password-text.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Parses ISO 8601, or an age in days such as `90d`, as Unix milliseconds.
 * @throws AppError `invalid`.
 */
export function parseDate(text: string, now: number): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return now - Number(days) * dayMs;
  try {
    return parseIso(text);
  } catch (cause) {
    throw new AppError(
      'invalid',
      `it must be a date such as 2024-01-31, a time with Z or an offset such as 2024-01-31T12:00:00Z, or an age in days such as 90d, got ${shownValue(text)}`,
      { cause },
    );
  }
}

/**
 * Parses `30m`, `12h` or `1d` as milliseconds.
 * @throws AppError `invalid`.
 */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (unit === 'm' ? 1 : unit === 'h' ? 60 : 1440) * minuteMs;
  if (count !== '' && ms >= minuteMs && ms <= 366 * dayMs) return ms;
  throw new AppError(
    'invalid',
    `it must be a duration from 1m to 366d, such as 30m, 12h or 1d, got ${shownValue(text)}`,
  );
}
