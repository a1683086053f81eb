/** JSON kept as text: parsing and writing it again would lose the order of members, or digits. */

/** Valid, compact JSON (no white space between tokens). */
export type JsonText = string & { readonly json: 'compact' };

/** Marks text as JSON that this program wrote or compacted itself. */
export function trustedJson(text: string): JsonText {
  return text as JsonText;
}
