// The colours of shares by their names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areVersionNames, colourRanks, joinColours } from '../../../src/draw/shares/share-colours.ts';
import { newestFirst } from '../../../src/model/versions.ts';
import { fc } from '../../support/seed.ts';

const version = fc.tuple(fc.nat(30), fc.nat(30)).map(([major, minor]) => `${major}.${minor}`);
const versions = fc.uniqueArray(version, { minLength: 1, maxLength: 12 });

test('a version has one colour, whatever is shown beside it, and an older one never a stronger one', () => {
  fc.assert(
    fc.property(versions, fc.array(version), fc.array(fc.nat(40)), (colours, others, picks) => {
      const all = [...colours, ...others];
      const colourOf = new Map(all.map((name, index) => [name, colourRanks(all, colours)[index]]));
      const some = picks.flatMap((pick) => all[pick] ?? []);
      assert.deepEqual(
        colourRanks(some, colours),
        some.map((name) => colourOf.get(name)),
      );
      const ordered = all.toSorted(newestFirst).map((name) => colourOf.get(name) ?? 0);
      assert.deepEqual(
        ordered,
        ordered.toSorted((a, b) => b - a),
      );
      assert.equal(new Set(colours.map((name) => colourOf.get(name))).size, colours.length);
    }),
  );
});

test('names that are mostly no versions have the colours of their places', () => {
  assert.equal(areVersionNames(['1.2', 'a', 'b']), false);
  assert.deepEqual(colourRanks(['x', 'b', '1.2', 'y'], ['1.2', 'a', 'b']), [3, 2, 0, 4]);
  assert.deepEqual(colourRanks(['x', 'y']), [0, 1]);
});

test('a name among versions that is none is the last of them', () => {
  const colours = ['Unknown', '1.2', '1.4', '1.3', '1.1'];
  const ranks = colourRanks(['Unknown', '1.1', 'another'], colours);
  assert.ok((ranks[0] ?? 0) < (ranks[1] ?? 0), String(ranks));
  assert.equal(ranks[2], colours.length);
});

test('charts that are added up share their colours in turn', () => {
  assert.deepEqual(joinColours([['a', 'b'], ['c', 'a', 'd'], []]), ['a', 'c', 'b', 'd']);
  const many = (letter: string) => Array.from({ length: 12 }, (_, index) => letter + index);
  assert.equal(joinColours([many('a'), many('b')]).length, 12);
});
