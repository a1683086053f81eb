/** Something that is made of one state of the store and kept until the state changes. */
import { type Turns, WorkDropped } from '../../http/turns.ts';

/** What is asked for. */
export interface KeptRequest<Value> {
  /** The generation of the state that it is made of; what is made of no known one (NaN) is not kept. */
  readonly generation: number;
  readonly make: () => Promise<Value>;
  /** Of the one who asks. */
  readonly turns: Turns;
}

/** Made when it is asked for, once for all who ask. */
export class Kept<Value> {
  #last: { readonly generation: number; readonly value: Value } | undefined;
  #making: { readonly generation: number; readonly value: Promise<Value> } | undefined;

  /** The value of a state; rejects as `make` does. */
  async get(request: KeptRequest<Value>): Promise<Value> {
    const { generation, turns } = request;
    for (;;) {
      if (this.#last?.generation === generation) return this.#last.value;
      const making = this.#making;
      if (making?.generation !== generation) return this.#make(request);
      try {
        return await turns.wait(making.value);
      } catch (error) {
        // Who made it has gone: one of the others goes on with it.
        if (!(error instanceof WorkDropped)) throw error;
      }
    }
  }

  async #make({ generation, make }: KeptRequest<Value>): Promise<Value> {
    // The old value makes room for the new one.
    if (this.#last !== undefined && this.#last.generation < generation) this.#last = undefined;
    const making = { generation, value: make() };
    this.#making = making;
    try {
      const value = await making.value;
      if (!(generation < (this.#last?.generation ?? generation))) this.#last = { generation, value };
      return value;
    } finally {
      if (this.#making === making) this.#making = undefined;
    }
  }
}
