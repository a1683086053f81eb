/** The orders of a list, each sorted when it is first asked for. */
import type { Catalogue } from './catalogue.ts';
import type { LatestValues } from './latest-values.ts';
import { compareNames } from './names.ts';
import { type Compare, sortInSlices } from './sort-in-slices.ts';

/** What a list can be sorted by. */
export type OrderName = 'name' | 'servers' | 'players' | 'id';

/** The positions of all plugins in every order. Plugins that are equal in it come by ascending id. */
export class Orders {
  readonly #catalogue: Catalogue;
  readonly #values: LatestValues;
  readonly #sorted = new Map<string, Promise<Uint32Array>>();

  constructor(catalogue: Catalogue, values: LatestValues) {
    this.#catalogue = catalogue;
    this.#values = values;
  }

  /** All positions in this order; plugins without a value come last, descending or not. */
  get(name: OrderName, descending: boolean): Promise<Uint32Array> {
    const key = `${name} ${descending}`;
    const found = this.#sorted.get(key);
    if (found !== undefined) return found;
    const positions = Uint32Array.from(this.#catalogue.entries.keys());
    const sorted = sortInSlices(positions, this.#compare(name, descending));
    this.#sorted.set(key, sorted);
    return sorted;
  }

  #compare(name: OrderName, descending: boolean): Compare {
    const direction = descending ? -1 : 1;
    if (name === 'id') return (a, b) => direction * (a - b);
    if (name === 'name') {
      const { entries } = this.#catalogue;
      return (a, b) => direction * compareNames(entries[a]?.name ?? '', entries[b]?.name ?? '') || a - b;
    }
    const column = this.#values[name];
    // What has no value stands behind all that have one.
    const keys = column.map((value) => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : direction * value));
    return (a, b) => {
      const [keyA = 0, keyB = 0] = [keys[a], keys[b]];
      return keyA < keyB ? -1 : keyA > keyB ? 1 : a - b;
    };
  }
}
