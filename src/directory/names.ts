/** Names as people compare them: ignoring case and accents, and 9 before 10. */

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Compares two names in a list; 0 for names that differ in case or accents alone. */
export const compareNames: (a: string, b: string) => number = collator.compare;

/** Folds a text for search: lower case, without accents, one form for each letter. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  // Enough for most names.
  if (/^[ -~]*$/.test(lower)) return lower;
  return lower.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
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
