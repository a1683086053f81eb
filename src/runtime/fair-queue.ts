/** A queue shared by client networks: first in, first out within a network, round robin between networks. */

/** Items by network, in insertion order. */
export class FairQueue<Item> {
  /** Lines by network. A network moves to the end after its turn. */
  readonly #lines = new Map<string, Item[]>();

  /** Returns the number of waiting items of a network. */
  lengthOf(network: string): number {
    return this.#lines.get(network)?.length ?? 0;
  }

  /** Number of networks with waiting items. */
  get networkCount(): number {
    return this.#lines.size;
  }

  add(network: string, item: Item): void {
    const line = this.#lines.get(network);
    if (line === undefined) this.#lines.set(network, [item]);
    else line.push(item);
  }

  /** Takes the first item of the next network that `mayTake` allows. */
  take(mayTake: (network: string) => boolean = () => true): { network: string; item: Item } | undefined {
    for (const [network, line] of this.#lines) {
      if (!mayTake(network)) continue;
      const [item] = line.splice(0, 1);
      this.#lines.delete(network);
      if (line.length > 0) this.#lines.set(network, line);
      if (item !== undefined) return { network, item };
    }
    return undefined;
  }

  /** Removes an item of a network. */
  remove(network: string, item: Item): void {
    const kept = this.#lines.get(network)?.filter((one) => one !== item) ?? [];
    if (kept.length > 0) this.#lines.set(network, kept);
    else this.#lines.delete(network);
  }
}
