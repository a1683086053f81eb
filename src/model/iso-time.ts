/** Times as people and programs write them: ISO 8601 or Unix milliseconds. */

const pattern =
  /^((?:\d{4}|\+\d{6})-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,3})\d*)?)? ?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** A time in Unix milliseconds. */
export interface IsoTime {
  readonly timestamp: number;
  /**
   * False for a time of day without Z or an offset, which is read as UTC. A date without a time of day is
   * midnight in UTC.
   */
  readonly isCertain: boolean;
}

/** Start of the year 10000, the limit for times in queries and URLs. */
export const endOfTimes = 253_402_300_800_000;

/**
 * Parses a time in ISO 8601, or digits as Unix milliseconds. Fewer than twelve digits (except `0`) are
 * undefined, because they are probably something else; {@link digitsHint} explains what.
 */
export function parseTime(text: string): IsoTime | undefined {
  return /^(?:0|\d{12,16})$/.test(text) ? { timestamp: Number(text), isCertain: true } : parseIsoTime(text);
}

/** Explains what too few digits look like, and how to write the time; undefined for other texts. */
export function digitsHint(text: string): string | undefined {
  if (parseTime(text) !== undefined || !/^\d{1,11}$/.test(text)) return undefined;
  if (text.length === 4) return `which looks like a year: write ${text}-01-01`;
  const date = text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  if (text.length === 8) return `which looks like a day without hyphens: write ${date}`;
  return `which looks like seconds: write ${new Date(Number(text) * 1000).toISOString()}`;
}

/**
 * Parses a date, with or without a time of day, of which less than a millisecond is left out; undefined for
 * any other text, and for a day or hour that does not exist.
 */
export function parseIsoTime(text: string): IsoTime | undefined {
  const [, date, minutes, seconds = '00', fraction = '', zone] = pattern.exec(text) ?? [];
  if (date === undefined || (minutes === undefined && text.length > date.length)) return undefined;
  const utc = `${date}T${minutes ?? '00:00'}:${seconds}.${fraction.padEnd(3, '0')}Z`;
  const local = Date.parse(utc);
  // Date.parse reads 30 February as 2 March.
  if (Number.isNaN(local) || new Date(local).toISOString() !== utc) return undefined;
  const offset = offsetMs(zone);
  if (offset === undefined) return undefined;
  return { timestamp: local - offset, isCertain: minutes === undefined || zone !== undefined };
}

function offsetMs(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2)) * (zone.length > 3 ? 1 : 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * 60_000 * (zone.startsWith('-') ? -1 : 1);
}
