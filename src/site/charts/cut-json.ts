/** Cuts a JSON text so that the rest is valid JSON. */

/** Deepest level to keep, because code that walks through the data is recursive. */
const maxDepth = 64;

/** A JSON text; `isCut` if it is only the beginning of another one. */
interface CutJson {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * Cuts valid, compact JSON after the last complete value within `maxLength` characters, and closes open brackets. A text that
 * cannot be cut, such as one long string, is left as it is.
 */
export function cutJson(json: string, maxLength: number): CutJson {
  const closers: string[] = [];
  let end = 0;
  let endDepth = 0;
  let isString = false;
  let at = 0;
  for (; at < json.length && at < maxLength && closers.length <= maxDepth; at++) {
    const character = json[at];
    if (isString) {
      if (character === '\\') at++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '[' || character === '{') {
      closers.push(character === '[' ? ']' : '}');
      if (closers.length <= maxDepth) [end, endDepth] = [at + 1, closers.length];
    } else if (character === ']' || character === '}') {
      closers.pop();
      [end, endDepth] = [at + 1, closers.length];
    } else if (character === ',') [end, endDepth] = [at, closers.length];
  }
  if (at >= json.length || end === 0) return { text: json, isCut: false };
  return { text: json.slice(0, end) + closers.slice(0, endDepth).reverse().join(''), isCut: true };
}
