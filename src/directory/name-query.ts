/** A search in the names of plugins and owners: the matches and their ranks, best first. */
import type { FoldedNames } from './name-text.ts';
import { foldText, lowerCase } from './names.ts';

/** A search for names. */
export interface NameQuery {
  /** Folded texts; the names of every match have one of them. */
  readonly parts: readonly string[];
  /** The rank of a plugin, 0 for the best; undefined if it does not match. */
  readonly rankOf: (names: FoldedNames, named: Named) => number | undefined;
}

/** A plugin with its owner. */
interface Named {
  readonly name: string;
  readonly owner: { readonly name: string };
}

/** Number of ranks. */
export const rankCount = 6;

/** The rank of names that differ from the search by a letter. */
const similarRank = rankCount - 1;

/** Fewest letters of a word in which a letter may be wrong: shorter ones are similar to everything. */
const minSimilarLength = 4;

/** Makes the query for a part of the name of the plugin or of its owner, without regard to case alone. */
export function queryForPart(part: string): NameQuery {
  const folded = foldText(part);
  const wanted = lowerCase(part);
  const isPlain = folded === wanted;
  return {
    parts: [folded],
    rankOf: (names, { name, owner }) =>
      (isPlain && names.isPlain) || lowerCase(name).includes(wanted) || lowerCase(owner.name).includes(wanted)
        ? 0
        : undefined,
  };
}

/**
 * Makes the query for words, which must all be in the names. Ranks: 0: the whole name. 1: the beginning of the name. 2: every word is in the
 * name. 3: some words are in the name of the owner alone. 4: some words are there as a singular or a plural. Case, accents and apostrophes
 * do not count. `text` is not blank.
 */
export function queryForWords(text: string): NameQuery {
  const folded = foldText(text).trim();
  const words = wordsOf(text);
  const forms = words.map(formsOf);
  return {
    parts: formsOf(longestOf(words)),
    rankOf: ({ name, ownerName }) => {
      if (name === folded) return 0;
      if (name.startsWith(folded)) return 1;
      if (words.every((word) => name.includes(word))) return 2;
      if (words.every((word) => name.includes(word) || ownerName.includes(word))) return 3;
      return forms.every((each) => each.some((form) => name.includes(form) || ownerName.includes(form)))
        ? 4
        : undefined;
    },
  };
}

/**
 * Makes the query for words with up to one mistake each: a letter that is wrong, missing, too many, or swapped with the next. Such a word begins
 * where a word of the name begins (`Chest`, `Shop` in `ChestShop`). Undefined if all words are too short.
 */
export function queryForSimilarWords(text: string): NameQuery | undefined {
  const words = wordsOf(text);
  const longest = longestOf(words);
  if (longest.length < minSimilarLength) return undefined;
  const forms = words.map(formsOf);
  return {
    parts: [...formsOf(longest), ...intactParts(longest)],
    rankOf: ({ name, ownerName }, named) => {
      let parts: readonly WordStarts[] | undefined;
      const isMatch = words.every((word, index) => {
        if (forms[index]?.some((form) => name.includes(form) || ownerName.includes(form))) return true;
        if (word.length < minSimilarLength) return false;
        parts ??= [wordStartsIn(named.name), wordStartsIn(named.owner.name)];
        return parts.some(({ text: part, starts }) => starts.some((start) => isSimilarAt(part, start, word)));
      });
      return isMatch ? similarRank : undefined;
    },
  };
}

/** The folded words of a text, each once. */
function wordsOf(text: string): readonly string[] {
  return [...new Set(foldText(text).trim().split(/\s+/))];
}

function longestOf(words: readonly string[]): string {
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

/** A word, and what its singular or plural has in common with it: chests → chest, boxes → box, factories → factory. */
function formsOf(word: string): readonly string[] {
  const forms = [word];
  if (/.{3}s$/.test(word) && !word.endsWith('ss')) forms.push(word.slice(0, -1));
  if (/.{3}es$/.test(word)) forms.push(word.slice(0, -2));
  if (/.{2}ies$/.test(word)) forms.push(`${word.slice(0, -3)}y`);
  if (/.{3}y$/.test(word)) forms.push(`${word.slice(0, -1)}ies`);
  return forms;
}

/** The parts of a word of which one is intact wherever one letter is wrong. */
function intactParts(word: string): readonly string[] {
  const half = word.length >> 1;
  const swapped = `${word.slice(0, half - 1)}${word.charAt(half)}${word.charAt(half - 1)}${word.slice(half + 1)}`;
  return [word.slice(0, half), word.slice(half), swapped];
}

const wordStart =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[^\p{L}\p{N}\p{M}'])(?=[\p{L}\p{N}])/u;

/** A folded name, and where its words begin. */
interface WordStarts {
  readonly text: string;
  readonly starts: readonly number[];
}

function wordStartsIn(name: string): WordStarts {
  const starts: number[] = [];
  let text = '';
  for (const word of name.split(wordStart)) {
    starts.push(text.length);
    text += foldText(word);
  }
  return { text, starts };
}

/** True for a text that has a word at `start`, but for one letter. */
function isSimilarAt(text: string, start: number, word: string): boolean {
  let at = 0;
  while (at < word.length && word[at] === text[start + at]) at++;
  const continues = (wordAt: number, textAt: number) => text.startsWith(word.slice(wordAt), start + textAt);
  return (
    at === word.length ||
    continues(at + 1, at + 1) ||
    continues(at, at + 1) ||
    continues(at + 1, at) ||
    (word[at] === text[start + at + 1] && word[at + 1] === text[start + at] && continues(at + 2, at + 2))
  );
}
