/** Parses timestamps of CSV files: dates, Unix seconds or Unix milliseconds, the same form in a whole file. */
import { AppError, quote } from '../../model/app-error.ts';
import { parseIsoTime } from '../../model/iso-time.ts';
import { maxTimestamp } from '../../model/window.ts';

/** The unit of a timestamp that is a number: seconds or milliseconds. */
export type TimeUnit = 's' | 'ms';

/** The order of day and month. */
export type DateOrder = 'dmy' | 'mdy';

/** The rules for timestamps. */
export interface TimestampOptions {
  /** Unit of timestamps that are numbers; by default recognized by the number of digits. */
  readonly timeUnit?: TimeUnit | undefined;
  /** The order of day and month in dates that do not begin with the year; without it they are refused. */
  readonly dates?: DateOrder | undefined;
  /** The time zone of dates and of times that name none: an IANA name, or an offset. UTC by default. */
  readonly zone?: string | undefined;
}

type Form = 'a date' | 'Unix seconds' | 'Unix milliseconds';

// 10 digits of seconds and 13 digits of milliseconds mean the same times, 2001-09-09 to 2286-11-20. In the other unit they would
// be times in 1970 and after the year 33,000.
const secondsDigits = /^[1-9]\d{9}$/;
const millisecondsDigits = /^[1-9]\d{12}$/;

/**
 * Makes a parser of timestamps for one file, in which all must have the form of the first. It returns Unix milliseconds, and
 * throws AppError `invalid` for a text that is no timestamp, has another form, or may mean several times.
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

/** Parses a date with or without a time of day. @throws AppError `invalid`. */
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
    // The first moment of a day, where clocks change at midnight.
    const zoned = isDay
      ? wall.toPlainDate().toZonedDateTime(zone)
      : wall.toZonedDateTime(zone, { disambiguation: 'reject' });
    return zoned.epochMilliseconds;
  } catch (error) {
    const message = `clocks in ${zone} skip this time or show it twice: write it with an offset, such as +02:00; got ${quote(text)}`;
    throw new AppError('invalid', message, { cause: error });
  }
}

// The year first, or last with two or four digits; 20. 11. 2026 and 2026.11.20. are usual in some countries, as are 14.30 and 2:30 p. m.
const datePattern =
  /^(?:(\d{4})([-/]|\.\s?)(\d\d?)\2(\d\d?)|(\d\d?)([-/]|\.\s?)(\d\d?)\6(\d{4}|\d\d))\.?(?:(?:[Tt]|,?\s+)(\d\d?)[:.](\d\d)(?:[:.](\d\d)(?:[.,](\d+))?)?(?:\s*([AaPp])\.?\s?[Mm]\.?)?\s*([Zz]|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/;

/** Writes a date of another form in ISO 8601. */
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

/** An hour of 24 from one of 12; NaN for 0 and for more than 12. */
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
