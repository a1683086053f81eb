// Numbers as text, compared with the platform's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxNumberBytes, writeNumber } from '../../src/series/number-text.ts';
import { anyValue, randomFrom } from '../support/points.ts';
import { fc, seed } from '../support/seed.ts';

const bytes = new Uint8Array(maxNumberBytes + 2);
const view = new DataView(bytes.buffer, 1, maxNumberBytes);

function written(number: number): string {
  bytes.fill(0);
  const end = writeNumber(Float64Array.of(number), 0, view, 0);
  return Buffer.from(bytes.subarray(1, 1 + end)).toString('latin1');
}

function assertWritten(number: number): void {
  if (written(number) !== String(number)) assert.equal(written(number), String(number), `seed ${seed}`);
}

test('a number is written as String writes it', () => {
  fc.assert(
    fc.property(anyValue, (number) => assert.equal(written(number), String(number))),
    { numRuns: 1000 },
  );
});

test('means, quotients and decimals of any length are written as String writes them', () => {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const double = new DataView(new ArrayBuffer(8));
  for (let round = 0; round < 30_000; round++) {
    assertWritten(below(48 * 10 ** below(8)) / 48);
    assertWritten(-below(336 * 10 ** below(8)) / 336);
    assertWritten(below(1e9) / (1 + below(2000)));
    assertWritten(random() * 10 ** (below(16) - 5));
    assertWritten(Number((random() * 10 ** below(10)).toFixed(below(17))));
    assertWritten(below(2 ** 40) / 2 ** below(40));
    double.setUint32(0, below(2 ** 32));
    double.setUint32(4, below(2 ** 32));
    const any = double.getFloat64(0);
    if (Number.isFinite(any)) assertWritten(any);
    // Between 1/1024 and 2^32, where decimals are not left to String.
    double.setUint16(0, ((1013 + below(42)) << 4) | below(16));
    assertWritten(double.getFloat64(0));
  }
});

test('the neighbours of short numbers keep all their digits', () => {
  const double = new DataView(new ArrayBuffer(8));
  for (const number of [
    2 ** -9,
    0.1,
    0.3,
    0.5,
    0.9999,
    1,
    1.5,
    9.99999,
    48,
    1e3 + 0.1,
    123456.789,
    2 ** 30 + 1 / 256,
    2 ** 31,
  ]) {
    double.setFloat64(0, number);
    const bits = double.getBigInt64(0);
    for (let distance = -40n; distance <= 40n; distance++) {
      double.setBigInt64(0, bits + distance);
      assertWritten(double.getFloat64(0));
    }
  }
});
