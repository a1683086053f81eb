/** A gate for work that takes much memory: only so much of it is in progress at a time. */
import type { Turns } from './turns.ts';

/** Lets work in, first come, first served. */
export class Gate {
  #freeCount: number;
  readonly #waiting: (() => void)[] = [];

  /** @param passCount number of pieces of work that may be inside at a time. */
  constructor(passCount: number) {
    this.#freeCount = passCount;
  }

  /** Resolves when there is room, which the work has until it leaves the queue. Rejects as `turns` do, without room. */
  async enter(turns: Turns): Promise<void> {
    if (this.#freeCount > 0) this.#freeCount--;
    else await this.#wait(turns);
    turns.whenLeft(() => this.#leave());
  }

  async #wait(turns: Turns): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    try {
      await turns.wait(promise);
    } catch (error) {
      const index = this.#waiting.indexOf(resolve);
      // It may have been let in at the same time.
      if (index === -1) this.#leave();
      else this.#waiting.splice(index, 1);
      throw error;
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#freeCount++;
    else next();
  }
}
