/** Matching of plugins in a search, with ranks. */
import type { Entry } from './catalogue.ts';
import { foldText } from './names.ts';

/** Number of ranks. */
export const rankCount = 4;

/** The rank of a plugin among the matches, 0 for the best; undefined for no match. */
export type Matcher = (entry: Entry) => number | undefined;

/** Makes the matcher of a search; undefined for one that every plugin matches. */
export function createMatcher(search: {
  readonly text?: string | undefined;
  readonly softwareUrl?: string | undefined;
  readonly ownerId?: number | undefined;
}): Matcher | undefined {
  const { text = '', softwareUrl, ownerId } = search;
  if (text.trim() === '' && softwareUrl === undefined && ownerId === undefined) return undefined;
  const rankOf = textMatcher(text);
  return (entry) => {
    if (softwareUrl !== undefined && entry.software.url !== softwareUrl) return undefined;
    if (ownerId !== undefined && entry.owner.id !== ownerId) return undefined;
    return rankOf(entry);
  };
}

/**
 * Ranks by text. 0: the whole name, or the id. 1: the beginning of the name. 2: every word is in the name. 3: some words are in
 * the name of the owner alone.
 */
function textMatcher(text: string): Matcher {
  const folded = foldText(text).trim();
  const words = folded.split(/\s+/);
  const id = /^\d+$/.test(folded) ? Number(folded) : undefined;
  return ({ id: pluginId, foldedName, owner }) => {
    if (pluginId === id || foldedName === folded) return 0;
    if (foldedName.startsWith(folded)) return 1;
    if (words.every((word) => foldedName.includes(word))) return 2;
    return words.every((word) => foldedName.includes(word) || owner.foldedName.includes(word))
      ? 3
      : undefined;
  };
}
