/** A cache of one value that depends on the state of the store. */

/** A request for the value of one state. */
interface StateRequest<Value> {
  readonly generation: number;
  readonly make: () => Promise<Value>;
}

/** A value that is made on the first request, once for all requests of the same state. */
export class StateCache<Value> {
  #last: { readonly generation: number; readonly value: Promise<Value> } | undefined;

  /** The value of a state; rejects as `make` does. */
  get({ generation, make }: StateRequest<Value>): Promise<Value> {
    if (this.#last?.generation === generation) return this.#last.value;
    // Frees the memory of the old value first.
    this.#last = undefined;
    const last = { generation, value: make() };
    this.#last = last;
    last.value.catch(() => {
      if (this.#last === last) this.#last = undefined;
    });
    return last.value;
  }
}
