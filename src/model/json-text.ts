/** JSON that is kept as text, because parsing and writing it again would lose member order or digits. */

/** Valid, compact JSON (no white space between tokens). */
export type JsonText = string & { readonly json: 'compact' };

/** Vouches for a text that this program wrote or compacted itself. */
export function trustedJson(text: string): JsonText {
  return text as JsonText;
}

/** Takes the white space between tokens out of a valid JSON text. */
export function compactJson(validText: string): JsonText {
  if (!/\s/.test(validText)) return trustedJson(validText);
  let compact = '';
  let at = 0;
  while (at < validText.length) {
    const quote = validText.indexOf('"', at);
    const start = quote === -1 ? validText.length : quote;
    const end = quote === -1 ? start : stringEnd(validText, start);
    compact += validText.slice(at, start).replaceAll(/[ \t\n\r]+/g, '') + validText.slice(start, end);
    at = end;
  }
  return trustedJson(compact);
}

/** The offset behind the string that begins at `start`. No one expression: it would overflow on megabytes. */
function stringEnd(text: string, start: number): number {
  let quote = start;
  let backslashCount: number;
  do {
    quote = text.indexOf('"', quote + 1);
    backslashCount = 0;
    while (text[quote - 1 - backslashCount] === '\\') backslashCount++;
  } while (backslashCount % 2 === 1);
  return quote + 1;
}
