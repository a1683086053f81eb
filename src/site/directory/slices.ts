/**
 * Long work on the event loop, cut into slices. One slice of all such work runs in a turn of the loop, however many
 * requests want some, so that whatever else has arrived is answered in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a slice may take before it pauses. */
const maxSliceMs = 1;

/** The turn of the last slice that waits for one. */
let lastTurn: Promise<unknown> = Promise.resolve();

/** Measures the slices of one piece of work. */
export class Slices {
  #startedAt = performance.now();

  /** Whether the slice has lasted long enough. */
  get isOver(): boolean {
    return performance.now() - this.#startedAt > maxSliceMs;
  }

  /** Ends the slice; resolves when the next one has its turn. */
  async pause(): Promise<void> {
    lastTurn = lastTurn.then(() => nextTurn());
    await lastTurn;
    this.#startedAt = performance.now();
  }
}
