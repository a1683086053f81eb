/** Checks of JSON values by table: `object({ id: integer, name: string })`. */
import type { ServerAnswer } from './http.ts';
import { PluginMetricsError } from './plugin-metrics-error.ts';

/** Checks a value; it throws for a wrong one. */
export type Check = (value: unknown) => void;

/** A wrong value. Its path grows on the way to the whole body. */
class Mismatch {
  path = '';
  readonly expected: string;
  readonly value: unknown;

  constructor(expected: string, value: unknown) {
    this.expected = expected;
    this.value = value;
  }
}

/** Checks by a test. */
export function is(expected: string, test: (value: unknown) => boolean): Check {
  return (value) => {
    if (!test(value)) throw new Mismatch(expected, value);
  };
}

export const string = is('a string', (value) => typeof value === 'string');
export const numberShape = is('a number', (value) => typeof value === 'number');
export const integerShape = is('an integer of at most 2^53-1', Number.isSafeInteger);
export const boolean = is('true or false', (value) => typeof value === 'boolean');
export const anyArray = is('an array', Array.isArray);
export const anyObject = is(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** An object with these members, and any others. */
export function object(members: Readonly<Record<string, Check>>): Check {
  return (value) => {
    anyObject(value);
    const object = value as Readonly<Record<string, unknown>>;
    for (const [name, check] of Object.entries(members))
      checkWithin(name, check, Object.hasOwn(object, name) ? object[name] : undefined);
  };
}

/** An object with members of any names. */
export function dictionary(check: Check): Check {
  return (value) => {
    anyObject(value);
    for (const [name, member] of Object.entries(value as object)) checkWithin(name, check, member);
  };
}

/** An array of any length. */
export function list(check: Check): Check {
  return (value) => {
    anyArray(value);
    for (const [index, element] of (value as unknown[]).entries()) checkWithin(index, check, element);
  };
}

/** An array that begins with these elements. */
export function tuple(...checks: readonly Check[]): Check {
  return (value) => {
    anyArray(value);
    for (const [index, check] of checks.entries()) checkWithin(index, check, (value as unknown[])[index]);
  };
}

/** A value that may be missing. */
export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

/** A value that may be null. */
export function nullable(check: Check): Check {
  return (value) => value === null || check(value);
}

/** Checks a part of a value. */
export function checkWithin(step: string | number, check: Check, part: unknown): void {
  try {
    check(part);
  } catch (error) {
    if (error instanceof Mismatch) error.path = stepText(step) + error.path;
    throw error;
  }
}

/**
 * Parses the body of an answer and checks it.
 * @throws PluginMetricsError for an empty body (`isNotFound`), for one that is no JSON, and with the JSON path of a wrong value, such as
 *   `$[3].owner.name`.
 */
export function parseBody(answer: ServerAnswer, check: Check): unknown {
  const { url, status, text, contentType } = answer;
  const fail = (message: string, more: { readonly isNotFound?: boolean; readonly cause?: unknown } = {}) =>
    new PluginMetricsError(message, { url, status, ...more });
  if (text.trim() === '') throw fail('the body is empty: there is no such thing', { isNotFound: true });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const type = contentType?.slice(0, 100) ?? 'no content type';
    throw fail(`the body (${type}) must be JSON: ${cause}`, { cause });
  }
  try {
    check(value);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw fail(`$${error.path} must be ${error.expected}, not ${describe(error.value)}`);
  }
  return value;
}

/** Makes a function that parses and checks an answer, as {@link parseBody}. */
export function parserOf<Answer>(check: Check): (answer: ServerAnswer) => Answer {
  return (answer) => parseBody(answer, check) as Answer;
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  const isWord = step.length <= maxStringLength && /^[A-Za-z_]\w*$/.test(step);
  return isWord ? `.${step}` : `[${shortString(step)}]`;
}

const maxStringLength = 60;

function shortString(text: string): string {
  const isLong = text.length > maxStringLength;
  return JSON.stringify(text.slice(0, maxStringLength)) + (isLong ? '…' : '');
}

/** A short description of a value, which may be megabytes, or a thousand nested arrays. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string') return shortString(value);
  return JSON.stringify(value);
}
