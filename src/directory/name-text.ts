/** The names of all plugins and their owners as folded text, in blocks: a search in all names is a search in few long texts. */
import { nextTurn } from '../model/next-turn.ts';
import { foldText, lowerCase } from './names.ts';

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
  /** 1 for a line whose folded names are its names in lower case. */
  readonly isPlain: Uint8Array;
}

/** The folded names of a plugin and its owner. */
export interface FoldedNames {
  readonly name: string;
  readonly ownerName: string;
  /** True if both are the names in lower case, so that folding lost nothing else. */
  readonly isPlain: boolean;
}

/** Plugins that were found in one block. */
export interface FoundNames {
  /** Ascending. */
  readonly positions: readonly number[];
  /** The names at one of the positions. */
  readonly namesAt: (position: number) => FoldedNames;
}

/** The names of a list, by position. */
export class NameText {
  readonly #blocks: readonly Block[];

  private constructor(blocks: readonly Block[]) {
    this.#blocks = blocks;
  }

  /** Makes the text, a block in a turn. */
  static async create(named: readonly Named[]): Promise<NameText> {
    const blocks: Block[] = [];
    for (let start = 0; start < named.length; start += namesPerBlock) {
      blocks.push(blockOf(named.slice(start, start + namesPerBlock)));
      await nextTurn();
    }
    return new NameText(blocks);
  }

  /** Yields the plugins that have one of these folded parts in their name or in that of their owner; a batch for each block. */
  *find(parts: readonly string[]): Generator<FoundNames> {
    for (const [index, block] of this.#blocks.entries()) {
      const before = index * namesPerBlock;
      const positions = findLines(block, parts).map((line) => before + line);
      yield { positions, namesAt: (position) => namesIn(block, position - before) };
    }
  }
}

function blockOf(named: readonly Named[]): Block {
  const starts = new Uint32Array(named.length);
  const isPlain = new Uint8Array(named.length);
  let length = 0;
  const lines = named.map(({ name, owner }, line) => {
    starts[line] = length;
    const [folded, foldedOwner] = [foldText(name), foldText(owner.name)];
    isPlain[line] = folded === lowerCase(name) && foldedOwner === lowerCase(owner.name) ? 1 : 0;
    const text = `${folded}\0${foldedOwner}\n`;
    length += text.length;
    return text;
  });
  return { text: lines.join(''), starts, isPlain };
}

function findLines({ text, starts }: Block, parts: readonly string[]): number[] {
  const isFound = new Uint8Array(starts.length);
  for (const part of parts) {
    let line = 0;
    for (let at = text.indexOf(part); at !== -1 && at < text.length; ) {
      while ((starts[line + 1] ?? text.length) <= at) line++;
      isFound[line] = 1;
      // The rest of the line may have it again.
      at = text.indexOf(part, starts[line + 1] ?? text.length);
    }
  }
  return Array.from(isFound.keys()).filter((line) => isFound[line] === 1);
}

function namesIn({ text, starts, isPlain }: Block, line: number): FoldedNames {
  const [name = '', ownerName = ''] = text
    .slice(starts[line], (starts[line + 1] ?? text.length) - 1)
    .split('\0');
  return { name, ownerName, isPlain: isPlain[line] === 1 };
}
