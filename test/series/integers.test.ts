// The integer codings of chunks, at their boundaries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  maxRiceBytes,
  maxRiceInteger,
  type RiceReading,
  readRice,
  readRiceTogether,
  startRice,
  writeRice,
} from '../../src/series/rice.ts';
import { maxVarintBytes, readVarint, unzigzag, writeVarint, zigzag } from '../../src/series/varint.ts';
import { fc } from '../support/seed.ts';

const boundaries = Array.from({ length: 54 }, (_, bits) => [2 ** bits - 1, 2 ** bits, 2 ** bits + 1])
  .flat()
  .filter((integer) => integer <= 2 ** 53);

test('every integer up to 2^53 survives as a varint, in at most eight bytes', () => {
  const check = (integer: number) => {
    const bytes = new Uint8Array(maxVarintBytes + 1);
    const end = writeVarint(bytes, 1, integer);
    assert.ok(end <= 1 + maxVarintBytes);
    const cursor = { bytes, at: 1 };
    assert.equal(readVarint(cursor), integer);
    assert.equal(cursor.at, end);
  };
  for (const integer of boundaries) check(integer);
  fc.assert(fc.property(fc.maxSafeNat(), check));
});

test('a truncated or overlong varint reads as NaN', () => {
  assert.equal(readVarint({ bytes: new Uint8Array(0), at: 0 }), Number.NaN);
  assert.equal(readVarint({ bytes: Uint8Array.of(0x80), at: 0 }), Number.NaN);
  assert.equal(readVarint({ bytes: new Uint8Array(20).fill(0x80), at: 0 }), Number.NaN);
});

test('zigzag keeps small integers small and is reversible', () => {
  assert.deepEqual([0, -1, 1, -2, 2].map(zigzag), [0, 1, 2, 3, 4]);
  for (const integer of boundaries.filter((one) => one <= 2 ** 52)) {
    assert.equal(unzigzag(zigzag(integer)), integer);
    assert.equal(unzigzag(zigzag(-integer)) + 0, -integer + 0);
  }
});

const near = fc.integer({ min: -3, max: 3 });
const anyInteger = fc.oneof(
  { weight: 4, arbitrary: near },
  fc.integer({ min: -2000, max: 2000 }),
  fc.integer({ min: -maxRiceInteger, max: maxRiceInteger }),
  fc.constantFrom(-maxRiceInteger, maxRiceInteger, 0, 2 ** 26, 2 ** 31, -(2 ** 31), 2 ** 45),
);
// Close together as in practice, and arbitrary.
const anyIntegers = fc.oneof(
  fc.array(fc.integer({ min: 900, max: 1100 }), { minLength: 1, maxLength: 200 }),
  fc.array(anyInteger, { minLength: 1, maxLength: 200 }),
);

test('integers of any size and order survive Rice coding, decoded alone or in pairs', () => {
  fc.assert(
    fc.property(anyIntegers, anyIntegers, (a, b) => {
      const alone = codedOf(a);
      readRice(alone);
      assertRead(alone, a);
      const [first, second] = [codedOf(a), codedOf(b)];
      readRiceTogether(first, second);
      assert.equal(Math.min(first.left, second.left), 0);
      for (const reading of [first, second]) readRice(reading);
      assertRead(first, a);
      assertRead(second, b);
    }),
    { numRuns: 1000 },
  );
});

test('truncated bits are refused, and the other reading of the pair can continue', () => {
  const integers = Array.from({ length: 100 }, (_, index) => index * index);
  const [good, cut] = [codedOf(integers), codedOf(integers, 40)];
  assert.throws(() => readRiceTogether(good, cut), RangeError);
  assert.throws(() => readRice(cut), RangeError);
  readRice(good);
  assertRead(good, integers);
});

test('every pair of boundary integers survives one step of Rice coding', () => {
  const signed = boundaries.filter((one) => one <= maxRiceInteger).flatMap((one) => [one, -one]);
  for (const first of signed) {
    for (const next of signed) {
      const reading = codedOf([first, next]);
      readRice(reading);
      const [read = Number.NaN] = reading.into;
      if (read !== next) assert.deepEqual({ first, read }, { first, read: next });
    }
  }
});

/** Coded integers to be read; `byteCount` truncates them. */
function codedOf([first = 0, ...rest]: readonly number[], byteCount?: number): RiceReading {
  const bytes = new Uint8Array(maxRiceBytes(rest.length));
  const written = startRice(first);
  for (const integer of rest) writeRice(integer, bytes, written);
  assert.ok(written.bit <= (bytes.length - 4) * 8);
  const bits = new DataView(bytes.buffer, 0, byteCount);
  return {
    ...startRice(first),
    bits,
    left: rest.length,
    into: new Float64Array(rest.length),
    offset: 0,
  };
}

/** Asserts that the reading ended after exactly these integers. */
function assertRead(reading: RiceReading, [, ...integers]: readonly number[]): void {
  assert.equal(reading.left, 0);
  assert.deepEqual(
    [...reading.into],
    integers.map((integer) => integer + 0),
  );
}
