/** Parses JSON from outside within bounds, and extracts parts of it as unchanged text. */
import { AppError } from '../model/app-error.ts';
import { maxJsonBytes } from '../model/chart-data.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';

/** Maximum nesting of arrays and objects. */
const maxDepth = 100;

/**
 * Maximum number of arrays and objects in one text, each of which takes some hundred bytes of memory. A 16
 * MiB line holds fewer points, because their times have had 13 digits since 2001.
 */
const usualMaxContainers = 1_000_000;

const quotationMark = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Parses JSON. If an object repeats a name, the last value counts. V8 14.6 can confuse a name that contains
 * an escape with one that contains a backslash (`collect/report.ts`). This is harmless here: no schema has
 * such a name, and names that are data are read by {@link partsOf}.
 * @throws AppError `invalid` if the text is not JSON, is nested too deeply or has too many parts; the bounds
 * are checked before parsing.
 */
export function parseJson(json: string, maxContainers = usualMaxContainers): unknown {
  checkBounds(json, maxContainers);
  try {
    return JSON.parse(json);
  } catch (error) {
    // The message of V8 quotes some characters around the fault.
    const reason = error instanceof Error ? error.message.replace(/ is not valid JSON$/, '') : error;
    throw new AppError('invalid', `it is not valid JSON: ${reason}`);
  }
}

function checkBounds(json: string, maxContainers: number): void {
  let depth = 0;
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quotationMark) at = endOfString(json, at);
    else if (code === closeBracket || code === closeBrace) depth--;
    else if (code === openBracket || code === openBrace) {
      depth++;
      count++;
      if (depth > maxDepth) throw new AppError('invalid', `it is nested deeper than ${maxDepth} levels`);
    }
  }
  if (count > maxContainers)
    throw new AppError('invalid', `it has more than ${maxContainers} arrays and objects`);
}

/** A member of an object, or an element of an array, with `''` as its name. */
interface JsonPart {
  readonly name: string;
  readonly text: string;
}

/**
 * Splits an array or object into its parts.
 * @param json text that {@link parseJson} accepted.
 */
export function* partsOf(json: string): Generator<JsonPart> {
  let depth = 0;
  let name = '';
  let start = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quotationMark) at = endOfString(json, at);
    else if (code === openBracket || code === openBrace) {
      if (depth++ === 0) start = at + 1;
    } else if (code === closeBracket || code === closeBrace) depth--;
    else if (code === colon && depth === 1) {
      name = String(JSON.parse(json.slice(start, at)));
      start = at + 1;
    }
    const isEnd = depth === 0 || (depth === 1 && code === comma);
    if (!isEnd) continue;
    const text = json.slice(start, at).trim();
    if (text !== '') yield { name, text };
    start = at + 1;
  }
}

/**
 * Returns the text of a member of an object, or undefined. Of repeated names the last counts, as in {@link
 * parseJson}.
 */
export function memberText(json: string, name: string): string | undefined {
  let found: string | undefined;
  for (const part of partsOf(json)) if (part.name === name) found = part.text;
  return found;
}

/**
 * Removes the white space between tokens, for JSON that a store keeps as text.
 * @param json text that {@link parseJson} accepted.
 * @param what its name in the error message.
 * @throws AppError `invalid` if it exceeds {@link maxJsonBytes}.
 */
export function storedJson(json: string, what: string): JsonText {
  let compact = '';
  let start = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quotationMark) at = endOfString(json, at);
    else if (code <= 0x20) {
      compact += json.slice(start, at);
      start = at + 1;
    }
  }
  compact += json.slice(start);
  const sizeBytes = Buffer.byteLength(compact);
  if (sizeBytes > maxJsonBytes)
    throw new AppError('invalid', `${what} may have at most ${maxJsonBytes} bytes, got ${sizeBytes}`);
  return trustedJson(compact);
}

/** Finds the quotation mark that ends a string, or the end of the text if there is none. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  for (; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quotationMark) break;
    if (code === backslash) at++;
  }
  return at;
}
