// The integer codings under the chunks, at their boundaries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maxRiceBytes, maxRiceInteger, readRice, startRice, writeRice } from '../../src/series/rice.ts';
import { maxVarintBytes, readVarint, unzigzag, writeVarint, zigzag } from '../../src/series/varint.ts';

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

test('a varint that is cut off or goes on too long reads as NaN', () => {
  assert.equal(readVarint({ bytes: new Uint8Array(0), at: 0 }), Number.NaN);
  assert.equal(readVarint({ bytes: Uint8Array.of(0x80), at: 0 }), Number.NaN);
  assert.equal(readVarint({ bytes: new Uint8Array(20).fill(0x80), at: 0 }), Number.NaN);
});

test('zigzag keeps small integers small and undoes itself', () => {
  assert.deepEqual([0, -1, 1, -2, 2].map(zigzag), [0, 1, 2, 3, 4]);
  for (const integer of boundaries.filter((one) => one <= 2 ** 52)) {
    assert.equal(unzigzag(zigzag(integer)), integer);
    assert.equal(unzigzag(zigzag(-integer)) + 0, -integer + 0);
  }
});

test('integers of any size and in any order survive Rice coding, skipped or not', () => {
  const near = fc.integer({ min: -3, max: 3 });
  const any = fc.oneof(
    { weight: 4, arbitrary: near },
    fc.integer({ min: -2000, max: 2000 }),
    fc.integer({ min: -maxRiceInteger, max: maxRiceInteger }),
    fc.constantFrom(-maxRiceInteger, maxRiceInteger, 0, 2 ** 26, 2 ** 31, -(2 ** 31), 2 ** 45),
  );
  fc.assert(
    fc.property(any, fc.array(any, { maxLength: 200 }), fc.nat(), (first, integers, toSkip) => {
      const bits = new Uint8Array(maxRiceBytes(integers.length));
      const state = startRice(first);
      for (const integer of integers) writeRice(integer, bits, state);
      assert.ok(state.bit <= (bits.length - 4) * 8);
      const skip = toSkip % (integers.length + 1);
      const into = new Float64Array(integers.length - skip);
      const target = { into, offset: 0, count: integers.length, skip, divisor: 1 };
      const end = readRice(new DataView(bits.buffer), first, target);
      assert.deepEqual([...into], integers.slice(skip));
      assert.deepEqual(end, state);
    }),
    { numRuns: 1000 },
  );
});

test('every pair of boundary integers survives one step of Rice coding', () => {
  const signed = boundaries.filter((one) => one <= maxRiceInteger).flatMap((one) => [one, -one]);
  for (const first of signed) {
    for (const next of signed) {
      const bits = new Uint8Array(maxRiceBytes(1));
      writeRice(next, bits, startRice(first));
      const into = new Float64Array(1);
      readRice(new DataView(bits.buffer), first, { into, offset: 0, count: 1, skip: 0, divisor: 1 });
      if (into[0] !== next && !(next === 0 && into[0] === 0))
        assert.deepEqual({ first, next: into[0] }, { first, next });
    }
  }
});
