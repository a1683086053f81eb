// Queries for names, over the text of all names: exact parts, words, and words with a wrong letter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type NameQuery,
  queryForPart,
  queryForSimilarWords,
  queryForWords,
} from '../../src/directory/name-query.ts';
import { NameText } from '../../src/directory/name-text.ts';
import { lowerCase } from '../../src/directory/names.ts';
import { fc } from '../support/seed.ts';

/** The names that match, best first. */
async function search(names: readonly string[], query: NameQuery | undefined): Promise<readonly string[]> {
  const named = names.map((name) => ({ name, owner: { name: 'Zed' } }));
  const text = await NameText.create(named);
  const found: { readonly name: string; readonly rank: number }[] = [];
  if (query === undefined) return [];
  for (const { positions, namesAt } of text.find(query.parts))
    for (const position of positions) {
      const one = named[position] ?? assert.fail();
      const rank = query.rankOf(namesAt(position), one);
      if (rank !== undefined) found.push({ name: one.name, rank });
    }
  return found.toSorted((a, b) => a.rank - b.rank).map(({ name }) => name);
}

const words = (text: string, names: readonly string[]) => search(names, queryForWords(text));
const similar = (text: string, names: readonly string[]) => search(names, queryForSimilarWords(text));

const names = [
  'GriefPrevention',
  'Chest Shop',
  'DeluxeChests',
  'Lootbox',
  'Ann’s Factory',
  'NBTEditor',
  'Été',
];

test('words are found without case, accents and apostrophes', async () => {
  assert.deepEqual(await words('ete', names), ['Été']);
  assert.deepEqual(await words("ann's fact", names), ['Ann’s Factory']);
  assert.deepEqual(await words('anns', names), ['Ann’s Factory']);
});

test('a singular finds its plural, and a plural its singular, behind exact matches', async () => {
  assert.deepEqual(await words('chests', names), ['DeluxeChests', 'Chest Shop']);
  assert.deepEqual(await words('chest', names), ['Chest Shop', 'DeluxeChests']);
  assert.deepEqual(await words('lootboxes', names), ['Lootbox']);
  assert.deepEqual(await words('factories', names), ['Ann’s Factory']);
  assert.deepEqual(await words("griefprevention's", names), ['GriefPrevention']);
  assert.deepEqual(await words('grass', ['Gras']), [], 'no plural');
});

test('a letter may be wrong, missing, too many, or swapped with the next', async () => {
  for (const text of [
    'griefpreventiom',
    'griefprevntion',
    'griefpreventtion',
    'greifprevention',
    'riefprevention',
  ])
    assert.deepEqual(await similar(text, names), ['GriefPrevention'], text);
  assert.deepEqual(await similar('greifpreventoin', names), [], 'two letters');
  assert.deepEqual(await similar('prevetnion', names), ['GriefPrevention'], 'a word within the name');
  assert.deepEqual(await similar('edtior', names), ['NBTEditor']);
  assert.deepEqual(await similar('chesd shops', names), ['Chest Shop']);
  assert.deepEqual(await similar('bow', names), [], 'too short');
  assert.deepEqual(await similar('hests hop', names), ['Chest Shop']);
});

test('any one edit of a word still finds it', async () => {
  const letter = fc.constantFrom(...'abcdefgh');
  const word = fc.string({ unit: letter, minLength: 5, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      word,
      fc.nat(),
      letter,
      fc.constantFrom(0, 1, 2, 3),
      async (name, place, other, kind) => {
        const at = place % (name.length - 1);
        const [before, after] = [name.slice(0, at), name.slice(at + 1)];
        const edited = [
          before + other + after,
          before + after,
          before + other + name.slice(at),
          before + after.charAt(0) + name.charAt(at) + after.slice(1),
        ][kind];
        assert.deepEqual(await similar(edited ?? assert.fail(), [name]), [name]);
      },
    ),
  );
});

test('a query for a part finds what has it in lower case, and nothing else', async () => {
  const text = fc.string({ unit: fc.constantFrom(..."aAéÉeE'’ςσΣıİIßﬁ한글 \u0301"), maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), text, async (all, part) => {
      const expected = all.filter((name) =>
        [name, 'Zed'].some((one) => lowerCase(one).includes(lowerCase(part))),
      );
      assert.deepEqual(await search(all, queryForPart(part)), expected);
    }),
    { numRuns: 500 },
  );
});
