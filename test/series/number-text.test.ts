// Numbers as text, compared with the platform's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxNumberBytes, roundMean, writeNumber } from '../../src/series/number-text.ts';
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

test('quotients and numbers with few decimals are written as String writes them', () => {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let round = 0; round < 30_000; round++) {
    assertWritten(-below(336 * 10 ** below(8)) / 336);
    assertWritten(random() * 10 ** (below(16) - 5));
    assertWritten(Number((random() * 10 ** below(14)).toFixed(below(6))));
  }
});

test('a mean has four decimals, below 1 four significant digits', () => {
  const means = [
    [1053.5416666666665, 1053.5417],
    [-199.97916666666666, -199.9792],
    [1.03125, 1.0313],
    [-1.03125, -1.0313],
    [0.9999499, 0.9999],
    [0.99996, 1],
    [1 / 3, 0.3333],
    [1 / 48, 0.02083],
    [-1 / 4_800_000, -2.083e-7],
    [0, 0],
    [2 ** 38 + 1 / 3, 2 ** 38 + 0.3333],
    [2 ** 40 + 0.25, 2 ** 40 + 0.25],
    [1e300, 1e300],
  ] as const;
  for (const [mean, rounded] of means) assert.equal(roundMean(mean), rounded);
  assert.ok(Number.isNaN(roundMean(Number.NaN)));
  fc.assert(
    fc.property(fc.integer({ max: 2 ** 45 }), fc.integer({ min: 1, max: 2000 }), (sum, count) => {
      const text = String(Math.abs(roundMean(sum / count)));
      assert.match(text, /^(?:\d+(?:\.\d{1,4})?|0\.0*\d{1,4})$|e-7$/);
      assert.ok(Math.abs(roundMean(sum / count) - sum / count) <= 0.0001);
    }),
  );
});
