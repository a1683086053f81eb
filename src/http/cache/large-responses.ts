/**
 * The lane for answers that take milliseconds to make: one at a time, and in slices between which everybody
 * else has a turn. Without it eight clients that ask for ten years each would hold up all others.
 */

/** Work in slices: every `yield` is a place where others may have a turn. */
export type SlicedWork<T> = AsyncGenerator<void, T>;

/** Runs sliced work, one piece of work after the other, one slice in a turn of the event loop. */
export class HeavyLane {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work when all that came before is done; settles as the work does. */
  run<T>(work: () => SlicedWork<T>): Promise<T> {
    const result = this.#last.then(() => runSlices(work()));
    // Whoever comes next waits for the end, however this one ends; its error is its caller's.
    this.#last = result.catch(() => undefined);
    return result;
  }
}

async function runSlices<T>(work: SlicedWork<T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const step = await work.next();
    if (step.done) return step.value;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
