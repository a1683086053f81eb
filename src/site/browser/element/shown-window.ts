/** The window of time that a chart shows. */
import { isRange, type Range, rangeMs } from '../../../draw/range.ts';
import { parseIsoTime } from '../../../model/iso-time.ts';
import type { ChartSpan } from './known-plugin.ts';

/** A range counted back from the newest point, or two times in Unix milliseconds: `from` is in the window, `to` is not. */
export type ShownWindow = { readonly range: Range } | TimeSpan;

/** A window by its ends. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The window that attributes or parameters name; `30d` unless they name one. */
export function windowOf(read: (name: 'range' | 'from' | 'to') => string | null): ShownWindow {
  const from = timeOf(read('from'));
  const to = timeOf(read('to'));
  if (from < to) return { from, to };
  const range = read('range');
  return { range: range !== null && isRange(range) ? range : '30d' };
}

/** A time in ISO 8601 or in Unix milliseconds; NaN for anything else. */
function timeOf(text: string | null): number {
  if (text === null) return Number.NaN;
  return /^\d{1,15}$/.test(text) ? Number(text) : (parseIsoTime(text)?.timestamp ?? Number.NaN);
}

/** Compares windows. */
export function isSameWindow(a: ShownWindow, b: ShownWindow): boolean {
  if ('range' in a || 'range' in b) return 'range' in a && 'range' in b && a.range === b.range;
  return a.from === b.from && a.to === b.to;
}

/** The ends of a window over a chart with these first and last times. A range is cut where the chart begins. */
export function windowEnds(window: ShownWindow, { first, last }: ChartSpan): TimeSpan {
  if ('from' in window) return window;
  return { from: Math.max(first, last - rangeMs(window.range)), to: last + 1 };
}
