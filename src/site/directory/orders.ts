/** Orders of positions, each sorted when it is first asked for. */
import type { Turns } from '../../http/turns.ts';
import { Kept } from './kept.ts';
import { type Compare, sortInTurns } from './sort-in-turns.ts';

/** An order that is asked for. */
export interface OrderRequest {
  /** An order of one name is always made by the same comparison. */
  readonly name: string;
  /** Number of positions. */
  readonly count: number;
  readonly compare: Compare;
  readonly turns: Turns;
}

/** Sorted orders by name. */
export class Orders {
  readonly #sorted = new Map<string, Kept<Uint32Array>>();

  /** The positions below `count` in an order. */
  get({ name, count, compare, turns }: OrderRequest): Promise<Uint32Array> {
    const sorted = this.#sorted.get(name) ?? new Kept<Uint32Array>();
    this.#sorted.set(name, sorted);
    const make = () =>
      sortInTurns(
        Uint32Array.from({ length: count }, (_, at) => at),
        compare,
        turns,
      );
    return sorted.get({ generation: 0, make, turns });
  }
}
