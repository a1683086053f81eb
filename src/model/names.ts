/** Names as people compare them. */

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
  if (/^[\n -&(-_a-~]*$/.test(lower)) return lower;
  return lowerCase(lower.normalize('NFKD')).replaceAll(/[\p{M}'’‘ʼ`´]/gu, '');
}

/** The characters of ASCII that are no letters and no digits, in the order in which Unicode sorts them. */
const signs = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$';

/**
 * Makes the key that lists by name are sorted by, in the order of its bytes and of its UTF-16 alike: without case, accents and characters that are not
 * seen; signs before digits before letters, 9 before 10. Names that differ in case alone have one key.
 */
export function nameKey(name: string): string {
  return lowerCase(lowerCase(name).normalize('NFKD'))
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/\d+/g, lengthFirst)
    .replaceAll(/[ \p{P}\p{S}]/gu, signKey)
    .replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '\uffff');
}

/** Puts signs before digits: those of ASCII in their order, and behind them all others, which are equal. */
function signKey(sign: string): string {
  const at = signs.indexOf(sign);
  return at === -1 ? '/' : String.fromCharCode(1 + at);
}

/** Puts the count of its digits before a number: as many letters from `0` on. */
function lengthFirst(number: string): string {
  const digits = number.replace(/^0+(?=.)/, '');
  return String.fromCharCode(0x30 + Math.min(digits.length, 9)) + digits;
}

/** True for names that differ in case alone. */
export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
