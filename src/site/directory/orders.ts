/** Orders of positions, each sorted when it is first asked for. */
import { type Compare, sortInSlices } from './sort-in-slices.ts';

/** Sorted orders by name. */
export class Orders {
  readonly #sorted = new Map<string, Promise<Uint32Array>>();

  /** The positions below `count` in the order of this name, which is always made by the same comparison. */
  get(name: string, count: number, compare: Compare): Promise<Uint32Array> {
    const found = this.#sorted.get(name);
    if (found !== undefined) return found;
    const positions = new Uint32Array(count);
    for (let position = 0; position < count; position++) positions[position] = position;
    const sorted = sortInSlices(positions, compare);
    this.#sorted.set(name, sorted);
    return sorted;
  }
}
