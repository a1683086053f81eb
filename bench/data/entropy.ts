/** The entropy of a point of a busy line, in bits: a lower bound for any coding. */
import {
  driftDeviation,
  type LineSeed,
  lineSlots,
  maxValue,
  missingValue,
  slotsPerDay,
  slotsPerMissing,
} from './line-values.ts';
import { bellSteps } from './random.ts';

// Coprime to a week, so that every time of the week occurs.
const lookEvery = 149;

/**
 * Entropy of the stored points of busy lines, in bits per point: the noise around a known mean, the information about the
 * drift, and the missing points. The few constants of a line (level, rhythm) count as known.
 */
export function entropyBitsPerPoint(lines: readonly LineSeed[]): number {
  let [bits, lookCount] = [0, 0];
  for (const line of lines) {
    const { values, means } = lineSlots(line);
    for (let slot = 0; slot < means.length; slot += lookEvery) {
      if (values[slot] === missingValue) continue;
      bits += noiseBits(means[slot] ?? 0) + driftBits(means[slot] ?? 0);
      lookCount++;
    }
  }
  // One slot in n is missing: its position takes log2(n) bits and a little more.
  return bits / lookCount + Math.log2(slotsPerMissing * Math.E) / slotsPerMissing;
}

/** The entropy of one value around this mean, summed over every noise that can be drawn; about log2(2πe × mean) / 2. */
export function noiseBits(mean: number): number {
  let surplusBits = 0;
  let runLength = 0;
  let last = Number.NaN;
  for (const step of bellSteps) {
    const value = Math.max(0, Math.min(Math.round(mean + Math.sqrt(mean) * step), maxValue));
    if (value !== last) {
      surplusBits += runLength * Math.log2(Math.max(1, runLength));
      runLength = 0;
    }
    last = value;
    runLength++;
  }
  surplusBits += runLength * Math.log2(runLength);
  return Math.log2(bellSteps.length) - surplusBits / bellSteps.length;
}

/**
 * Information of a point about the drift, a random walk of one step a day that is seen through the noise of the day's
 * points: in the steady state of a Kalman filter log2(1 + expected error / noise) / 2 bits a day.
 */
export function driftBits(mean: number): number {
  const noise = 1 / (slotsPerDay * mean);
  const step = driftDeviation ** 2;
  const expectedError = step / 2 + Math.sqrt(step ** 2 / 4 + step * noise);
  return Math.log2(1 + expectedError / noise) / 2 / slotsPerDay;
}
