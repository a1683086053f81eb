// Versions by their minor line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShareValue } from '../../src/model/data-shares.ts';
import { groupSeries, groupShares, minorLine } from '../../src/model/minor-line.ts';
import { fc } from '../support/seed.ts';

const lines: Readonly<Record<string, readonly string[]>> = {
  '1.21.x': [
    '1.21',
    '1.21.4',
    '1.21.11',
    '1.21-R0.4',
    '1.21.x',
    'v1.21.1',
    '1.21.4-SNAPSHOT',
    '1.21.4+build.7',
  ],
  '26.1.x': ['26.1.2', '26.1', '26.1-snapshot-3'],
  '2.5.x': ['2.5.0-SNAPSHOT', '2.5.1'],
  '6.12.x': ['6.12.24-Unraid', '6.12.85+deb13-amd64'],
  '1.8.x': ['1.8.8', '1.8.0'],
  '21.0.x': ['21.0.3'],
  'Java 8': ['1.8.0_492', 'Java 8', 'Java 1.8.0_492', 'java 8'],
  'Java 21': ['Java 21', 'Java 21.0.3', 'java-21.0.3+9', 'Java 21-ea'],
};

const noVersions = [
  '21',
  '4',
  '',
  'unknown',
  'Windows 10',
  'DE',
  'Paper',
  '24w14a',
  'V10',
  '1.5 GB',
  '1.',
  'Java',
  '.5',
];

test('a version belongs to its minor line, and another name to itself', () => {
  for (const [line, names] of Object.entries(lines))
    for (const name of names) assert.equal(minorLine(name), line, name);
  for (const name of noVersions) assert.equal(minorLine(name), name);
});

const number = fc.nat(40);
const names = fc.oneof(
  fc.string(),
  fc.tuple(number, number, number).map((parts) => parts.join('.')),
  fc.tuple(number, fc.constantFrom('', '.0.3', '-ea')).map(([java, rest]) => `Java ${java}${rest}`),
);

test('a minor line is its own, and has every version that begins with it', () => {
  fc.assert(
    fc.property(names, number, number, number, (name, major, minor, patch) => {
      assert.equal(minorLine(minorLine(name)), minorLine(name));
      assert.equal(minorLine(`${major}.${minor}.${patch}`), `${major}.${minor}.x`);
      // Java 1.8 is Java 8.
      assert.equal(minorLine(`Java ${major + 2}.${minor}.${patch}`), `Java ${major + 2}`);
      assert.equal(minorLine(`Java 1.${major}.0_${patch}`), `Java ${major}`);
    }),
  );
});

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
