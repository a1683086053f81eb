/** A rule that an answer breaks. */

/** One disagreement: the expected and the actual value. Both are short and fit on a line. */
export interface Finding {
  readonly expected: string;
  readonly got: string;
}

const MAX_LENGTH = 120;

/** The text on one line of printable characters, shortened in the middle if it is long. */
export function shorten(text: string, maxLength: number = MAX_LENGTH): string {
  const printable = text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (printable.length <= maxLength) return printable;
  const half = Math.floor((maxLength - 1) / 2);
  return `${printable.slice(0, half)}…${printable.slice(-half)}`;
}
