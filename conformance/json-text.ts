/**
 * Reads JSON text into a tree that keeps what `JSON.parse` drops: the order of members (even if their names
 * look like integers), the text of every value, and the presence of white space between tokens.
 */

/** A member of an object, in its original position. */
export interface JsonMember {
  readonly name: string;
  readonly value: JsonNode;
}

/** A value with its source text. */
export type JsonNode = { readonly text: string } & (
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
);

/** A whole JSON text; `firstSpaceAt` is the offset of the first white space between tokens, if any. */
export interface JsonText {
  readonly root: JsonNode;
  readonly firstSpaceAt: number | undefined;
}

const MAX_DEPTH = 200;
const SPACE = /[ \t\n\r]*/y;
/** Lenient inside strings; `JSON.parse` of the piece is strict. */
const SCALAR =
  /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/** Parses one JSON text (RFC 8259); throws a `SyntaxError` with the offset of the first error. */
export function parseJsonText(text: string): JsonText {
  const scanner = new Scanner(text);
  const root = scanner.readValue(0);
  scanner.skipSpace();
  if (scanner.at < text.length) throw scanner.refuse('nothing more');
  return { root, firstSpaceAt: scanner.firstSpaceAt };
}

/** The value at a path of member names and array indexes, or undefined. */
export function findNode(root: JsonNode, path: readonly (string | number)[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of path) {
    if (node?.kind === 'object') node = node.members.find((member) => member.name === String(step))?.value;
    else if (node?.kind === 'array') node = node.items[Number(step)];
    else return undefined;
  }
  return node;
}

class Scanner {
  at = 0;
  firstSpaceAt: number | undefined;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  readValue(depth: number): JsonNode {
    this.skipSpace();
    if (depth > MAX_DEPTH) throw this.refuse(`at most ${MAX_DEPTH} levels`);
    const first = this.#text[this.at];
    if (first === '{') return this.#readObject(depth);
    if (first === '[') return this.#readArray(depth);
    return this.#readScalar();
  }

  skipSpace(): void {
    SPACE.lastIndex = this.at;
    SPACE.test(this.#text);
    if (SPACE.lastIndex > this.at) this.firstSpaceAt ??= this.at;
    this.at = SPACE.lastIndex;
  }

  refuse(expected: string): SyntaxError {
    const found = this.#text.slice(this.at, this.at + 20);
    return new SyntaxError(
      `expected ${expected} at offset ${this.at}, found ${found === '' ? 'the end' : JSON.stringify(found)}`,
    );
  }

  #readObject(depth: number): JsonNode {
    const start = this.at;
    const members: JsonMember[] = [];
    const names = new Set<string>();
    for (let more = this.#open('}'); more; more = this.#continue('}')) {
      this.skipSpace();
      const name = this.#readScalar();
      if (name.kind !== 'string') throw this.refuse('a member name before this');
      if (names.has(name.value)) throw this.refuse(`member ${name.text} only once, before this`);
      names.add(name.value);
      this.skipSpace();
      if (this.#text[this.at] !== ':') throw this.refuse("':'");
      this.at += 1;
      members.push({ name: name.value, value: this.readValue(depth + 1) });
    }
    return { kind: 'object', members, text: this.#text.slice(start, this.at) };
  }

  #readArray(depth: number): JsonNode {
    const start = this.at;
    const items: JsonNode[] = [];
    for (let more = this.#open(']'); more; more = this.#continue(']')) items.push(this.readValue(depth + 1));
    return { kind: 'array', items, text: this.#text.slice(start, this.at) };
  }

  #readScalar(): JsonNode {
    SCALAR.lastIndex = this.at;
    const text = SCALAR.exec(this.#text)?.[0];
    if (text === undefined) throw this.refuse('a JSON value');
    this.at += text.length;
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return { kind: 'string', value, text };
    if (typeof value === 'number') return { kind: 'number', value, text };
    if (typeof value === 'boolean') return { kind: 'boolean', value, text };
    return { kind: 'null', text };
  }

  /** Steps over the opening bracket; false if the closing one follows at once. */
  #open(close: string): boolean {
    this.at += 1;
    this.skipSpace();
    if (this.#text[this.at] !== close) return true;
    this.at += 1;
    return false;
  }

  /** Steps over a comma (true) or the closing bracket (false). */
  #continue(close: string): boolean {
    this.skipSpace();
    const next = this.#text[this.at];
    if (next !== ',' && next !== close) throw this.refuse(`',' or '${close}'`);
    this.at += 1;
    return next === ',';
  }
}
