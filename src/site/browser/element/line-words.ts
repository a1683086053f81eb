/** The points of a line in words, for the cursor. */
import { formatDateTime, formatDay, formatExact } from '../../../draw/format.ts';
import type { LinesLayout } from '../../../draw/line/line-layout.ts';
import { dayMs } from '../../../model/window.ts';
import type { LineReading } from './line-data.ts';
import type { ReadableChart } from './time-cursor.ts';
import type { TipWords } from './tip.ts';

/** A drawn line as the cursor reads it. `settings` are those of its chart. */
export function readableLine(layout: LinesLayout, reading: LineReading, settings: unknown): ReadableChart {
  const { points, band } = reading;
  return {
    layout,
    times: points.timestamps,
    stepMs: band?.step.ms ?? 0,
    yAt: (index) => layout.lines[0]?.yAt(points.values[index] ?? 0),
    wordsAt: (index) => wordsAt(reading, settings, index),
  };
}

/** A point in words: its value and its time; of a step its mean, its day or days, its lowest and its highest value. */
function wordsAt({ points, band }: LineReading, settings: unknown, index: number): TipWords {
  const timestamp = points.timestamps[index] ?? 0;
  const value = points.values[index] ?? 0;
  // The decimals of a mean of hundreds say nothing.
  const strong = valueWords(
    band !== undefined && Math.abs(value) >= 100 ? Math.round(value) : value,
    settings,
  );
  if (band === undefined) return { strong, rest: [formatDateTime(timestamp)] };
  const { step, lows, highs } = band;
  const last = timestamp + step.ms - 1;
  const days = formatDay(timestamp) + (step.ms > dayMs ? ` to ${formatDay(last)}` : '');
  const between = `${formatExact(lows[index] ?? 0)} to ${formatExact(highs[index] ?? 0)}`;
  return { strong, rest: [days, `${step.mean}, ${between}`] };
}

/** A value with its unit, if the settings of the chart have one: 3,883 players. */
function valueWords(value: number, settings: unknown): string {
  const unit = unitOf(settings);
  return `${formatExact(value)}${unit === '' ? '' : ` ${unit}`}`;
}

/** The name of the line as a unit; '' for an identifier, and for a name that is too long to hear each time. */
function unitOf(settings: unknown): string {
  if (typeof settings !== 'object' || settings === null || !('lineName' in settings)) return '';
  const { lineName } = settings;
  const isWords = typeof lineName === 'string' && /^\p{L}[\p{L} ]{0,29}$/u.test(lineName);
  return isWords ? lineName.toLowerCase() : '';
}
