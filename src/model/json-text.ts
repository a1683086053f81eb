/** JSON kept as text: parsing and writing it again would lose the order of members, or digits. */

/** Valid, compact JSON (no white space between tokens). */
export type JsonText = string & { readonly json: 'compact' };

/** Marks text as JSON that this program wrote or compacted itself. */
export function trustedJson(text: string): JsonText {
  return text as JsonText;
}

/** A pair of surrogates, a lone one or U+0000, or another escape. */
const escapes = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u(?:0000|[dD][89a-fA-F]..)|\\./g;

/**
 * Turns each lone surrogate and U+0000 in the strings of JSON into the six characters of its escape. Up to 0.3.0, shares with a history could have
 * them in their names, which are read so: no record may have them.
 */
export function wellFormedJson(json: string): string {
  if (!json.includes('\\u')) return json;
  return json.replaceAll(escapes, (one) => (one.length === 6 ? `\\${one.toLowerCase()}` : one));
}
