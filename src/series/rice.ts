/**
 * Integers as bits: each is the difference to the one before, zigzagged and Rice-coded (quotient by 2^k in
 * unary, then k bits). k follows a running mean of the differences, so that writer and reader agree on it
 * without spending a bit, and appending needs nothing but the state that {@link RiceState} holds.
 */
import { unzigzag, zigzag } from './varint.ts';

/** The state of a writer: the last integer, the running mean (times 16) and the next free bit. */
export interface RiceState {
  last: number;
  mean16: number;
  bit: number;
}

/** The largest absolute value: differences and their zigzags stay exact. */
export const maxRiceInteger = 2 ** 50;

/** The most bytes that the integers of one chunk need, with the slack that a reader needs. */
export function maxRiceBytes(count: number): number {
  return count * 10 + 8;
}

const maxQuotient = 19;
const escapedLowBits = 26;
const meanCap = 2 ** 24;

/** Makes the state after the first integer, which is not coded here. Noise tends to be the square root of the value. */
export function startRice(first: number): RiceState {
  const bits = Math.ceil(Math.log2(Math.abs(first) + 1));
  return { last: first, mean16: 16 << Math.min(20, bits >> 1), bit: 0 };
}

/** Computes the Rice parameter for differences whose running mean is `mean16 / 16`. */
function parameterFor(mean16: number): number {
  // The bit of 16 keeps the result from going below 0.
  return 27 - Math.clz32((mean16 + (mean16 >>> 1)) | 16);
}

/** Computes the running mean, times 16, after a difference. */
function meanAfter(mean16: number, unsigned: number): number {
  return (mean16 - (mean16 >>> 4) + Math.min(unsigned, meanCap)) | 0;
}

/** Appends one integer at the state's bit; `bits` must be zero there and have {@link maxRiceBytes} of room. */
export function writeRice(integer: number, bits: Uint8Array, state: RiceState): void {
  const unsigned = zigzag(integer - state.last);
  const parameter = parameterFor(state.mean16);
  const quotient = Math.floor(unsigned / 2 ** parameter);
  if (quotient <= maxQuotient) {
    state.bit += quotient;
    putBits(bits, state, 1, 1);
    putBits(bits, state, unsigned % 2 ** parameter, parameter);
  } else {
    state.bit += maxQuotient + 1;
    putBits(bits, state, 1, 1);
    putBits(bits, state, Math.floor(unsigned / 2 ** escapedLowBits), 28);
    putBits(bits, state, unsigned % 2 ** escapedLowBits, escapedLowBits);
  }
  state.last = integer;
  state.mean16 = meanAfter(state.mean16, unsigned);
}

/** A read of integers from bits, and its position. */
export interface RiceReading extends RiceState {
  /** Four bytes must follow the last one that was written: they are read with it. */
  readonly bits: DataView;
  /** Number of integers that are still to be read. */
  left: number;
  readonly into: Float64Array;
  offset: number;
}

/**
 * Reads the rest.
 * @throws RangeError if the bits end too early.
 */
export function readRice(reading: RiceReading): void {
  while (reading.left > 0) {
    readShort(reading);
    if (reading.left > 0) readNext(reading);
  }
}

/**
 * Reads from both as long as both have more. The start of an integer is known only when the one before it has been read; with
 * two reads in turn the processor does not wait for it.
 * @throws RangeError if the bits of one end too early; each can then be read on alone.
 */
export function readRiceTogether(a: RiceReading, b: RiceReading): void {
  while (a.left > 0 && b.left > 0) {
    readShortTogether(a, b);
    if (a.left > 0 && b.left > 0) {
      readNext(a);
      readNext(b);
    }
  }
}

/** Reads until a code is not short. */
function readShort(reading: RiceReading): void {
  const { bits, into, offset, left } = reading;
  let { last, mean16, bit } = reading;
  let index = 0;
  for (; index < left; index++) {
    const parameter = parameterFor(mean16);
    const window = windowAt(bits, bit);
    const quotient = Math.clz32(window);
    if (quotient + parameter > maxShort) break;
    const unsigned = shortCode(window, quotient, parameter);
    bit += quotient + 1 + parameter;
    last += (unsigned >>> 1) ^ -(unsigned & 1);
    mean16 = meanAfter(mean16, unsigned);
    into[offset + index] = last;
  }
  advance(reading, index, { last, mean16, bit });
}

/** Reads from both, in turn, until a code of one is not short. */
function readShortTogether(a: RiceReading, b: RiceReading): void {
  const { bits: bitsA, into: intoA, offset: offsetA } = a;
  const { bits: bitsB, into: intoB, offset: offsetB } = b;
  let { last: lastA, mean16: meanA, bit: bitA } = a;
  let { last: lastB, mean16: meanB, bit: bitB } = b;
  const count = Math.min(a.left, b.left);
  let index = 0;
  for (; index < count; index++) {
    const parameterA = parameterFor(meanA);
    const parameterB = parameterFor(meanB);
    const windowA = windowAt(bitsA, bitA);
    const windowB = windowAt(bitsB, bitB);
    const quotientA = Math.clz32(windowA);
    const quotientB = Math.clz32(windowB);
    if (quotientA + parameterA > maxShort || quotientB + parameterB > maxShort) break;
    const unsignedA = shortCode(windowA, quotientA, parameterA);
    const unsignedB = shortCode(windowB, quotientB, parameterB);
    bitA += quotientA + 1 + parameterA;
    bitB += quotientB + 1 + parameterB;
    lastA += (unsignedA >>> 1) ^ -(unsignedA & 1);
    lastB += (unsignedB >>> 1) ^ -(unsignedB & 1);
    meanA = meanAfter(meanA, unsignedA);
    meanB = meanAfter(meanB, unsignedB);
    intoA[offsetA + index] = lastA;
    intoB[offsetB + index] = lastB;
  }
  advance(a, index, { last: lastA, mean16: meanA, bit: bitA });
  advance(b, index, { last: lastB, mean16: meanB, bit: bitB });
}

/** Moves a reading behind some integers. */
function advance(reading: RiceReading, count: number, { last, mean16, bit }: RiceState): void {
  reading.last = last;
  reading.mean16 = mean16;
  reading.bit = bit;
  reading.left -= count;
  reading.offset += count;
}

/** Reads one integer of any size. */
function readNext(reading: RiceReading): void {
  const { bits, mean16 } = reading;
  const parameter = parameterFor(mean16);
  const window = windowAt(bits, reading.bit);
  const quotient = Math.clz32(window);
  const restAt = reading.bit + quotient + 1;
  let unsigned: number;
  if (quotient + parameter <= maxShort) {
    unsigned = shortCode(window, quotient, parameter);
    reading.bit = restAt + parameter;
  } else if (quotient <= maxQuotient) {
    unsigned = quotient * 2 ** parameter + takeBits(bits, restAt, parameter);
    reading.bit = restAt + parameter;
  } else {
    unsigned = takeBits(bits, restAt, 28) * 2 ** escapedLowBits + takeBits(bits, restAt + 28, escapedLowBits);
    reading.bit = restAt + 28 + escapedLowBits;
  }
  reading.last += unzigzag(unsigned);
  reading.mean16 = meanAfter(mean16, unsigned);
  reading.into[reading.offset++] = reading.last;
  reading.left--;
}

/** The largest sum of quotient and parameter of a short code, which fits a window and is not escaped. */
const maxShort = maxQuotient;

/** Returns at least 25 bits from `bit` on, the first of them highest. */
function windowAt(bits: DataView, bit: number): number {
  return bits.getUint32(bit >>> 3) << (bit & 7);
}

/** Decodes the short code at the start of a window: the quotient, a 1, then the lower bits. */
function shortCode(window: number, quotient: number, parameter: number): number {
  return (quotient << parameter) | (((window << quotient) & 0x7fff_ffff) >>> (31 - parameter));
}

/** Writes the low `width` bits (at most 28) at the state's bit, highest first. */
function putBits(bits: Uint8Array, state: RiceState, value: number, width: number): void {
  let left = width;
  while (left > 0) {
    const free = 8 - (state.bit & 7);
    const taken = Math.min(free, left);
    const piece = (value >>> (left - taken)) & ((1 << taken) - 1);
    const at = state.bit >>> 3;
    bits[at] = (bits[at] ?? 0) | (piece << (free - taken));
    state.bit += taken;
    left -= taken;
  }
}

/** Takes `width` bits, 1 to 28. */
function takeBits(bits: DataView, bit: number, width: number): number {
  const high = Math.min(width, 14);
  const low = width - high;
  const highBits = (bits.getUint32(bit >>> 3) << (bit & 7)) >>> (32 - high);
  if (low === 0) return highBits;
  const next = bit + high;
  return highBits * 2 ** low + ((bits.getUint32(next >>> 3) << (next & 7)) >>> (32 - low));
}
