/** Compares and sorts names the way people do, and finds the one that was meant. */

/** Converts to lower case. A final sigma becomes a normal sigma, so that parts of words match. */
export function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/**
 * Folds text for search: lower case, no accents or apostrophes, one form per letter. A substring of a text
 * folds to a substring of the folded text.
 */
export function foldText(text: string): string {
  const lower = lowerCase(text);
  // Fast path that covers most names.
  if (/^[\n -&(-_a-~]*$/.test(lower)) return lower;
  return lowerCase(lower.normalize('NFKD')).replaceAll(/[\p{M}'’‘ʼ`´]/gu, '');
}

/** ASCII characters other than letters and digits, in the sort order of Unicode. */
const signs = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$';

/**
 * Makes the sort key of a name, which sorts the same by bytes as by UTF-16. It ignores case, accents and
 * invisible characters; signs sort before digits, digits before letters, 9 before 10. Names that differ only
 * in case have the same key.
 */
export function nameKey(name: string): string {
  return lowerCase(lowerCase(name).normalize('NFKD'))
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/\d+/g, lengthFirst)
    .replaceAll(/[ \p{P}\p{S}]/gu, signKey)
    .replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '\uffff');
}

/** Maps signs to characters that sort before digits: ASCII signs in their order, then all others as equal. */
function signKey(sign: string): string {
  const at = signs.indexOf(sign);
  return at === -1 ? '/' : String.fromCharCode(1 + at);
}

/** Prefixes a number with a character for its length, so that longer numbers sort later. */
function lengthFirst(number: string): string {
  const digits = number.replace(/^0+(?=.)/, '');
  return String.fromCharCode(0x30 + Math.min(digits.length, 9)) + digits;
}

/** True for names that differ at most in case. */
export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/**
 * Finds the name with the smallest edit distance, ignoring case; the first of several, undefined if there are
 * no names.
 */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const distances = names.map((name) => distanceOf(text.toLowerCase(), name.toLowerCase()));
  return names[distances.indexOf(Math.min(...distances))];
}

/** Computes the Levenshtein distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...b].entries()) {
      const [left = 0, above = 0, corner = 0] = [next[at], row[at + 1], row[at]];
      next.push(Math.min(left + 1, above + 1, corner + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
