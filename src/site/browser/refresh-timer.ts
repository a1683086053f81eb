/** When a chart is fetched anew: every half hour while it is looked at, and at once when it is seen again after that. */

/** Time and chance; tests hand in their own. */
export interface RefreshClock {
  readonly now: () => number;
  readonly random: () => number;
  readonly setTimeout: (callback: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number | undefined) => void;
}

const intervalMs = 30 * 60 * 1000;

/** Charts of many pages must not all ask in the same second. */
const jitterMs = 2 * 60 * 1000;

/** Calls back when it is time. It waits while nobody looks, and after each call until `restart`. */
export class RefreshTimer {
  readonly #refresh: () => void;
  readonly #clock: RefreshClock;
  #dueAt = Number.POSITIVE_INFINITY;
  #isWatched = false;
  #timer: number | undefined;

  constructor(refresh: () => void, clock: RefreshClock) {
    this.#refresh = refresh;
    this.#clock = clock;
  }

  /** Counts the half hour from now on. */
  restart(): void {
    this.#dueAt = this.#clock.now() + intervalMs + this.#clock.random() * jitterMs;
    this.#schedule();
  }

  /** Whether the chart is in view, in a tab that is shown. */
  setWatched(isWatched: boolean): void {
    if (isWatched === this.#isWatched) return;
    this.#isWatched = isWatched;
    this.#schedule();
  }

  #schedule(): void {
    this.#clock.clearTimeout(this.#timer);
    if (!this.#isWatched || this.#dueAt === Number.POSITIVE_INFINITY) return;
    // Computers sleep: a timer may be late, never early.
    this.#timer = this.#clock.setTimeout(() => this.#call(), Math.max(0, this.#dueAt - this.#clock.now()));
  }

  #call(): void {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#refresh();
  }
}
