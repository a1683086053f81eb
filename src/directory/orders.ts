/** Orders of positions, each sorted on its first request. */
import { type Compare, sortInTurns } from './sort-in-turns.ts';
import { StateCache } from './state-cache.ts';

/** A request for an order. */
interface OrderRequest {
  /** The key of the order: one name stands for one comparison. */
  readonly name: string;
  /** Number of positions. */
  readonly count: number;
  readonly compare: Compare;
}

/** Sorted orders by name. */
export class Orders {
  readonly #sorted = new Map<string, StateCache<Uint32Array>>();

  /** The positions below `count` in an order. */
  get({ name, count, compare }: OrderRequest): Promise<Uint32Array> {
    const sorted = this.#sorted.get(name) ?? new StateCache<Uint32Array>();
    this.#sorted.set(name, sorted);
    const make = () =>
      sortInTurns(
        Uint32Array.from({ length: count }, (_, at) => at),
        compare,
      );
    return sorted.get({ generation: 0, make });
  }
}
