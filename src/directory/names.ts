/** Names as people compare them: ignoring case and accents, and 9 before 10. */

/** Made when it is first used: it takes 10 ms of a start. */
let collator: Intl.Collator | undefined;

/** Compares two names in a list; 0 for names that differ in case or accents alone. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}

/** Makes a text lower case. A sigma at the end of a word has a form of its own, which a part of the word does not have. */
export function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/**
 * Folds a text for search: lower case, without accents and apostrophes, one form for each letter. A part of a text folds to a part of
 * its folded form.
 */
export function foldText(text: string): string {
  const lower = lowerCase(text);
  // Enough for most names.
  if (/^[ -&(-_a-~]*$/.test(lower)) return lower;
  return lowerCase(lower.normalize('NFKD')).replaceAll(/[\p{M}'’‘ʼ`´]/gu, '');
}

/** A hash that ignores case. */
export function hashName(name: string): number {
  const lower = name.toLowerCase();
  // FNV-1a, over UTF-16.
  let hash = 0x811c9dc5;
  for (let index = 0; index < lower.length; index++)
    hash = Math.imul(hash ^ lower.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** True for names that differ in case alone. */
export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
