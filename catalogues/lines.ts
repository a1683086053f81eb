/** Values of lines as counts of servers and players have them: daily and weekly rhythm, slow drift, noise. */
import { createRandom } from './random.ts';
import type { JsonText } from './records.ts';

/** A point of a line: Unix milliseconds, and the value or its text. */
export type Point<Value = number> = readonly [timestampMs: number, value: Value];

/** Half-hours of a day. */
export const slotsPerDay = 48;

/** Half an hour, the time between two points. */
export const slotMs = 30 * 60 * 1000;

/** The shape of a count of servers or players. */
export interface CountShape {
  readonly seed: string;
  /** The value around which the line starts. */
  readonly level: number;
  /** Difference between day and night, as a share of `level`. */
  readonly dailySwing: number;
  /** Difference between workdays and weekend, as a share of `level`. */
  readonly weeklySwing: number;
  /** Hour (UTC) of the daily peak. */
  readonly peakHour: number;
}

// By hours after the peak. The table replaces a sine, which engines may round differently.
const dailyRhythm = [
  1, 0.9, 0.7, 0.4, 0.05, -0.3, -0.55, -0.75, -0.9, -1, -1, -0.95, -0.8, -0.6, -0.4, -0.2, -0.05, 0.1, 0.25,
  0.4, 0.55, 0.7, 0.85, 0.95,
];

// From Friday, the first day, to Thursday.
const weeklyRhythm = [0.2, 1, 0.8, -0.5, -0.6, -0.5, -0.4];

/** Position of a slot in the rhythm of its day, from -1 (the quietest hour) to 1 (`peakHour`). */
export function dailyShareAt(slot: number, peakHour: number): number {
  return interpolate(dailyRhythm, slot / 2 + 24 - peakHour);
}

/**
 * Makes a function that counts at one slot after the other: whole numbers, never below zero, noise about the
 * square root. `growth` is the level there, as a share of that of the shape.
 */
export function countsOf(shape: CountShape): (slot: number, growth: number) => number {
  const random = createRandom(shape.seed);
  let drift = 0;
  return (slot, growth) => {
    const rhythm =
      shape.dailySwing * dailyShareAt(slot, shape.peakHour) +
      shape.weeklySwing * interpolate(weeklyRhythm, slot / slotsPerDay);
    const expected = shape.level * growth * (1 + rhythm);
    drift = 0.985 * drift + 0.12 * random.bell();
    return Math.max(0, Math.round(expected + (drift + 0.7 * random.bell()) * Math.sqrt(expected)));
  };
}

/** Renders points as the data of `data` records of so many points each. */
export function pointTexts(points: readonly Point<number | string>[], perRecord: number): JsonText[] {
  return Array.from({ length: Math.ceil(points.length / perRecord) }, (_, record) => {
    const some = points.slice(record * perRecord, (record + 1) * perRecord);
    return `[${some.map(([time, value]) => `[${time},${value}]`).join()}]`;
  });
}

/** Interpolates in a table that repeats itself, also before its beginning. */
function interpolate(table: readonly number[], at: number): number {
  const left = Math.floor(at);
  const [from = 0, to = 0] = [left, left + 1].map((index) => table.at(index % table.length));
  return from + (to - from) * (at - left);
}
