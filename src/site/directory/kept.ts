/** Something that is made of a store and kept until the store changes. */

/** How it is made, and when it is out of date. */
export interface KeptOptions<T> {
  /** What was made under another number is out of date. */
  readonly generation: () => number;
  readonly make: () => Promise<T>;
}

/** Made when it is asked for, once for all who ask, and never twice at a time. */
export class Kept<T> {
  readonly #options: KeptOptions<T>;
  #last: { readonly generation: number; readonly value: T } | undefined;
  #making: { readonly generation: number; readonly value: Promise<T> } | undefined;
  #next: Promise<T> | undefined;

  constructor(options: KeptOptions<T>) {
    this.#options = options;
  }

  /** The value, no older than the state of the store at the time of the call; rejects as `make` does. */
  get(): Promise<T> {
    const generation = this.#options.generation();
    if (this.#last?.generation === generation) return Promise.resolve(this.#last.value);
    if (this.#making === undefined) return this.#make(generation);
    if (this.#making.generation === generation) return this.#making.value;
    // What is being made may be of before a change that has been seen: it is waited for, not taken.
    this.#next ??= this.#making.value
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.get();
      });
    return this.#next;
  }

  #make(generation: number): Promise<T> {
    // The old value makes room for the new one.
    this.#last = undefined;
    const made = this.#options
      .make()
      .then((value) => {
        this.#last = { generation, value };
        return value;
      })
      .finally(() => {
        this.#making = undefined;
      });
    this.#making = { generation, value: made };
    return made;
  }
}
