/** Parses the window of time that is shown from the query of an address. */

import { type Parameter, parseParameter, type Query } from '../../http/query-parameter.ts';
import { AppError } from '../../model/app-error.ts';
import { type Period, type Range, rangeNames } from '../../model/window.ts';
import { parseChoice } from '../address/query-parameters.ts';
import { parseWindowTime, windowParameters } from '../state/shown-window.ts';

/**
 * Parses `range`, or `from` and `to`; `fallback` if all are left out.
 * @throws AppError `invalid` for a value that is not allowed, and for a window that is not one.
 */
export function parseWindow(query: Query, fallback: Range = '30d'): Period {
  const [from, to] = ['from', 'to'].map((name) =>
    parseParameter<number | undefined>(query, name, { parameter: timeParameter, fallback: undefined }),
  );
  const range = parseChoice(query, 'range', { words: rangeNames, fallback: undefined });
  if (from === undefined && to === undefined) return range ?? fallback;
  if (range !== undefined) throw malformedWindow('a window has either range, or from and to, not both');
  if (from === undefined || to === undefined)
    throw malformedWindow(`a window has both from and to; got ${from === undefined ? 'to' : 'from'} alone`);
  const window = { from, to };
  if (from < to) return window;
  const given = windowParameters(window);
  throw malformedWindow(`from must be before to; got from ${given.from} and to ${given.to}`);
}

const timeParameter: Parameter<number> = {
  allowed:
    'a date such as 2026-01-31, a time such as 2026-01-31T12:00Z, or Unix milliseconds, from the year 1970 to the year 9999',
  parse: parseWindowTime,
};

function malformedWindow(message: string): AppError {
  return new AppError('invalid', message, { kind: 'malformed-query' });
}
