/** A value in a JSON body with its path, for error messages. */
import type { ServerAnswer } from './http.ts';
import { PluginMetricsError } from './plugin-metrics-error.ts';

/**
 * Parses the body of an answer.
 * @throws PluginMetricsError for an empty body (`isNotFound`) and for one that is no JSON
 */
export function parseBody(answer: ServerAnswer): JsonPlace {
  const { url, status, text, contentType } = answer;
  if (text.trim() === '')
    throw new PluginMetricsError('the body is empty: there is no such thing', {
      url,
      status,
      isNotFound: true,
    });
  try {
    return new JsonPlace(JSON.parse(text), answer, '$');
  } catch (cause) {
    const type = contentType?.slice(0, 100) ?? 'no content type';
    throw new PluginMetricsError(`the body (${type}) must be JSON: ${cause}`, {
      url,
      status,
      cause,
    });
  }
}

/** A value with its JSON path, such as `$[3].owner.name`. Every check throws a PluginMetricsError. */
export class JsonPlace {
  readonly value: unknown;
  readonly #answer: ServerAnswer;
  readonly #path: string;

  constructor(value: unknown, answer: ServerAnswer, path: string) {
    this.value = value;
    this.#answer = answer;
    this.#path = path;
  }

  /** The members of an object. */
  members(): readonly JsonPlace[] {
    return Object.entries(this.object()).map(([name, value]) => this.#inner(value, nameStep(name)));
  }

  /** One member of an object; its value is undefined if it is missing. */
  member(name: string): JsonPlace {
    const object = this.object();
    return this.#inner(Object.hasOwn(object, name) ? object[name] : undefined, nameStep(name));
  }

  /** The elements of an array. */
  elements(): readonly JsonPlace[] {
    return this.array().map((value, index) => this.#inner(value, `[${index}]`));
  }

  /** One element of an array; its value is undefined if it is missing. */
  element(index: number): JsonPlace {
    return this.#inner(this.array()[index], `[${index}]`);
  }

  /** Checks each element of an array, however long: no place is made but for the first one that fails. */
  every(isRight: (value: unknown, index: number) => boolean, expected: string): void {
    const wrong = this.array().findIndex((value, index) => !isRight(value, index));
    if (wrong !== -1) this.element(wrong).fail(expected);
  }

  /** Itself; undefined for null. */
  orNull(): JsonPlace | undefined {
    return this.value === null ? undefined : this;
  }

  array(): readonly unknown[] {
    if (!Array.isArray(this.value)) this.fail('an array');
    return this.value;
  }

  object(): Record<string, unknown> {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail('an object');
    return value as Record<string, unknown>;
  }

  string(): string {
    if (typeof this.value !== 'string') this.fail('a string');
    return this.value;
  }

  number(): number {
    if (typeof this.value !== 'number') this.fail('a number');
    return this.value;
  }

  integer(): number {
    if (!Number.isSafeInteger(this.value)) this.fail('an integer of at most 2^53-1');
    return this.number();
  }

  boolean(): boolean {
    if (typeof this.value !== 'boolean') this.fail('true or false');
    return this.value;
  }

  /** Throws an error that says what was expected here. */
  fail(expected: string): never {
    const { url, status } = this.#answer;
    throw new PluginMetricsError(`${this.#path} must be ${expected}, not ${describe(this.value)}`, {
      url,
      status,
    });
  }

  #inner(value: unknown, step: string): JsonPlace {
    return new JsonPlace(value, this.#answer, this.#path + step);
  }
}

function nameStep(name: string): string {
  const isWord = name.length <= maxStringLength && /^[A-Za-z_]\w*$/.test(name);
  return isWord ? `.${name}` : `[${shortString(name)}]`;
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
