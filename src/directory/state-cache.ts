/** A cache of one value that depends on the state of the store. */

/** A request for the value of one state. */
interface StateRequest<Value> {
  /** The generation of the state; a value of an unknown one (NaN) is neither cached nor shared. */
  readonly generation: number;
  readonly make: () => Promise<Value>;
}

/** A value that is made on the first request, once for all requests of the same state. */
export class StateCache<Value> {
  #last: { readonly generation: number; readonly value: Value } | undefined;
  /** By generation. */
  readonly #making = new Map<number, Promise<Value>>();

  /** The value of a state; rejects as `make` does. */
  async get(request: StateRequest<Value>): Promise<Value> {
    const { generation, make } = request;
    if (Number.isNaN(generation)) return make();
    if (this.#last?.generation === generation) return this.#last.value;
    return this.#making.get(generation) ?? this.#make(request);
  }

  async #make({ generation, make }: StateRequest<Value>): Promise<Value> {
    // Frees the memory of the old value first.
    if (this.#last !== undefined && this.#last.generation < generation) this.#last = undefined;
    const making = make();
    this.#making.set(generation, making);
    try {
      const value = await making;
      if (generation >= (this.#last?.generation ?? generation)) this.#last = { generation, value };
      return value;
    } finally {
      this.#making.delete(generation);
    }
  }
}
