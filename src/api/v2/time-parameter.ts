/** Times in queries. */
import type { Parameter } from '../../http/query-parameter.ts';
import { parseIsoTime } from '../../model/iso-time.ts';

/** The year 10000. */
const endOfTimes = 253_402_300_800_000;

/** A query parameter that is a time, in Unix milliseconds once it is parsed. */
export const timeParameter: Parameter<number> = {
  allowed:
    'a date such as 2026-01-31, a time such as 2026-01-31T12:00:00Z (UTC without a zone), or Unix milliseconds, from the year 1970 to the year 9999',
  parse: (text) => {
    // A plus sign in a query is a space.
    const timestamp = /^\d{1,15}$/.test(text)
      ? Number(text)
      : parseIsoTime(text.replace(' ', '+'))?.timestamp;
    const isWithin = timestamp !== undefined && timestamp >= 0 && timestamp < endOfTimes;
    return isWithin ? timestamp : undefined;
  },
};
