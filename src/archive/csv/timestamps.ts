/**
 * Parses the timestamps of CSV files: dates, Unix seconds or Unix milliseconds; a file must use one form
 * throughout.
 */
import { AppError, quote } from '../../model/app-error.ts';
import { parseIsoTime } from '../../model/iso-time.ts';
import { maxTimestamp } from '../../model/window.ts';

/** Unit of numeric timestamps: seconds or milliseconds. */
export type TimeUnit = 's' | 'ms';

/** Order of day and month. */
export type DateOrder = 'dmy' | 'mdy';

/** Options for parsing timestamps. */
export interface TimestampOptions {
  /** Unit of numeric timestamps; by default inferred from the number of digits. */
  readonly timeUnit?: TimeUnit | undefined;
  /**
   * Order of day and month in dates that do not begin with the year; such dates are refused if it is
   * undefined.
   */
  readonly dates?: DateOrder | undefined;
  /** Time zone of dates and times without one: an IANA name or an offset; UTC by default. */
  readonly zone?: string | undefined;
}

type Form = 'a date' | 'Unix seconds' | 'Unix milliseconds';

// 10 digits in seconds and 13 digits in milliseconds both cover 2001-09-09 to 2286-11-20. Read in the other
// unit, they would fall into 1970 or beyond the year 33,000.
const secondsDigits = /^[1-9]\d{9}$/;
const millisecondsDigits = /^[1-9]\d{12}$/;

/**
 * Makes a timestamp parser for one file; the first timestamp fixes the form of all. The parser returns Unix
 * milliseconds, and throws AppError `invalid` if a text is not a timestamp, has another form or is ambiguous.
 */
export function timestampParser({ timeUnit, ...options }: TimestampOptions): (text: string) => number {
  const numberForm = timeUnit === undefined ? undefined : formOfUnit(timeUnit);
  let expected = numberForm;
  return (text) => {
    const form = /^\d+$/.test(text) ? (numberForm ?? formOfDigits(text)) : 'a date';
    const timestamp =
      form === 'a date' ? parseDate(text, options) : Number(text) * (form === 'Unix seconds' ? 1000 : 1);
    expected ??= form;
    if (form !== expected) {
      const rule = `timestamp must be ${expected}, as ${timeUnit === undefined ? 'before' : '--time-unit says'}`;
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

/** Parses a date, with or without a time of day. @throws AppError `invalid`. */
function parseDate(text: string, { dates, zone = 'UTC' }: Omit<TimestampOptions, 'timeUnit'>): number {
  const isoText = parseIsoTime(text) === undefined ? isoTextOf(text, dates) : text;
  const time = isoText === undefined ? undefined : parseIsoTime(isoText);
  if (isoText === undefined || time === undefined) throw notTimestamp(text, dates);
  const isDay = !isoText.includes(':');
  if ((time.isCertain && !isDay) || zone === 'UTC') return time.timestamp;
  const wall = Temporal.Instant.fromEpochMilliseconds(time.timestamp)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime();
  try {
    // Where clocks change at midnight, this is the first existing time of the day.
    const zoned = isDay
      ? wall.toPlainDate().toZonedDateTime(zone)
      : wall.toZonedDateTime(zone, { disambiguation: 'reject' });
    return zoned.epochMilliseconds;
  } catch (error) {
    const message = `clocks in ${zone} skip this time or show it twice: write it with an offset, such as +02:00; got ${quote(text)}`;
    throw new AppError('invalid', message, { cause: error });
  }
}

// The year comes first, or last with two or four digits. Some countries write 20. 11. 2026 or 2026.11.20.,
// and 14.30 or 2:30 p. m.
const datePattern =
  /^(?:(\d{4})([-/]|\.\s?)(\d\d?)\2(\d\d?)|(\d\d?)([-/]|\.\s?)(\d\d?)\6(\d{4}|\d\d))\.?(?:(?:[Tt]|,?\s+)(\d\d?)[:.](\d\d)(?:[:.](\d\d)(?:[.,](\d+))?)?(?:\s*([AaPp])\.?\s?[Mm]\.?)?\s*([Zz]|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/;

/** Converts a date in another form to ISO 8601. */
function isoTextOf(text: string, dates: DateOrder | undefined): string | undefined {
  const parts = datePattern.exec(text);
  if (parts === null) return undefined;
  const [, year, , month = '', day = '', first = '', , second = '', lastYear = ''] = parts;
  const [, hour, minute, seconds = '00', fraction = '0', half, zone = ''] = parts.slice(8);
  if (year === undefined && dates === undefined) return undefined;
  const [d, m] = dates === 'dmy' ? [first, second] : [second, first];
  const century = lastYear.length === 4 ? '' : Number(lastYear) < 70 ? '20' : '19';
  const date =
    year === undefined
      ? `${century}${lastYear}-${twoDigits(m)}-${twoDigits(d)}`
      : `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  if (hour === undefined) return date;
  const hours = half === undefined ? Number(hour) : hourOf(Number(hour), half);
  return `${date}T${twoDigits(hours)}:${minute}:${seconds}.${fraction}${zone.replace(/UTC|GMT/, 'Z')}`;
}

/** Converts a 12-hour clock to 24 hours; NaN outside 1 to 12. */
function hourOf(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (/p/i.test(half) ? 12 : 0);
}

function twoDigits(number: string | number): string {
  return String(number).padStart(2, '0');
}

function notTimestamp(text: string, dates: DateOrder | undefined): AppError {
  const parts = datePattern.exec(text);
  const said =
    dates === undefined && parts !== null && parts[1] === undefined
      ? 'timestamp may have the day or the month first; --dates dmy or --dates mdy says which'
      : `timestamp must be ISO 8601 such as 2026-11-20T12:30:00Z or 2026-11-20, Unix seconds or Unix milliseconds${dates === undefined ? '' : `, or a date as --dates ${dates} says`}`;
  return new AppError('invalid', `${said}; got ${quote(text)}`);
}
