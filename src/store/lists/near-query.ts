/** A search for words in the names of plugins and owners. */
import { foldText } from '../../model/names.ts';

/** Fewest letters of a word in which a letter may be wrong: shorter ones are similar to everything. */
const minSimilarLength = 4;

/** A search for names that are near. */
export interface NearQuery {
  /** Folded texts for the longest words; the names of every match have one of each. */
  readonly parts: readonly (readonly string[])[];
  /** True for a match; the names are that of the plugin and that of its owner. */
  readonly isNear: (names: readonly string[]) => boolean;
}

/**
 * Makes the search for names that are near: words as a singular or a plural, or with one mistake: a letter that is wrong, missing, too many, or swapped
 * with the next. A word with a mistake begins where a word of the name begins (`Chest`, `Shop` in `ChestShop`).
 */
export function nearQuery(text: string): NearQuery {
  const words = wordsOf(text);
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, 2);
  const forms = words.map(formsOf);
  return {
    parts: longest.map((word) => [
      ...formsOf(word),
      ...(word.length < minSimilarLength ? [] : intactParts(word)),
    ]),
    isNear: (names) => {
      const folded = names.map(foldText);
      let parts: readonly WordStarts[] | undefined;
      return words.every((word, index) => {
        if (forms[index]?.some((form) => folded.some((name) => name.includes(form)))) return true;
        if (word.length < minSimilarLength) return false;
        parts ??= names.map(wordStartsIn);
        return parts.some(({ text: part, starts }) => starts.some((start) => isSimilarAt(part, start, word)));
      });
    },
  };
}

/** The folded words of a text, each once. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(foldText(text).trim().split(/\s+/))];
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
