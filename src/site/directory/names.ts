/** How people compare names: without regard to case and accents, and 9 before 10. */

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The order of two names in a list; 0 for names that differ in case or accents alone. */
export const compareNames: (a: string, b: string) => number = collator.compare;

/** A text in which a search looks for another one: without case, accents, and other forms of the same letters. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  // Most names need no more.
  if (/^[ -~]*$/.test(lower)) return lower;
  return lower.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
}

/** A number that is the same for names that differ in case alone, and seldom for others. */
export function hashName(name: string): number {
  const lower = name.toLowerCase();
  // FNV-1a, over UTF-16.
  let hash = 0x811c9dc5;
  for (let index = 0; index < lower.length; index++)
    hash = Math.imul(hash ^ lower.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Whether two names differ in case alone. */
export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
