// Two months of half-hourly points, and for some lines a point each six hours of the time before: daily and
// weekly rhythm, slow drift, noise, missing slots.
import {
  type CountShape,
  countsOf,
  type Point,
  pointTexts,
  slotMs,
  slotsPerDay,
} from '../catalogues/lines.ts';
import type { Random } from '../catalogues/random.ts';
import type { JsonText } from '../catalogues/records.ts';
import { lineSettings } from '../catalogues/settings.ts';
import type { SampleChart } from './chart.ts';

/** The first moment of the sample, in Unix milliseconds: a Friday, midnight UTC. */
export const firstTimestampMs = Date.UTC(2026, 4, 1);

/** The first moment of the lines and histories that go further back. */
export const pastStartMs = Date.UTC(2024, 6, 1);

const slotCount = 61 * slotsPerDay;
/** The last moment of the sample: a Tuesday, 23:30 UTC. */
export const lastTimestampMs = firstTimestampMs + (slotCount - 1) * slotMs;

const pastSlots = (firstTimestampMs - pastStartMs) / slotMs;
const slotsPerPastPoint = slotsPerDay / 4;
const pointsPerRecord = 7 * slotsPerDay;

/** Days on which nothing was collected, counted from the first day of the sample. */
const pastOutage = { firstDay: -441, lastDay: -438 } as const;

/** The shape of a count over the two months. */
export interface SampleShape extends CountShape {
  /** Growth over the two months, as a share of `level`. */
  readonly growth: number;
  /** Slots without a point. */
  readonly missingSlots: ReadonlySet<number>;
}

/** Makes the points of a count: whole numbers, never below zero, noise about the square root. */
export function createCounts(shape: SampleShape): Point[] {
  const countAt = countsOf(shape);
  return createPoints(shape.missingSlots, (slot) => countAt(slot, 1 + (shape.growth * slot) / slotCount));
}

/** Makes the points before those of `createCounts`; `share` of its level was there at the beginning. */
export function createPastCounts(shape: SampleShape, share: number): Point[] {
  const countAt = countsOf({ ...shape, seed: `${shape.seed}/past` });
  const points: Point[] = [];
  for (let slot = -pastSlots; slot < 0; slot += slotsPerPastPoint) {
    const count = countAt(slot, 1 + ((1 - share) * slot) / pastSlots);
    const day = Math.floor(slot / slotsPerDay);
    if (day < pastOutage.firstDay || day > pastOutage.lastDay)
      points.push([firstTimestampMs + slot * slotMs, count]);
  }
  return points;
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
  return pointTexts(points, pointsPerRecord);
}

/** A line that the author of a plugin added. */
export function createLineChart(chartId: string, title: string, points: readonly Point[]): SampleChart {
  const settings = lineSettings(chartId);
  return { chartId, type: 'single_linechart', title, settings, data: lineData(points) };
}
