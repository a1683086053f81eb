/** Generates half-hourly points of lines that resemble real ones. */
import { countsOf, type Point, slotMs, slotsPerDay } from '../../catalogues/lines.ts';
import { createRandom, type Random } from '../../catalogues/random.ts';

/** Kind of a line: `busy` up to 100,000, `small` from 0 to 20, `dead` always zero. */
export type LineKind = 'busy' | 'small' | 'dead';

/** Description of a line, which fully determines its points. */
export interface LineSeed {
  readonly seed: number;
  readonly kind: LineKind;
  readonly slotCount: number;
}

/** Time of the last point of every line: 1 January 2025, UTC. */
export const lastTimestamp = Date.UTC(2025, 0, 1);

/** Number of half-hours in a day, and in a month as the interface counts it. */
export const slots = { day: slotsPerDay, month: 1440 } as const;

/** One slot in this many has no point. */
const slotsPerMissing = 2000;

/** Generates the points of a line up to `last`; some are missing. */
export function linePoints({ seed, kind, slotCount }: LineSeed, last = lastTimestamp): Point[] {
  const random = createRandom(`line ${seed}`);
  const count = countsOf({
    seed: `values ${seed}`,
    level: kind === 'busy' ? logUniform(random, 20, 50_000) : logUniform(random, 0.5, 12),
    dailySwing: 0.2 + 0.3 * random.next(),
    weeklySwing: 0.05 + 0.2 * random.next(),
    peakHour: random.below(24),
  });
  const first = last - (slotCount - 1) * slotMs;
  const points: Point[] = [];
  let missing = gap(random);
  for (let slot = 0; slot < slotCount; slot++) {
    const value = kind === 'dead' ? 0 : count(slot, 1);
    if (slot !== missing) points.push([first + slot * slotMs, value]);
    else missing += 1 + gap(random);
  }
  return points;
}

function gap(random: Random): number {
  return Math.floor(-Math.log(1 - random.next()) * slotsPerMissing);
}

function logUniform(random: Random, min: number, max: number): number {
  return min * (max / min) ** random.next();
}
