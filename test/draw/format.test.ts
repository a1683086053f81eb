// Numbers and times as people read them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDate, formatDateTime, formatExact, formatShare, formatShort } from '../../src/draw/format.ts';
import { fc } from '../support/seed.ts';

test('short numbers have two or three digits and a letter', () => {
  const cases: ReadonlyArray<readonly [number, string]> = [
    [0, '0'],
    [-0, '0'],
    [7, '7'],
    [0.125, '0.125'],
    [950, '950'],
    [999.6, '1k'],
    [1234, '1.2k'],
    [10_000, '10k'],
    [12_340, '12.3k'],
    [999_499, '999k'],
    [999_600, '1M'],
    [-3_400_000, '−3.4M'],
    [1.25e9, '1.3B'],
    [7e12, '7T'],
    [1e15, '1,000T'],
    [-1e-9, '−1e-9'],
  ];
  for (const [value, text] of cases) assert.equal(formatShort(value), text);
});

test('exact numbers have all digits', () => {
  const cases: ReadonlyArray<readonly [number, string]> = [
    [0, '0'],
    [-0, '0'],
    [3883, '3,883'],
    [-1234567.25, '−1,234,567.25'],
    [0.1 + 0.2, '0.3'],
    [1e15, '1,000,000,000,000,000'],
    [1.23456e21, '1.23456e+21'],
    [0.0012345, '0.00123'],
    [0.0009, '0.0009'],
    [-0.05, '−0.05'],
    [2e-6, '0.000002'],
    [1e-9, '1e-9'],
  ];
  for (const [value, text] of cases) assert.equal(formatExact(value), text);
});

test('exact numbers below a billion are the same as from Intl', () => {
  const intl = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
  const digits = fc.double({ min: 0.1, max: 1e9, noNaN: true });
  const halves = fc.integer({ min: 1000, max: 1e9 }).map((count) => count / 10_000);
  const check = (value: number) => {
    assert.equal(formatExact(value), intl.format(value));
    assert.equal(formatExact(-value), `−${intl.format(value)}`);
  };
  fc.assert(fc.property(fc.oneof(digits, halves), check));
});

test('small numbers keep three digits', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 0.1, noNaN: true }), (value) => {
      assert.ok(Math.abs(Number(formatExact(value)) / value - 1) < 0.0051, formatExact(value));
    }),
  );
});

test('small shares have a decimal', () => {
  const cases: ReadonlyArray<readonly [number, string]> = [
    [0, '0%'],
    [0.0001, '<0.1%'],
    [0.0455, '4.6%'],
    [0.05, '5%'],
    [0.452, '45%'],
    [1 / 8, '13%'],
    [57 / 200, '29%'],
    [115 / 920 - 1e-16, '13%'],
    [0.12499, '12%'],
    [1, '100%'],
  ];
  for (const [share, text] of cases) assert.equal(formatShare(share), text);
});

test('times are in UTC', () => {
  assert.equal(formatDate(Date.UTC(2025, 10, 12)), '12 Nov 2025');
  assert.equal(formatDateTime(Date.UTC(2025, 0, 2, 3, 4)), '2 Jan 2025, 03:04 UTC');
});
