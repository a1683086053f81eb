/** JSON that is kept as text, because parsing and writing it again would lose member order or digits. */

/** Valid, compact JSON (no white space between tokens). */
export type JsonText = string & { readonly json: 'compact' };

/** Vouches for a text that this program wrote or compacted itself. */
export function trustedJson(text: string): JsonText {
  return text as JsonText;
}

// Strings are matched whole so that the white space inside them stays.
const stringOrSpace = /"(?:[^"\\]|\\.)*"|[ \t\n\r]+/g;

/** Takes the white space between tokens out of a valid JSON text. */
export function compactJson(validText: string): JsonText {
  return trustedJson(validText.replace(stringOrSpace, (match) => (match.startsWith('"') ? match : '')));
}
