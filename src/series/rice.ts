/**
 * Integers as bits: each is the difference to the one before, zigzagged and Rice-coded (quotient by 2^k in
 * unary, then k bits). k follows a running mean of the differences, so that writer and reader agree on it
 * without spending a bit, and appending needs nothing but the state that {@link RiceState} holds.
 */
import { unzigzag, zigzag } from './varint.ts';

/** What a writer must know to go on: the last integer, the running mean (times 16) and the next free bit. */
export interface RiceState {
  last: number;
  mean16: number;
  bit: number;
}

/** The largest integer, in either direction: differences and their zigzags stay exact. */
export const maxRiceInteger = 2 ** 50;

/** How many bytes the integers of one chunk may need at most, with the slack that reading takes for granted. */
export function maxRiceBytes(count: number): number {
  return count * 10 + 8;
}

const maxQuotient = 19;
const escapedLowBits = 26;
const meanCap = 2 ** 24;

/** The state behind the first integer, which is not coded here. Noise tends to be the root of the value. */
export function startRice(first: number): RiceState {
  const bits = Math.ceil(Math.log2(Math.abs(first) + 1));
  return { last: first, mean16: 16 << Math.min(20, bits >> 1), bit: 0 };
}

/** The Rice parameter for differences whose running mean is `mean16 / 16`. */
function parameterFor(mean16: number): number {
  // The bit of 16 keeps the result from going below 0.
  return 27 - Math.clz32((mean16 + (mean16 >>> 1)) | 16);
}

/** Appends one integer behind the state's bit; `bits` must be zero there and have {@link maxRiceBytes} of room. */
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
  state.mean16 += Math.min(unsigned, meanCap) - (state.mean16 >>> 4);
}

/**
 * Reads the `count` integers behind `first`, leaving out the first `skip` of them, divided by `divisor`, into `into`.
 * @param bits must have four bytes of slack behind the last one that was written.
 */
export function readRice(
  bits: DataView,
  first: number,
  target: {
    readonly into: Float64Array;
    readonly offset: number;
    readonly count: number;
    readonly skip: number;
    readonly divisor: number;
  },
): RiceState {
  const { into, count, skip, divisor } = target;
  const offset = target.offset - skip;
  let { last, mean16, bit } = startRice(first);
  for (let index = 0; index < count; index++) {
    // As parameterFor, in place: this is the inner loop of reading.
    const parameter = 27 - Math.clz32((mean16 + (mean16 >>> 1)) | 16);
    // At least 25 bits of the window are real: more than the longest quotient takes.
    const window = bits.getUint32(bit >>> 3) << (bit & 7);
    const quotient = Math.clz32(window);
    bit += quotient + 1;
    if (quotient > maxQuotient) {
      const unsigned =
        takeBits(bits, bit, 28) * 2 ** escapedLowBits + takeBits(bits, bit + 28, escapedLowBits);
      bit += 28 + escapedLowBits;
      last += unzigzag(unsigned);
      mean16 += Math.min(unsigned, meanCap) - (mean16 >>> 4);
    } else {
      // Below 2^31, since k is at most 26 and the quotient below 20: 32-bit arithmetic will do.
      let unsigned = quotient << parameter;
      if (parameter > 0) {
        unsigned |=
          quotient + 1 + parameter <= 25
            ? (window << (quotient + 1)) >>> (32 - parameter)
            : takeBits(bits, bit, parameter);
        bit += parameter;
      }
      last += (unsigned >>> 1) ^ -(unsigned & 1);
      mean16 += Math.min(unsigned, meanCap) - (mean16 >>> 4);
    }
    if (index >= skip) into[offset + index] = divisor === 1 ? last : last / divisor;
  }
  return { last, mean16, bit };
}

/** Puts the low `width` bits (at most 28) behind the state's bit, highest first. */
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
