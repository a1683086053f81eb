/** JSON kept as text: parsing and writing it again would lose the order of members, or digits. */

/** Valid, compact JSON (no white space between tokens). */
export type JsonText = string & { readonly json: 'compact' };

/** Marks text as JSON that this program wrote or compacted itself. */
export function trustedJson(text: string): JsonText {
  return text as JsonText;
}

const quotationMark = 0x22;
const backslash = 0x5c;

/** Removes the white space between the tokens of valid JSON. Returns the same array if there is none. */
export function compactJson(json: Uint8Array): Uint8Array {
  if (!json.some((byte) => byte <= 0x20)) return json;
  const compact = new Uint8Array(json.length);
  let count = 0;
  let isString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte === quotationMark) isString = !isString;
    else if (!isString && byte <= 0x20) continue;
    compact[count++] = byte;
    if (isString && byte === backslash && at + 1 < json.length) compact[count++] = json[++at] ?? 0;
  }
  return count === json.length ? json : compact.subarray(0, count);
}
