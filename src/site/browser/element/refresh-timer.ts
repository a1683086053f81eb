/** Timer for refreshing a chart: every half hour while it is in view, or as soon as it is in view again. */

/** Time and randomness; tests hand in their own. */
interface RefreshClock {
  readonly now: () => number;
  readonly random: () => number;
  readonly setTimeout: (callback: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number | undefined) => void;
}

const intervalMs = 30 * 60 * 1000;

/** Spreads the requests of many pages. */
const jitterMs = 2 * 60 * 1000;

/** Calls back when a refresh is due. It pauses while the chart is out of view, and after each call until `restart`. */
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

  /** Starts the next half hour. */
  restart(): void {
    this.#dueAt = this.#clock.now() + intervalMs + this.#clock.random() * jitterMs;
    this.#schedule();
  }

  /** Sets whether the chart is in view, in a visible tab. */
  setWatched(isWatched: boolean): void {
    if (isWatched === this.#isWatched) return;
    this.#isWatched = isWatched;
    this.#schedule();
  }

  #schedule(): void {
    this.#clock.clearTimeout(this.#timer);
    if (!this.#isWatched || this.#dueAt === Number.POSITIVE_INFINITY) return;
    // A timer may be late, as computers sleep, but never early.
    this.#timer = this.#clock.setTimeout(() => this.#call(), Math.max(0, this.#dueAt - this.#clock.now()));
  }

  #call(): void {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#refresh();
  }
}
