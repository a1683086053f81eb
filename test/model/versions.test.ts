// Versions: which names are versions, their order, and their minor lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  areVersions,
  isAtLeast,
  isVersion,
  linesIn,
  minorLine,
  newestFirst,
  versionKey,
} from '../../src/model/versions.ts';
import { fc } from '../support/seed.ts';

const lines: Readonly<Record<string, readonly string[]>> = {
  '1.21.x': ['1.21', '1.21.4', '1.21.11', '1.21-R0.4', '1.21.x', 'v1.21.1', 'V1.21.4-SNAPSHOT', '1.21.4+b.7'],
  '26.1.x': ['26.1.2', '26.1', '26.1-snapshot-3', '26.1rc1'],
  '6.12.x': ['6.12.24-Unraid', '6.12.85+deb13-amd64'],
  '1.8.x': ['1.8.8', '1.8.0', 'v1.8.0_492', '1.8_1'],
  '17.0.x': ['17.0.1'],
  'Java 8': ['1.8.0_492', '1.8.0_492-b09', 'Java 8', 'java 8', 'Java 1.8.0_492'],
  'Java 21': ['Java 21', 'JAVA 21', 'Java 21.0.3', 'java-21.0.3+9', 'Java 21-ea'],
};

const noVersions = [
  ...['21', '4', '', 'unknown', 'Unknown', 'Windows 10', 'DE', 'Paper', '24w14a', '25w41a', 'V10', 'v1'],
  ...['1.5 GB', '1.', '1.2.', '1..2', 'Java', '.5', ' 1.2', '1.2 ', '1.2\n'],
];

test('a version belongs to its minor line, and another name to itself', () => {
  for (const [line, names] of Object.entries(lines))
    for (const name of names) {
      assert.equal(minorLine(name), line, name);
      assert.ok(isVersion(name), name);
    }
  for (const name of noVersions) {
    assert.equal(minorLine(name), name);
    assert.ok(!isVersion(name), name);
  }
});

/** The oldest first; the last ones are no versions. */
const ascending = [
  ...['1.7.10', '1.8', '1.8.0', '1.8.1', '1.20.4-SNAPSHOT', '1.20.4-dev-2', '1.20.4-alpha.10', '1.20.4-a.11'],
  ...['1.20.4-beta.2', '1.20.4-b.10', '1.20.4-pre1', '1.20.4-rc-1', '1.20.4-RC-2', '1.20.4-rc.10', '1.20.4'],
  ...[
    '1.20.4-R0.1',
    '1.20.4+build.9',
    '1.20.4+build.10',
    '1.21',
    '1.21.0',
    '1.21.x',
    'v1.21',
    '1.21.1',
    '1.21.11',
  ],
  ...[
    '2.0.0-alpha',
    '2.0.0-beta',
    '2.0.0',
    'Java 8',
    '1.8.0_92',
    '1.8.0_492',
    '11.0.2',
    'Java 17',
    'Java 17.0.0+9',
    '17.0.1',
    'Java 17.0.10+2',
  ],
  ...['Java 21', '26.1-snapshot-2', '26.1-snapshot-10', '26.1-rc-1', '26.1', '26.2-snapshot-10'],
  ...['9007199254740993.0', '9007199254740993.1', '90071992547409931.0'],
];
const others = ['', '21', '25w41a', '25w5a', 'Other', 'Unknown', 'unknown', '\uffff', '😀'];

test('versions come newest first, and other names last, whatever their order was', () => {
  const expected = [...ascending.toReversed(), ...others];
  fc.assert(
    fc.property(fc.shuffledSubarray(expected), (names) => {
      assert.deepEqual(
        names.toSorted(newestFirst),
        expected.filter((name) => names.includes(name)),
      );
    }),
  );
});

const number = fc.oneof(fc.nat(30), fc.constantFrom('0', '01', '9007199254740993', '9007199254740992'));
const suffix = fc.oneof(
  fc.constant(''),
  fc
    .tuple(
      fc.constantFrom('-', '.', '+', '_', ''),
      fc.constantFrom('snapshot', 'DEV', 'alpha', 'a', 'Beta', 'b', 'pre', 'rc', 'x', 'R', 'build', ''),
      fc.constantFrom('', '-', '.'),
      fc.oneof(fc.constant(''), number),
    )
    .map((parts) => parts.join('')),
);
const anyName = fc.oneof(
  fc
    .tuple(fc.constantFrom('', 'v', 'V'), fc.array(number, { maxLength: 4 }), suffix)
    .map(([v, numbers, end]) => v + numbers.join('.') + end),
  number.map((java) => `Java ${java}`),
  fc.tuple(number, number, number).map(([java, minor, build]) => `1.${java}.${minor}_${build}`),
  fc.tuple(number, number).map(([year, week]) => `${year}w${week}a`),
  fc.string({ unit: 'binary', maxLength: 4 }),
);

test('the order is total: of different names one is first, and what is behind a name is behind those before it', () => {
  fc.assert(
    fc.property(anyName, anyName, anyName, (a, b, c) => {
      const [ab, bc, ac] = [newestFirst(a, b), newestFirst(b, c), newestFirst(a, c)].map(Math.sign);
      assert.equal(ab, -Math.sign(newestFirst(b, a)) + 0);
      assert.equal(ab === 0, a === b);
      if (ab === bc) assert.equal(ac, ab);
    }),
    { numRuns: 3000 },
  );
});

test('the order of names does not depend on the order in which they came', () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(anyName, { maxLength: 30 })
        .chain((names) =>
          fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })),
        ),
      ([names, shuffled]) => assert.deepEqual(names.toSorted(newestFirst), shuffled.toSorted(newestFirst)),
    ),
  );
});

test('a minor line is its own, and stands where its versions do', () => {
  fc.assert(
    fc.property(anyName, anyName, (a, b) => {
      assert.equal(minorLine(minorLine(a)), minorLine(a));
      assert.equal(isVersion(minorLine(a)), isVersion(a));
      const lineOrder = newestFirst(minorLine(a), minorLine(b));
      const isJava = [a, b].some((name) => /^java |^1\..*_/i.test(name));
      // Lines of equal numbers, such as 1.01.x and 1.1.x, are ordered bytewise.
      if (isVersion(a) && isVersion(b) && !isJava && !isAtLeast(minorLine(a), minorLine(b)))
        assert.ok(lineOrder > 0 && newestFirst(a, b) > 0, `${a} is older than ${b}`);
    }),
  );
});

test('a version is at least another one by its numbers and its stage alone', () => {
  for (const [name, least] of [
    ['1.20', '1.20'],
    ['1.20.0', '1.20'],
    ['1.20', '1.20.0'],
    ['v1.20', '1.20.x'],
    ['1.20.x', '1.20'],
    ['1.20.1-rc1', '1.20'],
    ['26.1', '1.20'],
    ['Java 21', '21'],
    ['Java 21', 'Java 21'],
    ['21.0.1', 'java 21'],
    ['1.8.0_492', '8'],
    ['1.20-Beta3', '1.20-b2'],
  ] as const)
    assert.ok(isAtLeast(name, least), `${name} is at least ${least}`);
  for (const [name, least] of [
    ['1.20-rc1', '1.20'],
    ['1.9', '1.20'],
    ['1.8.0_492', 'Java 11'],
    ['25w41a', '1.20'],
    ['21', '21'],
    ['1.20', 'Unknown'],
  ] as const)
    assert.ok(!isAtLeast(name, least), `${name} is not at least ${least}`);
});

test('the same version has the same key, however it is written', () => {
  const keys = [
    ['2.4.0', 'v2.4', '2.4', 'V2.04.0.0'],
    ['2', '2.0.0', 'v2'],
    ['0', '0.0', 'v00'],
    ['2.4.0-RC1', '2.4-rc1'],
    ['2.4.1'],
    ['20.4'],
    ['vault'],
    ['Vault'],
  ];
  const all = keys.map((names) => new Set(names.map(versionKey)));
  for (const names of all) assert.equal(names.size, 1);
  assert.equal(new Set(all.flatMap((names) => [...names])).size, keys.length);
});

test('a name of megabytes is no version, which is found at once', () => {
  for (const name of [
    `java 1${'.1'.repeat(500_000)} x`,
    `${'1'.repeat(500_000)} x`,
    `1.${'1.'.repeat(500_000)}`,
  ]) {
    assert.equal(isVersion(name), false);
    assert.equal(versionKey(name), name);
  }
});

test('minor lines beyond the cache of versions are in order, without those of 0', () => {
  const numbers = Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 20_000);
  const sums = new Map([...numbers.map((number) => [`1.${number}`, number] as const), ['unknown', 1]]);
  const { lines, other } = linesIn({ at: null, timeCount: 1, sums });
  assert.deepEqual(
    lines,
    Array.from({ length: 19_999 }, (_, index) => [`1.${19_999 - index}.x`, 19_999 - index]),
  );
  assert.equal(other, 1);
});

test('a chart is one of versions from a sum of 10 on, of which four fifths are versions', () => {
  const day = (versions: number, others: number, timeCount = 1) => ({
    ...{ at: null, timeCount },
    sums: new Map([
      ['1.20', versions],
      ['Unknown', others],
    ]),
  });
  assert.ok(areVersions(day(8, 2)));
  assert.ok(!areVersions(day(7, 2)));
  assert.ok(!areVersions(day(79, 21)));
  assert.ok(!areVersions(day(19, 0, 2)));
  assert.ok(areVersions(day(20, 0, 2)));
});
