/** The values of one line, slot by slot, as real lines behave. */
import { createRandom, type Random } from './random.ts';

/** How a line behaves: `busy` up to 100,000, `small` from 0 to 20, `dead` all zero, `constant` one other value. */
export type LineKind = 'busy' | 'small' | 'dead' | 'constant';

/** In the place of a value where a slot has no point. */
export const missingValue = -1;

const slotsPerDay = 48;
const slotsPerWeek = 7 * slotsPerDay;
const slotsPerMissing = 2000;
const maxValue = 100_000;
const maxSmallValue = 20;

/** The values of `slotCount` half-hours, {@link missingValue} where one is missing. */
export function lineValues(line: {
  readonly seed: number;
  readonly kind: LineKind;
  readonly slotCount: number;
}): Int32Array {
  const random = createRandom(line.seed);
  const values = new Int32Array(line.slotCount);
  switch (line.kind) {
    case 'busy':
      fillRhythmic(values, random, { base: logUniform(random, 20, maxValue / 2), max: maxValue });
      break;
    case 'small':
      fillRhythmic(values, random, { base: logUniform(random, 0.5, 12), max: maxSmallValue });
      break;
    case 'constant':
      values.fill(1 + random.below(maxSmallValue));
      break;
    case 'dead':
      break;
    default:
      line.kind satisfies never;
  }
  removeSome(values, random);
  return values;
}

/** A daily rhythm, a weekly one, a slow drift, and noise of the square root of the value. */
function fillRhythmic(
  values: Int32Array,
  random: Random,
  line: { readonly base: number; readonly max: number },
): void {
  const week = weekOf(random);
  const start = random.below(slotsPerWeek);
  let drift = 1;
  for (let slot = 0; slot < values.length; slot++) {
    if (slot % slotsPerDay === 0) drift = Math.min(1.6, Math.max(0.4, drift * (1 + 0.01 * random.bell())));
    const level = line.base * drift * (week[(start + slot) % slotsPerWeek] ?? 1);
    const value = Math.round(level + Math.sqrt(level) * random.bell());
    values[slot] = Math.max(0, Math.min(value, line.max));
  }
}

/** What every slot of a week is, as a multiple of the mean. */
function weekOf(random: Random): Float64Array {
  const depth = 0.2 + 0.3 * random.next();
  const weekend = 0.05 + 0.2 * random.next();
  return Float64Array.from({ length: slotsPerWeek }, (_, slot) => {
    const hour = Math.sin((2 * Math.PI * slot) / slotsPerDay);
    const day = Math.sin((2 * Math.PI * slot) / slotsPerWeek);
    return 1 + depth * hour + weekend * day;
  });
}

function removeSome(values: Int32Array, random: Random): void {
  for (let slot = gap(random); slot < values.length; slot += 1 + gap(random)) values[slot] = missingValue;
}

function gap(random: Random): number {
  return Math.floor(-Math.log(1 - random.next()) * slotsPerMissing);
}

function logUniform(random: Random, min: number, max: number): number {
  return min * (max / min) ** random.next();
}
