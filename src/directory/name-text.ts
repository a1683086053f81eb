/** The names of all plugins and their owners as text, in blocks: a search for a part of a name is a search in few long texts. */
import type { Turns } from '../http/turns.ts';

/** A plugin with its owner. */
interface Named {
  readonly name: string;
  readonly owner: { readonly name: string };
}

/** Names in a block: about 60 KB, which takes some ten microseconds to search. */
const namesPerBlock = 2048;

/** Names as text; none of them has control characters. */
interface Block {
  /** A line for each name: the plugin's, a NUL, the owner's. */
  readonly text: string;
  /** The beginning of each line. */
  readonly starts: Uint32Array;
}

/** The names of a list, by position. */
export class NameText {
  readonly #blocks: readonly Block[];

  private constructor(blocks: readonly Block[]) {
    this.#blocks = blocks;
  }

  /** Makes the text, a block in a turn. */
  static async create(named: readonly Named[], turns: Turns): Promise<NameText> {
    const blocks: Block[] = [];
    for (let start = 0; start < named.length; start += namesPerBlock) {
      blocks.push(blockOf(named.slice(start, start + namesPerBlock)));
      await turns.next();
    }
    return new NameText(blocks);
  }

  /** Yields the ascending positions whose plugin or owner has this part in its name, without regard to case; a batch for each block. */
  *find(part: string): Generator<readonly number[]> {
    const wanted = lowerCase(part);
    for (const [index, block] of this.#blocks.entries())
      yield findLines(block, wanted).map((line) => index * namesPerBlock + line);
  }
}

function blockOf(named: readonly Named[]): Block {
  const starts = new Uint32Array(named.length);
  let length = 0;
  const lines = named.map(({ name, owner }, line) => {
    starts[line] = length;
    const text = `${lowerCase(name)}\0${lowerCase(owner.name)}\n`;
    length += text.length;
    return text;
  });
  return { text: lines.join(''), starts };
}

function findLines({ text, starts }: Block, wanted: string): number[] {
  const lines: number[] = [];
  let line = 0;
  for (let at = text.indexOf(wanted); at !== -1; ) {
    while ((starts[line + 1] ?? text.length) <= at) line++;
    lines.push(line);
    // The rest of the line may have it again.
    at = text.indexOf(wanted, starts[line + 1] ?? text.length);
  }
  return lines;
}

/** Makes a text lower case. A sigma at the end of a word has a form of its own, which a part of the word does not have. */
function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
