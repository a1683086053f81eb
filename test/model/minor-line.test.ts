// Shares of versions by their minor line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShareValue } from '../../src/model/forms/share-values.ts';
import { groupSeries, groupShares } from '../../src/model/versions.ts';
import { fc } from '../support/seed.ts';

const number = fc.nat(40);
const names = fc.oneof(
  fc.string(),
  fc.tuple(number, number, number).map((parts) => parts.join('.')),
  number.map((java) => `Java ${java}`),
);

const sumOf = (values: Iterable<number>) => Array.from(values).reduce((sum, value) => sum + value, 0);

test('shares of a minor line are one share, groups stay together, and no count is lost', () => {
  const groups = fc.oneof(fc.constant(null), names);
  const share = fc.record({ group: groups, name: names });
  fc.assert(
    fc.property(fc.array(fc.tuple(share, fc.nat(1000))), (shares: ShareValue[]) => {
      const grouped = groupShares(shares);
      assert.equal(sumOf(grouped.map(([, value]) => value)), sumOf(shares.map(([, value]) => value)));
      const keys = grouped.map(([one]) => JSON.stringify([one.group ?? one.name, one.name]));
      assert.equal(new Set(keys).size, keys.length);
      const outer = grouped.map(([one]) => one.group ?? one.name);
      const runs = outer.filter((name, index) => name !== outer[index - 1]);
      assert.equal(new Set(runs).size, runs.length);
    }),
  );
  assert.deepEqual(
    groupShares([
      [{ group: '1.21.4', name: '21' }, 5],
      [{ group: '26.1', name: '25' }, 1],
      [{ group: '1.21.11', name: '25' }, 2],
      [{ group: '1.21.11', name: '21' }, 3],
    ]),
    [
      [{ group: '1.21.x', name: '21' }, 8],
      [{ group: '1.21.x', name: '25' }, 2],
      [{ group: '26.1.x', name: '25' }, 1],
    ],
  );
});

test('series of a minor line are one series, the largest first, and the others stay the last', () => {
  const series = [
    { name: '2.4.1', values: [5, 1] },
    { name: 'dev', values: [4, 4] },
    { name: '2.4.0', values: [2, 1] },
    { name: 'Other', isOther: true, otherCount: 3, values: [9, 9] },
  ].map((one) => ({ ...one, values: Float64Array.from(one.values) }));
  assert.deepEqual(groupSeries({ times: [1, 2], series }), {
    times: [1, 2],
    series: [
      { name: '2.4.x', values: Float64Array.of(7, 2) },
      { name: 'dev', values: Float64Array.of(4, 4) },
      { name: 'Other', isOther: true, values: Float64Array.of(9, 9) },
    ],
  });
});
