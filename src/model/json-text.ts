/** JSON kept as text: parsing and rendering would lose the order of members and digits. */

/** Valid, compact JSON, without white space between tokens. */
export type JsonText = string & { readonly json: 'compact' };

/** Marks text as JSON that this program has written or compacted itself. */
export function trustedJson(text: string): JsonText {
  return text as JsonText;
}

/** Matches a surrogate pair, a lone surrogate, U+0000, or any other escape. */
const escapes = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u(?:0000|[dD][89a-fA-F]..)|\\./g;

/**
 * Replaces each lone surrogate and U+0000 in JSON strings by the six characters of its escape. Releases up to
 * 0.3.0 stored share names with such characters in histories; records must not contain them.
 */
export function wellFormedJson(json: string): string {
  if (!json.includes('\\u')) return json;
  return json.replaceAll(escapes, (one) => (one.length === 6 ? `\\${one.toLowerCase()}` : one));
}
