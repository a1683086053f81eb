/** Long work on the event loop, cut into slices, between which others have their turn. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Well below what a person or a load balancer could notice. */
const maxSliceMs = 1;

/** Measures the slices of one piece of work. */
export class Slices {
  #startedAt = performance.now();

  /** Whether the slice has lasted long enough. Asking costs some 50 ns. */
  get isOver(): boolean {
    return performance.now() - this.#startedAt > maxSliceMs;
  }

  /** Ends the slice; resolves when the next one begins. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#startedAt = performance.now();
  }
}
