/** Times on the command line: a date, a time of day, an age, a duration. */
import { AppError } from '../model/app-error.ts';
import { parseIsoTime } from '../model/iso-time.ts';
import { maxTimestamp } from '../model/points.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Parses ISO 8601, or an age in days such as `90d`, as Unix milliseconds.
 * @throws AppError `invalid`.
 */
export function parseDate(text: string, now: number): number {
  const timestamp = findDate(text, now);
  if (timestamp !== undefined) return timestamp;
  throw new AppError(
    'invalid',
    `it must be a date such as 2024-01-31, a time with Z or an offset ${timeForms}`,
  );
}

/**
 * Parses a time that is not after now: as `parseDate`.
 * @throws AppError `invalid`.
 */
export function parsePastDate(text: string, now: number): number {
  const timestamp = parseDate(text, now);
  if (timestamp <= now) return timestamp;
  throw new AppError(
    'invalid',
    `it must not be after now (${new Date(now).toISOString()}), as --after DATE alone removes what lies in the future`,
  );
}

/**
 * Parses a time from 1970 on: as `parseDate`, or as Unix milliseconds. A number of fewer than 12 digits is refused, because it may be
 * seconds.
 * @throws AppError `invalid`.
 */
export function parseTime(text: string, now: number): number {
  const timestamp = /^\d{12,16}$/.test(text) ? Number(text) : findDate(text, now);
  if (timestamp !== undefined && timestamp >= 0 && timestamp <= maxTimestamp) return timestamp;
  throw new AppError(
    'invalid',
    `it must be a date from 1970 on such as 2024-01-31, a time with Z or an offset ${timeForms}, or Unix milliseconds such as 1706702400000`,
  );
}

const timeForms = 'such as 2024-01-31T12:00:00Z, or an age in days such as 90d';

function findDate(text: string, now: number): number | undefined {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return now - Number(days) * dayMs;
  const time = parseIsoTime(text);
  return time?.isCertain === true ? time.timestamp : undefined;
}

/**
 * Parses `30m`, `12h` or `1d` as milliseconds.
 * @throws AppError `invalid`.
 */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (unit === 'm' ? 1 : unit === 'h' ? 60 : 1440) * minuteMs;
  if (count !== '' && ms >= minuteMs && ms <= 366 * dayMs) return ms;
  throw new AppError('invalid', 'it must be a duration from 1m to 366d, such as 30m, 12h or 1d');
}
