/** The values of one line per half-hour, similar to real lines. */
import { createRandom, type Random } from './random.ts';

/** The kind of a line: `busy` up to 100,000, `small` from 0 to 20, `dead` all zero. */
export type LineKind = 'busy' | 'small' | 'dead';

/** A line; its values depend on nothing else. */
export interface LineSeed {
  readonly seed: number;
  readonly kind: LineKind;
  readonly slotCount: number;
}

/** Marks a slot without a point. */
export const missingValue = -1;

/** One slot in this many has no point. */
const slotsPerMissing = 2000;

/** The largest value of a busy line. */
const maxValue = 100_000;

/** The drift of a day is that of the day before, multiplied by 1 plus noise of this standard deviation. */
const driftDeviation = 0.01;

/** Half-hours of a day. */
export const slotsPerDay = 48;

const slotsPerWeek = 7 * slotsPerDay;
const maxSmallValue = 20;

/** The values of a line, {@link missingValue} where one is missing. */
export function lineValues({ seed, kind, slotCount }: LineSeed): Int32Array {
  const random = createRandom(seed);
  const values = new Int32Array(slotCount);
  if (kind === 'busy')
    fillRhythmic(values, { random, base: logUniform(random, 20, maxValue / 2), max: maxValue });
  else if (kind === 'small')
    fillRhythmic(values, { random, base: logUniform(random, 0.5, 12), max: maxSmallValue });
  for (let slot = gap(random); slot < slotCount; slot += 1 + gap(random)) values[slot] = missingValue;
  return values;
}

/** The sum of a daily rhythm, a weekly one, a slow drift, and noise of the square root of the mean. */
function fillRhythmic(
  values: Int32Array,
  line: { readonly random: Random; readonly base: number; readonly max: number },
): void {
  const { random } = line;
  const week = weekOf(random);
  const start = random.below(slotsPerWeek);
  let drift = 1;
  for (let slot = 0; slot < values.length; slot++) {
    if (slot % slotsPerDay === 0)
      drift = Math.min(1.6, Math.max(0.4, drift * (1 + driftDeviation * random.bell())));
    const mean = line.base * drift * (week[(start + slot) % slotsPerWeek] ?? 1);
    const value = Math.round(mean + Math.sqrt(mean) * random.bell());
    values[slot] = Math.max(0, Math.min(value, line.max));
  }
}

/** Every slot of a week as a multiple of the level. */
function weekOf(random: Random): Float64Array {
  const depth = 0.2 + 0.3 * random.next();
  const weekend = 0.05 + 0.2 * random.next();
  return Float64Array.from({ length: slotsPerWeek }, (_, slot) => {
    const hour = Math.sin((2 * Math.PI * slot) / slotsPerDay);
    const day = Math.sin((2 * Math.PI * slot) / slotsPerWeek);
    return 1 + depth * hour + weekend * day;
  });
}

function gap(random: Random): number {
  return Math.floor(-Math.log(1 - random.next()) * slotsPerMissing);
}

function logUniform(random: Random, min: number, max: number): number {
  return min * (max / min) ** random.next();
}
