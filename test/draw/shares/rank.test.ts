// The order of shares, their parts of the whole, and the gathering of small ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatherSlices, rankShares, shareFilter } from '../../../src/draw/shares/slices.ts';
import { fc } from '../../support/seed.ts';

const sharesOf = (values: readonly number[]) => values.map((value, index) => ({ name: `n${index}`, value }));

test('parts add up to the whole, however large or small the values, and values that are not positive have none', () => {
  const value = fc.oneof(fc.double({ min: -1e15, max: 1e15, noNaN: true }), fc.nat(), fc.constant(0));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 300 }), (values) => {
      const parts = rankShares(sharesOf(values)).map(({ part }) => part);
      const sum = parts.reduce((total, part) => total + part, 0);
      assert.ok(Math.abs(sum - (values.some((one) => one > 0) ? 1 : 0)) < 1e-9);
      assert.ok(parts.every((part) => part >= 0 && part <= 1));
    }),
  );
});

test('slices below half a percent are gathered from the twenty-first on', () => {
  const ranked = rankShares(sharesOf([...Array(22).fill(45), 1, 1, 2]));
  const { shares, other } = gatherSlices(ranked, 100);
  assert.equal(shares.length, 22);
  assert.deepEqual([other?.count, other?.value], [3, 4]);
  assert.equal(gatherSlices(rankShares(sharesOf(Array(150).fill(1))), 1000).other, undefined);
  assert.equal(gatherSlices(rankShares(sharesOf([1000, 1, 1])), 100).other, undefined);
});

test('hidden shares keep their places, and gathered ones are hidden and shown by their names too', () => {
  const hide = (isShown: (name: string | undefined) => boolean) => {
    const { shares, other } = gatherSlices(rankShares(sharesOf([40, 30, 15, 10, 5]), isShown), 3);
    const parts = [...shares, ...(other === undefined ? [] : [other])].map(({ part }) => part);
    return { parts, other: other?.name, isHidden: other?.isHidden };
  };
  const third = { parts: [0, 0, 1], other: 'n3', isHidden: false };
  assert.deepEqual(
    hide((name) => name === 'n3'),
    third,
  );
  const { parts, other } = hide((name) => name !== 'n3');
  assert.deepEqual([parts.map((part) => Math.round(part * 90)), other], [[40, 30, 20], 'Other (2)']);
  const first = { parts: [1, 0, 0], other: 'Other (3)', isHidden: true };
  assert.deepEqual(
    hide((name) => name === 'n0'),
    first,
  );
});

test('a filter that would hide all that is above 0 is ignored, and says so', () => {
  const shares = sharesOf([0, 2, 1]);
  const isKept = (wanted: string) => shareFilter(shares, (name) => name === wanted);
  assert.deepEqual(
    [isKept('n1').isShown('n1'), isKept('n1').isShown('n2'), isKept('n1').note],
    [true, false, ''],
  );
  for (const name of ['n0', 'gone']) {
    assert.equal(isKept(name).isShown('n1'), true);
    assert.match(isKept(name).note, /all would be hidden/);
  }
  assert.equal(shareFilter(sharesOf([0]), () => false).note, '');
});
