/** Parses timestamps of CSV files: ISO 8601, Unix seconds or Unix milliseconds, the same form in a whole file. */
import { AppError, quote } from '../../model/app-error.ts';
import { parseIsoTime } from '../../model/iso-time.ts';
import { maxTimestamp } from '../../model/points.ts';

/** The unit of a timestamp that is a number: seconds or milliseconds. */
export type TimeUnit = 's' | 'ms';

type Form = 'ISO 8601' | 'Unix seconds' | 'Unix milliseconds';

// 10 digits of seconds and 13 digits of milliseconds mean the same times, 2001-09-09 to 2286-11-20. In the other unit they would
// be times in 1970 and after the year 33,000.
const secondsDigits = /^[1-9]\d{9}$/;
const millisecondsDigits = /^[1-9]\d{12}$/;

/**
 * Makes a parser of timestamps for one file, in which all must have the form of the first. It returns Unix milliseconds, and
 * throws AppError `invalid` for a text that is no timestamp, has another form, or has no certain unit.
 */
export function timestampParser(unit: TimeUnit | undefined): (text: string) => number {
  const numberForm = unit === undefined ? undefined : formOfUnit(unit);
  let expected = numberForm;
  return (text) => {
    const form = /^\d+$/.test(text) ? (numberForm ?? formOfDigits(text)) : 'ISO 8601';
    const timestamp =
      form === 'ISO 8601' ? parseIso(text) : Number(text) * (form === 'Unix seconds' ? 1000 : 1);
    expected ??= form;
    if (form !== expected) {
      const rule = `timestamp must be ${expected}, as ${unit === undefined ? 'before' : '--time-unit says'}`;
      throw new AppError('invalid', `${rule}; got ${form}, ${quote(text)}`);
    }
    if (timestamp >= 0 && timestamp <= maxTimestamp) return timestamp;
    throw new AppError(
      'invalid',
      `timestamp must be from 1970 on, and at most ${maxTimestamp} Unix milliseconds; got ${quote(text)}`,
    );
  };
}

function formOfUnit(unit: TimeUnit): Form {
  return unit === 's' ? 'Unix seconds' : 'Unix milliseconds';
}

function formOfDigits(text: string): Form {
  if (secondsDigits.test(text)) return 'Unix seconds';
  if (millisecondsDigits.test(text)) return 'Unix milliseconds';
  throw new AppError(
    'invalid',
    `timestamp may be seconds or milliseconds, as it has not 10 or 13 digits; --time-unit s or ms says which; got ${quote(text)}`,
  );
}

/**
 * Parses ISO 8601 as Unix milliseconds; a date alone means midnight in UTC.
 * @throws AppError `invalid`.
 */
function parseIso(text: string): number {
  const time = parseIsoTime(text);
  if (time === undefined) throw notTimestamp(text);
  if (time.isCertain) return time.timestamp;
  const message = `timestamp must end with Z for UTC, or with an offset such as +02:00; got ${quote(text)}`;
  throw new AppError('invalid', message);
}

function notTimestamp(text: string): AppError {
  return new AppError(
    'invalid',
    `timestamp must be ISO 8601 such as 2026-11-20T12:30:00Z or 2026-11-20, Unix seconds or Unix milliseconds; got ${quote(text)}`,
  );
}
