/** JSON that is kept as text, because parsing and writing it again would lose member order or digits. */

/** Valid, compact JSON (no white space between tokens). */
export type JsonText = string & { readonly json: 'compact' };

/** Vouches for a text that this program wrote or compacted itself. */
export function trustedJson(text: string): JsonText {
  return text as JsonText;
}

const quotationMark = 0x22;
const backslash = 0x5c;

/** The bytes of a valid JSON text without the white space between its tokens; they may be the very same. */
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
