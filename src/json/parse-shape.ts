/** Parses JSON text by the schemas of the model, in one walk that ends at the first fault. */
import { isUtf8 } from 'node:buffer';
import { AppError, quote } from '../model/app-error.ts';
import { compactJson } from '../model/json-text.ts';
import type { Shape } from '../model/shape.ts';
import { type JsonKind, JsonWalk, jsonString } from './json-walk.ts';

const letterT = 0x74;

/** The text of a value, and its name. */
interface ShapedText {
  /** Valid UTF-8. */
  readonly json: Uint8Array;
  /** The name of the value in messages; `''` for a record. */
  readonly name: string;
  /** True to allow a name twice in an object, for text that is stored as it is. */
  readonly mayRepeat?: boolean;
}

/**
 * Parses a value and refuses one that does not meet its schema. The `description` of the schema is the rule in the message.
 * @returns numbers, booleans, null and strings with a pattern as such; an object with its known members; undefined for an
 *   array with rules, which is only checked; the bytes of its text for everything else.
 * @throws AppError `invalid` with the field, the rule and the value.
 */
export function parseShape(shape: Shape, text: ShapedText): unknown {
  return new ShapeParser(text).parseWhole(shape);
}

class ShapeParser {
  readonly #text: ShapedText;
  readonly #walk: JsonWalk;
  /** The path to the current value. */
  readonly #steps: (string | number)[] = [];

  constructor(text: ShapedText) {
    this.#text = text;
    this.#walk = new JsonWalk(text.json);
  }

  parseWhole(shape: Shape): unknown {
    const value = this.#parse(shape);
    this.#walk.end();
    return value;
  }

  #parse(shape: Shape): unknown {
    const { type, properties, items, pattern } = shape;
    if (type === undefined) return this.#walk.text();
    const start = this.#walk.start();
    const kind = this.#walk.kind();
    if (kind === 'number') return this.#parseNumber(shape, start);
    if (!isOfType(kind, type)) {
      this.#walk.skip();
      throw this.#wrong(shape, start);
    }
    if (kind === 'object' && properties !== undefined) return this.#parseObject(shape, properties);
    if (kind === 'array' && items !== undefined) return this.#checkArray(shape, start);
    if (kind === 'string' && pattern !== undefined)
      return this.#parseString(shape, start, new RegExp(pattern, 'u'));
    const text = this.#walk.text();
    if (kind === 'boolean') return text[0] === letterT;
    return kind === 'null' ? null : text;
  }

  #parseNumber(shape: Shape, start: number): number {
    const value = this.#walk.number();
    const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = shape;
    const kind = Number.isInteger(value) ? 'integer' : 'number';
    if (!isOfType(kind, type) || value < minimum || value > maximum) throw this.#wrong(shape, start);
    return value;
  }

  #parseString(shape: Shape, start: number, pattern: RegExp): string {
    const value = this.#walk.string();
    if (!pattern.test(value)) throw this.#wrong(shape, start);
    return value;
  }

  #parseObject(
    { required = [], additionalProperties }: Shape,
    properties: Readonly<Record<string, Shape>>,
  ): object {
    const members: Record<string, unknown> = {};
    this.#walk.object((name) => {
      const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (shape === undefined) {
        if (additionalProperties === false) throw this.#fault(`unknown field ${quote(name)}`);
        this.#walk.skip();
        return;
      }
      if (this.#text.mayRepeat !== true && Object.hasOwn(members, name))
        throw this.#fault(`the field ${quote(name)} is given twice`);
      members[name] = this.#readPart(name, shape);
    });
    const missing = required.filter((name) => !Object.hasOwn(members, name));
    if (missing.length > 0) throw this.#fault(`the field ${missing.map(quote).join(', ')} is missing`);
    return members;
  }

  #checkArray(shape: Shape, start: number): undefined {
    const { prefixItems = [], items = false, minItems = 0 } = shape;
    let count = 0;
    this.#walk.array((index) => {
      count++;
      const element = prefixItems[index] ?? items;
      if (element === false) this.#walk.skip();
      else this.#readPart(index, element);
    });
    if (count < minItems || (items === false && count > prefixItems.length)) throw this.#wrong(shape, start);
  }

  #readPart(step: string | number, shape: Shape): unknown {
    this.#steps.push(step);
    const value = this.#parse(shape);
    this.#steps.pop();
    return value;
  }

  /** Makes the error for the value that begins at `start` and has just been walked over. */
  #wrong(shape: Shape, start: number): AppError {
    const found = quoteJson(this.#walk.textFrom(start));
    return new AppError('invalid', `${this.#path() || 'it'} must be ${shape.description}, got ${found}`);
  }

  #fault(message: string): AppError {
    const path = this.#path();
    return new AppError('invalid', path === '' ? message : `${path}: ${message}`);
  }

  /** Renders the path to the current value, such as `data[3].name`. */
  #path(): string {
    const steps = this.#steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    return (this.#text.name + steps.join('')).replace(/^\./, '');
  }
}

/** True if a schema with this type allows the kind of value; an integer is a number too. */
function isOfType(kind: JsonKind | 'integer', type: Shape['type']): boolean {
  if (type === kind || (type === 'number' && kind === 'integer')) return true;
  return Array.isArray(type) && (type.includes(kind) || (kind === 'integer' && type.includes('number')));
}

/** Renders valid JSON text for a message: compact, at most 80 characters. */
export function quoteJson(json: Uint8Array): string {
  // Enough for 80 characters of several bytes.
  const head = json.subarray(0, 400);
  const text = jsonString(compactJson(head));
  return text.length > 80 || head.length < json.length ? `${text.slice(0, 77)}...` : text;
}

/**
 * Refuses bytes that are not UTF-8: a decoder would silently turn them into other text.
 * @param name what they are called in the message.
 * @throws AppError `invalid`.
 */
export function checkUtf8(bytes: Uint8Array, name: string): void {
  if (!isUtf8(bytes)) throw new AppError('invalid', `${name} is not valid UTF-8`);
}
