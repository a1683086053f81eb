// Names that are near a search: words with a wrong letter, singulars and plurals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText } from '../../../src/model/names.ts';
import { nearQuery } from '../../../src/store/lists/near-query.ts';
import { fc } from '../../support/seed.ts';

/** The names that are near, as a store finds them: by the parts first. */
function near(text: string, names: readonly string[]): readonly string[] {
  const { parts, isNear } = nearQuery(text);
  return names.filter((name) => {
    const folded = foldText(`${name}\nZed`);
    return parts.every((some) => some.some((part) => folded.includes(part))) && isNear([name, 'Zed']);
  });
}

test('any one edit of a word still finds it', () => {
  const letter = fc.constantFrom(...'abcdefgh');
  const word = fc.string({ unit: letter, minLength: 5, maxLength: 12 });
  fc.assert(
    fc.property(word, fc.nat(), letter, fc.constantFrom(0, 1, 2, 3), (name, place, other, kind) => {
      const at = place % (name.length - 1);
      const [before, after] = [name.slice(0, at), name.slice(at + 1)];
      const edited = [
        before + other + after,
        before + after,
        before + other + name.slice(at),
        before + after.charAt(0) + name.charAt(at) + after.slice(1),
      ][kind];
      assert.deepEqual(near(edited ?? assert.fail(), [name]), [name]);
    }),
  );
});
