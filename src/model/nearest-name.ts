/** Suggests the name that a user probably meant. */

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
