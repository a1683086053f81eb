/** Walks over JSON text in one pass over its bytes, which builds no objects and stops at the first fault. */
import { AppError, quote } from '../model/app-error.ts';

/** The deepest nesting of arrays and objects. */
const maxDepth = 100;

const quotationMark = 0x22;
const comma = 0x2c;
const zero = 0x30;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const letterF = 0x66;
const letterN = 0x6e;
const letterT = 0x74;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The kind of a value, in the words of JSON Schema. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/**
 * A position in JSON text (RFC 8259) that is valid UTF-8. Each method but `kind` moves it past one value. All
 * throw AppError `invalid` for what is not JSON and for nesting deeper than {@link maxDepth}.
 */
export class JsonWalk {
  readonly #json: Buffer;
  #at = 0;
  #depth = 0;

  constructor(json: Uint8Array) {
    this.#json = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  }

  /** Returns the kind of the next value, judged by its first byte. */
  kind(): JsonKind {
    switch (this.#peek()) {
      case openBrace:
        return 'object';
      case openBracket:
        return 'array';
      case quotationMark:
        return 'string';
      case letterT:
      case letterF:
        return 'boolean';
      case letterN:
        return 'null';
      default:
        return 'number';
    }
  }

  /** Walks over any value. */
  skip(): void {
    const kind = this.kind();
    if (kind === 'array') this.#walkList(closeBracket, this.#skipElement);
    else if (kind === 'object') this.#walkList(closeBrace, this.#skipMember);
    else if (kind === 'string') this.#skipString();
    else if (kind === 'number') this.#skipNumber();
    else this.#skipLiteral();
  }

  /** Walks over any value and returns the bytes of its text. */
  text(): Uint8Array {
    const start = this.start();
    this.skip();
    return this.textFrom(start);
  }

  /** Returns the offset of the next value. */
  start(): number {
    this.#peek();
    return this.#at;
  }

  /** Returns the bytes from an offset up to the position. */
  textFrom(start: number): Uint8Array {
    return this.#json.subarray(start, this.#at);
  }

  /** Walks over a string and returns its value. */
  string(): string {
    const start = this.start();
    const hasEscape = this.#skipString();
    if (!hasEscape) return this.#json.toString('utf8', start + 1, this.#at - 1);
    return String(JSON.parse(this.#json.toString('utf8', start, this.#at)));
  }

  /** Walks over a number and returns its value. */
  number(): number {
    const start = this.start();
    this.#skipNumber();
    let value = 0;
    for (let at = start; at < this.#at; at++) {
      const byte = this.#json[at] ?? 0;
      if (!isDigit(byte) || at - start >= 15) return Number(this.#json.toString('latin1', start, this.#at));
      value = value * 10 + byte - zero;
    }
    return value;
  }

  /** Walks over an array; `visit` must walk over the element. */
  array(visit: (index: number) => void): void {
    let index = 0;
    this.#walkList(closeBracket, () => {
      visit(index++);
      return true;
    });
  }

  /** Walks over an object; `visit` must walk over the value of the member. */
  object(visit: (name: string) => void): void {
    this.#walkList(closeBrace, () => {
      visit(this.#memberName());
      return true;
    });
  }

  /** Walks over an object to the end of one member, and returns the bytes of its value. */
  find(name: string): Uint8Array | undefined {
    let found: Uint8Array | undefined;
    this.#walkList(closeBrace, () => {
      if (this.#memberName() === name) found = this.text();
      else this.skip();
      return found === undefined;
    });
    return found;
  }

  /** Checks that nothing follows. */
  end(): void {
    if (this.#peek() !== -1) throw this.#unexpected();
  }

  readonly #skipElement = (): boolean => {
    this.skip();
    return true;
  };

  readonly #skipMember = (): boolean => {
    this.#peek();
    this.#skipString();
    this.#skipColon();
    this.skip();
    return true;
  };

  #memberName(): string {
    const name = this.string();
    this.#skipColon();
    return name;
  }

  /** Returns the byte at the position; -1 after the end, so that comparisons stay between integers. */
  #byte(): number {
    return this.#json[this.#at] ?? -1;
  }

  /** Skips white space and returns the byte after it. */
  #peek(): number {
    let byte = this.#byte();
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      this.#at++;
      byte = this.#byte();
    }
    return byte;
  }

  /** Walks over an array or object, as long as `walkItem` returns true. */
  #walkList(close: number, walkItem: () => boolean): void {
    this.#depth++;
    if (this.#depth > maxDepth) throw new AppError('invalid', `it is nested deeper than ${maxDepth} levels`);
    this.#at++;
    if (this.#peek() !== close) {
      for (;;) {
        if (!walkItem()) return;
        const next = this.#peek();
        if (next === close) break;
        if (next !== comma) throw this.#unexpected();
        this.#at++;
      }
    }
    this.#at++;
    this.#depth--;
  }

  #skipColon(): void {
    if (this.#peek() !== colon) throw this.#unexpected();
    this.#at++;
  }

  /** Walks over a string; returns true if it has an escape. */
  #skipString(): boolean {
    if (this.#byte() !== quotationMark) throw this.#unexpected();
    let hasEscape = false;
    this.#at++;
    for (;;) {
      const byte = this.#byte();
      if (byte < 0x20) throw this.#unexpected();
      this.#at++;
      if (byte === quotationMark) return hasEscape;
      if (byte === backslash) {
        this.#skipEscape();
        hasEscape = true;
      }
    }
  }

  #skipEscape(): void {
    const byte = this.#byte();
    if (!'"\\/bfnrtu'.includes(String.fromCharCode(byte))) throw this.#unexpected();
    this.#at++;
    if (byte !== 0x75) return;
    for (let digit = 0; digit < 4; digit++) {
      const letter = this.#byte() | 0x20;
      if (!isDigit(this.#byte()) && !(letter >= 0x61 && letter <= 0x66)) throw this.#unexpected();
      this.#at++;
    }
  }

  #skipLiteral(): void {
    const first = this.#byte();
    const literal = first === letterT ? 'true' : first === letterF ? 'false' : 'null';
    for (const letter of literal) {
      if (this.#byte() !== letter.charCodeAt(0)) throw this.#unexpected();
      this.#at++;
    }
  }

  #skipNumber(): void {
    if (this.#byte() === 0x2d) this.#at++;
    if (this.#byte() === zero) {
      this.#at++;
      if (isDigit(this.#byte())) throw this.#unexpected();
    } else this.#skipDigits();
    if (this.#byte() === 0x2e) {
      this.#at++;
      this.#skipDigits();
    }
    if ((this.#byte() | 0x20) === 0x65) {
      this.#at++;
      if (this.#byte() === 0x2b || this.#byte() === 0x2d) this.#at++;
      this.#skipDigits();
    }
  }

  #skipDigits(): void {
    if (!isDigit(this.#byte())) throw this.#unexpected();
    while (isDigit(this.#byte())) this.#at++;
  }

  #unexpected(): AppError {
    const [character] = jsonString(this.#json.subarray(this.#at, this.#at + 4));
    const fault = character === undefined ? 'it ends too early' : `unexpected ${quote(character)}`;
    return new AppError('invalid', `it is not valid JSON: ${fault} at byte ${this.#at + 1}`);
  }
}

/** Decodes bytes of JSON text. */
export function jsonString(json: Uint8Array): string {
  return Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8');
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= 0x39;
}
