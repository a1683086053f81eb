// Two months of half-hourly points, and for some lines a point each six hours of the time before: daily and weekly rhythm, slow
// drift, noise, missing slots.
import { type JsonText, lineSettings, type Point, type SampleChart } from './chart.ts';
import { createRandom, type Random } from './random.ts';

/** The first moment of the sample, in Unix milliseconds: a Friday, midnight UTC. */
export const firstTimestampMs = Date.UTC(2026, 4, 1);

/** The first moment of the lines and histories that go further back. */
export const pastStartMs = Date.UTC(2024, 6, 1);

const slotsPerDay = 48;
const slotCount = 61 * slotsPerDay;
const slotMs = 30 * 60 * 1000;
/** The last moment of the sample: a Tuesday, 23:30 UTC. */
export const lastTimestampMs = firstTimestampMs + (slotCount - 1) * slotMs;

const pastSlots = (firstTimestampMs - pastStartMs) / slotMs;
const slotsPerPastPoint = slotsPerDay / 4;
const pointsPerRecord = 7 * slotsPerDay;

/** Days on which nothing was collected, counted from the first day of the sample. */
const pastOutage = { firstDay: -441, lastDay: -438 } as const;

/** The shape of a count of servers or players. */
export interface CountShape {
  readonly seed: string;
  /** The value around which the line starts. */
  readonly level: number;
  /** Growth over the two months, as a share of `level`. */
  readonly growth: number;
  /** Difference between day and night, as a share of `level`. */
  readonly dailySwing: number;
  /** Difference between workdays and weekend, as a share of `level`. */
  readonly weeklySwing: number;
  /** Hour (UTC) of the daily peak. */
  readonly peakHour: number;
  /** Slots without a point. */
  readonly missingSlots: ReadonlySet<number>;
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

/** Makes the points of a count: whole numbers, never below zero, noise about the square root. */
export function createCounts(shape: CountShape): Point[] {
  const countAt = counter(shape);
  return createPoints(shape.missingSlots, (slot) => countAt(slot, 1 + (shape.growth * slot) / slotCount));
}

/** Makes the points before those of `createCounts`; `share` of its level was there at the beginning. */
export function createPastCounts(shape: CountShape, share: number): Point[] {
  const countAt = counter({ ...shape, seed: `${shape.seed}/past` });
  const points: Point[] = [];
  for (let slot = -pastSlots; slot < 0; slot += slotsPerPastPoint) {
    const count = countAt(slot, 1 + ((1 - share) * slot) / pastSlots);
    const day = Math.floor(slot / slotsPerDay);
    if (day < pastOutage.firstDay || day > pastOutage.lastDay)
      points.push([firstTimestampMs + slot * slotMs, count]);
  }
  return points;
}

/** Makes a function that counts at one slot after the other; `growth` is the level there, as a share of that of the shape. */
function counter(shape: CountShape): (slot: number, growth: number) => number {
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

/** Makes a point for every slot that is not missing. */
export function createPoints(missingSlots: ReadonlySet<number>, valueAt: (slot: number) => number): Point[] {
  const points: Point[] = [];
  for (let slot = 0; slot < slotCount; slot++) {
    const value = valueAt(slot);
    if (!missingSlots.has(slot)) points.push([firstTimestampMs + slot * slotMs, value]);
  }
  return points;
}

/** Picks the slots without a point: a few single ones, all before `firstDay`, all of `outageDay`. */
export function pickMissingSlots(
  random: Random,
  { firstDay, outageDay }: { readonly firstDay: number; readonly outageDay: number | undefined },
): Set<number> {
  const missing = new Set<number>();
  const addDays = (from: number, to: number) => {
    for (let slot = from * slotsPerDay; slot < to * slotsPerDay; slot++) missing.add(slot);
  };
  for (let count = 2 + random.below(6); count > 0; count--) missing.add(random.below(slotCount));
  addDays(0, firstDay);
  if (outageDay !== undefined) addDays(outageDay, outageDay + 1);
  return missing;
}

/** Renders points as the data of `data` records of at most a week of half-hours each. */
export function lineData(points: readonly Point[]): JsonText[] {
  return Array.from({ length: Math.ceil(points.length / pointsPerRecord) }, (_, record) =>
    JSON.stringify(points.slice(record * pointsPerRecord, (record + 1) * pointsPerRecord)),
  );
}

/** A line that the author of a plugin added. */
export function createLineChart(chartId: string, title: string, points: readonly Point[]): SampleChart {
  const settings = lineSettings(chartId);
  return { chartId, type: 'single_linechart', title, settings, data: lineData(points) };
}

/** Interpolates in a table that repeats itself, also before its beginning. */
function interpolate(table: readonly number[], at: number): number {
  const left = Math.floor(at);
  const [from = 0, to = 0] = [left, left + 1].map((index) => table.at(index % table.length));
  return from + (to - from) * (at - left);
}
