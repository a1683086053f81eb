/** Checks JSON values by declarative descriptions: `object({ id: integer, name: string })`. */
import type { ServerAnswer } from './http.ts';
import { PluginMetricsError } from './plugin-metrics-error.ts';

/** Checks a value; throws if it is wrong. */
export type Check = (value: unknown) => void;

/** Thrown for a wrong value. The path grows as the error passes from the part up to the whole body. */
class Mismatch {
  path = '';
  readonly expected: string;
  readonly value: unknown;

  constructor(expected: string, value: unknown) {
    this.expected = expected;
    this.value = value;
  }
}

/** Makes a check from a test. */
export function is(expected: string, test: (value: unknown) => boolean): Check {
  return (value) => {
    if (!test(value)) throw new Mismatch(expected, value);
  };
}

export const string = is('a string', (value) => typeof value === 'string');
export const number = is('a number', (value) => typeof value === 'number');
export const integer = is('an integer of at most 2^53-1', Number.isSafeInteger);
export const boolean = is('true or false', (value) => typeof value === 'boolean');
export const anyArray = is('an array', Array.isArray);
export const anyObject = is(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Checks for an object with these members; other members are allowed. */
export function object(members: Readonly<Record<string, Check>>): Check {
  return (value) => {
    anyObject(value);
    const object = value as Readonly<Record<string, unknown>>;
    for (const [name, check] of Object.entries(members))
      checkWithin(name, check, Object.hasOwn(object, name) ? object[name] : undefined);
  };
}

/** Checks for an object whose members all pass the same check, under any names. */
export function dictionary(check: Check): Check {
  return (value) => {
    anyObject(value);
    for (const [name, member] of Object.entries(value as object)) checkWithin(name, check, member);
  };
}

/** Checks for an array of any length whose elements all pass the same check. */
export function list(check: Check): Check {
  return (value) => {
    anyArray(value);
    for (const [index, element] of (value as unknown[]).entries()) checkWithin(index, check, element);
  };
}

/** Checks for an array that begins with these elements. */
export function tuple(...checks: readonly Check[]): Check {
  return (value) => {
    anyArray(value);
    for (const [index, check] of checks.entries()) checkWithin(index, check, (value as unknown[])[index]);
  };
}

/** Allows the value to be missing. */
export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

/** Allows the value to be null. */
export function nullable(check: Check): Check {
  return (value) => value === null || check(value);
}

/** Checks a member or element, and adds its place to the path of the error. */
export function checkWithin(step: string | number, check: Check, part: unknown): void {
  try {
    check(part);
  } catch (error) {
    if (error instanceof Mismatch) error.path = stepText(step) + error.path;
    throw error;
  }
}

/**
 * Parses and checks the body of a response.
 * @throws PluginMetricsError if the body is empty (`isNotFound`), is not JSON, or has a wrong value; the
 * message then gives its JSON path, such as `$[3].owner.name`.
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

/** Makes a function that parses and checks responses, as {@link parseBody}. */
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

/** Describes a value briefly; it may be megabytes long, or a thousand nested arrays. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string') return shortString(value);
  return JSON.stringify(value);
}
