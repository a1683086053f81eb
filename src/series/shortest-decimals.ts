/**
 * Finds the shortest decimals of a number: the fewest digits that read back as the same double, and of those the nearest, as `String` does. Means
 * have up to 17 digits, and are most of an answer by step; this takes a quarter of the time.
 */
import { writeEight, writeInteger } from './digits.ts';

const point = 0x2e;

/** Bounds of the numbers that are written here: their decimals are at most 19. */
const smallest = 2 ** -9;
const largest = 2 ** 31;

/** Integers of up to 19 digits are computed in two parts, of which the lower one has 8. */
const lowDigits = 8;
const lowRange = 10 ** lowDigits;

const powersOfTen = Float64Array.from({ length: 20 }, (_, exponent) => 10 ** exponent);

// A product is exact as a sum of two doubles if both factors are cut in halves: T. J. Dekker, A floating-point technique for extending
// the available precision, Numerische Mathematik 18 (1971).
const splitter = 2 ** 27 + 1;
const highHalves = powersOfTen.map(highHalf);
const lowHalves = powersOfTen.map((power, exponent) => power - (highHalves[exponent] ?? 0));

function highHalf(number: number): number {
  const scaled = splitter * number;
  return scaled - (scaled - number);
}

const lowestExponent = Math.log2(smallest);

/** By exponent: the fewest decimals that are closer together than doubles are. They always tell a number from its neighbours. */
const enoughDecimals = Int32Array.from({ length: Math.log2(largest) - lowestExponent }, (_, index) => {
  const spacing = 2 ** (lowestExponent + index - 52);
  return powersOfTen.findIndex((power) => 1 / power < spacing);
});

/** Error that a remainder may have, and more: what is as close to a limit is left to `String`. */
const doubt = 1e-6;

/** By exponent: half the spacing of doubles, in units of the last of these decimals. What is so close to a number reads back as it. */
const rooms = Float64Array.from(
  enoughDecimals,
  (enough, index) => 2 ** (lowestExponent + index - 53) * (powersOfTen[enough] ?? 0),
);

const double = new DataView(new ArrayBuffer(8));

/** Finds the exponent of a number within the bounds, counted from the lowest. */
function exponentIndex(number: number): number {
  if (number >= 1) return 31 - Math.clz32(number) - lowestExponent;
  double.setFloat64(0, number);
  return (double.getUint16(0) >>> 4) - 1023 - lowestExponent;
}

/**
 * Writes the point and the decimals of a positive number; up to 8 bytes behind them are written too.
 * @returns the offset after them; undefined for a number that `String` must write.
 */
export function writeShortest(number: number, view: DataView, offset: number): number | undefined {
  if (!(number >= smallest && number < largest)) return undefined;
  const index = exponentIndex(number);
  const enough = enoughDecimals[index] ?? 0;
  const power = powersOfTen[enough] ?? 0;
  // The fraction times the power of ten, exactly: product + error.
  const fraction = number - Math.floor(number);
  const product = fraction * power;
  const error = productError(fraction, enough, product);
  let high = Math.floor(product / lowRange);
  const rest = product - high * lowRange + error;
  let low = Math.round(rest);
  const remainder = rest - low;
  const stripped = countStripped(low, remainder, rooms[index] ?? 0);
  if (stripped === undefined) return undefined;
  if (stripped > 0) {
    const unit = powersOfTen[stripped] ?? 0;
    const above = low % unit;
    low += (above + remainder > unit / 2 ? unit : 0) - above;
  }
  if (low >= lowRange || low < 0) {
    high += low < 0 ? -1 : 1;
    low += low < 0 ? lowRange : -lowRange;
  }
  const highDigits = enough - lowDigits;
  if (highDigits <= 0) {
    view.setUint8(offset, point);
    writeEight(low * (powersOfTen[-highDigits] ?? 0), view, offset + 1);
    return offset + 1 + enough - stripped;
  }
  // A 1 keeps the zeros behind it; the point takes its place.
  const at = writeInteger((powersOfTen[highDigits] ?? 0) + high, view, offset);
  view.setUint8(offset, point);
  writeEight(low, view, at);
  return at + lowDigits - stripped;
}

/** Computes what the rounded product of a fraction and a power of ten differs from the exact one. */
function productError(fraction: number, exponent: number, product: number): number {
  const high = highHalf(fraction);
  const low = fraction - high;
  const powerHigh = highHalves[exponent] ?? 0;
  const powerLow = lowHalves[exponent] ?? 0;
  return high * powerHigh - product + high * powerLow + low * powerHigh + low * powerLow;
}

/**
 * Counts the digits at the end that are not needed: those that can be rounded away within the room.
 * @returns undefined if that is too close to be decided, or if all of them can.
 */
function countStripped(low: number, remainder: number, room: number): number | undefined {
  let unit = 10;
  for (let count = 0; count < lowDigits; count++) {
    const above = (low % unit) + remainder;
    const distance = Math.min(Math.abs(above), unit - above);
    if (Math.abs(distance - room) < doubt || Math.abs(above - unit / 2) < doubt) return undefined;
    if (distance > room) return count === 0 && Math.abs(remainder) > 0.5 - doubt ? undefined : count;
    unit *= 10;
  }
  return undefined;
}
