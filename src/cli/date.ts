/** A time on the command line: a date, a time of day, or an age. */
import { readIso } from '../archive/csv/timestamps.ts';
import { AppError } from '../model/app-error.ts';
import { shownValue } from './password-text.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Reads ISO 8601, or an age in days such as `90d`, as Unix milliseconds.
 * @throws AppError `invalid`.
 */
export function parseDate(text: string, now: number): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return now - Number(days) * dayMs;
  try {
    return readIso(text);
  } catch (cause) {
    throw new AppError(
      'invalid',
      `it must be a date such as 2024-01-31, a time with Z or an offset such as 2024-01-31T12:00:00Z, or an age in days such as 90d, got ${shownValue(text)}`,
      { cause },
    );
  }
}
