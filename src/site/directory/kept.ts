/** Something that is made of one state of the store and kept until the state changes. */
import { type Turns, WorkDropped } from '../../http/turns.ts';

/** A request for the value of one state. */
export interface KeptRequest<Value> {
  /** The generation of the state that it is made of; a value of an unknown one (NaN) is neither kept nor shared. */
  readonly generation: number;
  readonly make: () => Promise<Value>;
  /** Of the one who asks. */
  readonly turns: Turns;
}

/** A value that is made when it is first asked for, once for all who ask for the same state. */
export class Kept<Value> {
  #last: { readonly generation: number; readonly value: Value } | undefined;
  /** By generation. */
  readonly #making = new Map<number, Promise<Value>>();

  /** The value of a state; rejects as `make` does. */
  async get(request: KeptRequest<Value>): Promise<Value> {
    const { generation, make, turns } = request;
    if (Number.isNaN(generation)) return make();
    for (;;) {
      if (this.#last?.generation === generation) return this.#last.value;
      const making = this.#making.get(generation);
      if (making === undefined) return this.#make(request);
      try {
        return await turns.wait(making);
      } catch (error) {
        // The client for which it was made has gone: one of the others makes it.
        if (!(error instanceof WorkDropped)) throw error;
      }
    }
  }

  async #make({ generation, make }: KeptRequest<Value>): Promise<Value> {
    // The old value makes room for the new one.
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
