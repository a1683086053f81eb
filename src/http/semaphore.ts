/** Bounds how many jobs of one size are begun at a time, and how many more wait. */
import { AppError } from '../model/app-error.ts';

/** Limits of a {@link Semaphore}. */
interface SemaphoreLimits {
  /** Called for each one that is refused. */
  readonly onRefused: () => void;
  readonly maxBegun: number;
  readonly maxWaiting: number;
}

interface Entry {
  readonly isWanted: () => boolean;
  readonly admit: (permit: Disposable) => void;
  readonly drop: (error: Abandoned) => void;
}

/** Lets jobs in, first come, first served. */
export class Semaphore {
  readonly #maxWaiting: number;
  readonly #onRefused: () => void;
  #freeCount: number;
  #waiting: Entry[] = [];

  constructor({ maxBegun, maxWaiting, onRefused }: SemaphoreLimits) {
    this.#freeCount = maxBegun;
    this.#maxWaiting = maxWaiting;
    this.#onRefused = onRefused;
  }

  /**
   * Resolves to a permit when there is room; disposing of it lets the next one in. Rejects with {@link Abandoned} once `isWanted` is false.
   * @throws AppError `unavailable`, `overloaded` where too many wait already.
   */
  enter(isWanted: () => boolean): Disposable | Promise<Disposable> {
    if (this.#freeCount > 0) {
      this.#freeCount--;
      return this.#permit();
    }
    if (this.#waiting.length >= this.#maxWaiting) this.#dropUnwanted();
    if (this.#waiting.length >= this.#maxWaiting) {
      this.#onRefused();
      throw overloaded();
    }
    return new Promise((admit, drop) => this.#waiting.push({ isWanted, admit, drop }));
  }

  #permit(): Disposable {
    return { [Symbol.dispose]: () => this.#leave() };
  }

  #leave(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.isWanted()) {
        next.admit(this.#permit());
        return;
      }
      next.drop(new Abandoned());
    }
    this.#freeCount++;
  }

  #dropUnwanted(): void {
    for (const { isWanted, drop } of this.#waiting) if (!isWanted()) drop(new Abandoned());
    this.#waiting = this.#waiting.filter(({ isWanted }) => isWanted());
  }
}

/** Makes the error for a request that is refused because of the load. */
export function overloaded(message = 'the server has more to do than it can; try again later'): AppError {
  return new AppError('unavailable', message, { kind: 'overloaded' });
}

/** Ends a job whose clients have all gone. */
export class Abandoned extends AppError {
  constructor() {
    super('unavailable', 'no client waits for this any more', { kind: 'overloaded' });
  }
}
