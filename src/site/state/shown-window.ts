/** The window of time that charts show, in URLs and attributes. */

import { rangeWords } from '../../draw/format.ts';
import { historyStep, timeStep } from '../../draw/time-step.ts';
import { AppError } from '../../model/app-error.ts';
import { endOfTimes } from '../../model/iso-time.ts';
import { anyTime, oneOf, type Parameter, parseParameter, type Query } from '../../model/parameter.ts';
import {
  type DataWindow,
  dayMs,
  lengthOf,
  type Period,
  type RangeName,
  rangeNames,
  ranges,
} from '../../model/window.ts';
import type { Field } from './fields.ts';

/** Default range of most pages and pictures. */
export const usualRange: RangeName = '30d';

/** Makes a field with `range`, or `from` and `to`. */
export function windowField(usual = usualRange): Field<Period> {
  return {
    read(query, _, refuse) {
      const read = <Value>(name: string, parameter: Parameter<Value>) =>
        parseParameter<Value | undefined>(query, name, { parameter, fallback: undefined, refuse });
      const [from, to] = [read('from', anyTime), read('to', anyTime)];
      const range = read('range', oneOf(rangeNames));
      const isWindow = from !== undefined && to !== undefined && from < to;
      const isRange = from === undefined && to === undefined;
      if (!(isRange || (isWindow && range === undefined))) {
        const message =
          from !== undefined && to !== undefined && range === undefined
            ? `a window must begin before it ends: from is ${timeText(from)}, to is ${timeText(to)}`
            : 'a window is either range, or from and a later to';
        const error = new AppError('malformed-query', message);
        if (refuse === undefined) throw error;
        refuse(error);
      }
      return isWindow ? { from, to } : (range ?? usual);
    },
    write: (period) => (period === usual ? {} : windowParameters(period)),
  };
}

/** Finds the error of `from` and `to`; undefined if they are a window, or both missing. */
export function findWrongTime({ range: _, ...times }: Query): AppError | undefined {
  const errors: AppError[] = [];
  windowField().read(times, '', (error) => errors.push(error));
  return errors[0];
}

/** Formats a time as briefly as possible: `2026-06-30`, `2026-06-30T12:30Z`. */
function timeText(time: number): string {
  return new Date(Math.min(time, endOfTimes - 1))
    .toISOString()
    .replace(/\.000Z$/, 'Z')
    .replace(/:00Z$/, 'Z')
    .replace(/T00:00Z$/, '');
}

/** Returns the parameters of a window, including the default. */
export function windowParameters(
  window: Period,
): { readonly range: RangeName } | { readonly from: string; readonly to: string } {
  return typeof window === 'string'
    ? { range: window }
    : { from: timeText(window.from), to: timeText(window.to) };
}

/** Returns the dates of a window, for fields without times of day; empty for a range. */
export function windowDates(window: Period): Readonly<Record<'from' | 'to', string>> {
  if (typeof window === 'string') return { from: '', to: '' };
  const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const lastDate = endOfTimes - 1;
  return { from: dateOf(window.from), to: dateOf(Math.min(window.to + dayMs - 1, lastDate)) };
}

/** The window of charts that is no range, in words. */
export function windowWords(window: Period): string {
  return typeof window === 'string' ? '' : rangeWords(window, { timestamp: Number.NaN });
}

/**
 * Describes the mean that charts of shares use over time; empty for current data.
 * @param lengthMs time that the longest chart spans.
 */
export function meanWords(
  { window, view }: { readonly window: Period; readonly view: string },
  { lengthMs, width }: { readonly lengthMs: number; readonly width: number },
): string {
  if (view === 'now') return '';
  const shownMs = typeof window === 'string' ? Math.min(ranges[window], lengthMs) : lengthOf(window);
  return timeStep(historyStep(shownMs, width)).mean;
}

/** Returns the URL of the series of a chart between two times. `chart` is `1337:players`, percent-encoded. */
export function seriesPath(chart: string, { from, to }: DataWindow): string {
  return `/api/v2/series?charts=${chart}&from=${timeText(from)}&to=${timeText(to)}`;
}
