/** A search for similar words in the names of plugins and owners. */
import { foldText } from '../../model/names.ts';

/** The shortest length of a word that may contain a mistake: shorter words are similar to everything. */
const minSimilarLength = 4;

/** A search for similar names. */
export interface NearQuery {
  /**
   * Folded texts for each of the longest words; the names of every match contain at least one text of each
   * list.
   */
  readonly parts: readonly (readonly string[])[];
  /** True for a match. @param names the name of the plugin, and that of its owner. */
  readonly isNear: (names: readonly string[]) => boolean;
}

/**
 * Makes a search for similar names. A word may be in the singular or the plural, or may contain one mistake:
 * a letter that is wrong, missing, extra, or swapped with the next. A word with a mistake must begin where a
 * word of the name begins (`Chest`, `Shop` in `ChestShop`).
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

/** The folded words of a text, without duplicates. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(foldText(text).trim().split(/\s+/))];
}

/** A word, and its possible singulars and plurals: chests → chest, boxes → box, factories → factory. */
function formsOf(word: string): readonly string[] {
  const forms = [word];
  if (/.{3}s$/.test(word) && !word.endsWith('ss')) forms.push(word.slice(0, -1));
  if (/.{3}es$/.test(word)) forms.push(word.slice(0, -2));
  if (/.{2}ies$/.test(word)) forms.push(`${word.slice(0, -3)}y`);
  if (/.{3}y$/.test(word)) forms.push(`${word.slice(0, -1)}ies`);
  return forms;
}

/** Parts of a word; whichever single letter is wrong, at least one part is still right. */
function intactParts(word: string): readonly string[] {
  const half = word.length >> 1;
  const swapped = `${word.slice(0, half - 1)}${word.charAt(half)}${word.charAt(half - 1)}${word.slice(half + 1)}`;
  return [word.slice(0, half), word.slice(half), swapped];
}

const wordStart =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[^\p{L}\p{N}\p{M}'])(?=[\p{L}\p{N}])/u;

/** A folded name, and the offsets at which its words begin. */
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

/** True if the text has the word at `start`, with at most one mistake. */
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
