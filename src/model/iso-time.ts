/** Times in ISO 8601. */

const pattern =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,3})0*)?)? ?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** A time in Unix milliseconds. */
export interface IsoTime {
  readonly timestamp: number;
  /** False for a time of day without Z or an offset, which is taken as UTC. A date alone is midnight in UTC. */
  readonly isCertain: boolean;
}

/** Parses a date, or a date with a time of day; undefined for anything else, and for a day or an hour that does not exist. */
export function parseIsoTime(text: string): IsoTime | undefined {
  const [, date, minutes, seconds = '00', fraction = '', zone] = pattern.exec(text) ?? [];
  if (date === undefined || (minutes === undefined && text.length > date.length)) return undefined;
  const utc = `${date}T${minutes ?? '00:00'}:${seconds}.${fraction.padEnd(3, '0')}Z`;
  const local = Date.parse(utc);
  // Date.parse accepts the 30th of February, as the 2nd of March.
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
