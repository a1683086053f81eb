/** Numbers in an array of JSON text, which are read a part at a time. */

const comma = 0x2c;
const zero = 0x30;
const closeBracket = 0x5d;
const letterN = 0x6e;

/** The elements of an array that is known to have numbers and null alone; null is 0. */
export class NumberTexts {
  readonly #json: Uint8Array;
  readonly #perPart: number;
  /** Offsets of the first element of each part. */
  readonly #offsets: number[] = [];
  /** The number of elements. */
  readonly count: number;

  /**
   * @param json the text of the array, without white space before it.
   * @param perPart number of elements between two that are read first.
   */
  constructor(json: Uint8Array, perPart: number) {
    this.#json = json;
    this.#perPart = perPart;
    let count = 0;
    for (let at = skipSpace(json, 1); at < json.length - 1; at++) {
      if (count % perPart === 0) this.#offsets.push(at);
      count++;
      while (at < json.length && json[at] !== comma) at++;
    }
    this.count = count;
  }

  /**
   * Reads some elements.
   * @param start a multiple of the number of elements in a part.
   */
  read(start: number, count: number): Float64Array {
    const json = this.#json;
    const numbers = new Float64Array(count);
    let at = this.#offsets[start / this.#perPart] ?? json.length;
    for (let index = 0; index < count; index++) {
      at = skipSpace(json, at);
      const begin = at;
      let integer = 0;
      for (let digit = (json[at] ?? 0) - zero; digit >= 0 && digit <= 9; digit = (json[at] ?? 0) - zero) {
        integer = integer * 10 + digit;
        at++;
      }
      const end = json[at];
      if ((end === comma || end === closeBracket) && at - begin <= 15 && at > begin) numbers[index] = integer;
      else {
        while (at < json.length && json[at] !== comma && json[at] !== closeBracket) at++;
        numbers[index] = json[begin] === letterN ? 0 : Number(asciiText(json, begin, at));
      }
      at++;
    }
    return numbers;
  }
}

function skipSpace(json: Uint8Array, offset: number): number {
  let at = offset;
  while ((json[at] ?? comma) <= 0x20) at++;
  return at;
}

function asciiText(json: Uint8Array, start: number, end: number): string {
  return Buffer.from(json.buffer, json.byteOffset + start, end - start).toString('latin1');
}
