/** An index of plugins and owners by name, by hash: finds one among a million without comparing texts. */
import { nextTurn } from '../model/next-turn.ts';
import { hashName, isSameName } from './names.ts';

/** Names compared in one turn. */
export const namesPerTurn = 1024;

/** Named things in the order in which they were added. */
export class NameIndex<Named extends { readonly name: string }> {
  readonly #named: Named[] = [];
  readonly #hashes: number[] = [];

  add(named: Named): void {
    this.#named.push(named);
    this.#hashes.push(hashName(named.name));
  }

  /**
   * Finds things by the name in an address, ignoring case, in batches: first those with exactly that name, then those with spaces
   * in place of its plus signs, as some write a plus sign for a space.
   */
  async *find(text: string): AsyncGenerator<readonly Named[]> {
    yield* this.#findName(text);
    if (text.includes('+')) yield* this.#findName(text.replaceAll('+', ' '));
  }

  /** Any number of plugins may have one name, on other software. */
  async *#findName(name: string): AsyncGenerator<readonly Named[]> {
    const hash = hashName(name);
    let batch: Named[] = [];
    let count = 0;
    for (let at = this.#hashes.indexOf(hash); at >= 0; at = this.#hashes.indexOf(hash, at + 1)) {
      const named = this.#named[at];
      if (named !== undefined && isSameName(named.name, name)) batch.push(named);
      if (++count % namesPerTurn > 0) continue;
      yield batch;
      batch = [];
      await nextTurn();
    }
    yield batch;
  }
}
