/** A queue that client networks share: each waits behind its own first, and they take turns. */

/** Items by network, in the order in which they are added. */
export class FairQueue<Item> {
  /** A network that has had its turn is moved to the end. */
  readonly #lines = new Map<string, Item[]>();

  /** The number of items of a network. */
  lengthOf(network: string): number {
    return this.#lines.get(network)?.length ?? 0;
  }

  /** The number of networks that have items. */
  get networkCount(): number {
    return this.#lines.size;
  }

  add(network: string, item: Item): void {
    const line = this.#lines.get(network);
    if (line === undefined) this.#lines.set(network, [item]);
    else line.push(item);
  }

  /** Takes the first item of the next network, of those that may have a turn. */
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
