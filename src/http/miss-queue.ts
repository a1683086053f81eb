/**
 * Making what is not cached, in a line that cached responses overtake: while they flow, it gets an eighth of the time. What
 * is beyond the line is refused at once, so that a client waits for an answer or knows that there is none.
 */
import { AppError } from '../model/app-error.ts';
import type { HitFlow } from './hit-flow.ts';

/** As long as cached responses flow, making others takes this part of the time. */
const share = 1 / 8;

/** As long as they do not, so much in a turn of the event loop: those that come meanwhile wait no longer. */
const maxTurnMs = 0.5;

/** A response to be made. */
export interface MissWork<Result> {
  readonly make: () => Promise<Result>;
  /** Asked before it is made; what nobody waits for is dropped. */
  readonly isWanted: () => boolean;
  /** Called when it is dropped; its promise then never settles. */
  readonly onDropped: () => void;
}

/** What a queue needs. */
export interface MissQueueOptions {
  /** How many may be made or wait at a time. */
  readonly maxCount: number;
  readonly flow: HitFlow;
  readonly onRefused: () => void;
}

/** The error for what is refused because of others. */
export function overloaded(): AppError {
  const message = 'the server has more to do than it can; try again later';
  return new AppError('unavailable', message, { kind: 'overloaded' });
}

/** The line of one server. */
export class MissQueue {
  readonly #options: MissQueueOptions;
  readonly #waiting: (() => void)[] = [];
  #count = 0;
  /** How much may still be spent in this turn; what is spent beyond is taken from the next ones. */
  #budgetMs = maxTurnMs;
  #turnEndedAt = 0;
  #hitCount = 0;
  #isTurnDue = false;
  readonly #takeTurn = () => this.#runTurn();
  readonly #finish = () => {
    this.#count--;
  };

  constructor(options: MissQueueOptions) {
    this.#options = options;
  }

  /**
   * Makes a response in its turn, which is at once where nobody waits. Rejects as the work does, and with AppError
   * `unavailable`, `overloaded` where the line is full.
   */
  run<Result>(work: MissWork<Result>): Promise<Result> {
    if (this.#count >= this.#options.maxCount) {
      this.#options.onRefused();
      return Promise.reject(overloaded());
    }
    this.#count++;
    this.#planTurn();
    if (this.#waiting.length === 0 && this.#budgetMs > 0) return this.#make(work);
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        if (work.isWanted()) this.#make(work).then(resolve, reject);
        else {
          this.#count--;
          work.onDropped();
        }
      });
    });
  }

  /** What it does before it first waits counts as its time. */
  #make<Result>(work: MissWork<Result>): Promise<Result> {
    const startedAt = performance.now();
    const made = work.make();
    this.#budgetMs -= performance.now() - startedAt;
    made.then(this.#finish, this.#finish);
    return made;
  }

  #runTurn(): void {
    this.#isTurnDue = false;
    this.#beginTurn(performance.now());
    while (this.#budgetMs > 0) {
      const start = this.#waiting.shift();
      if (start === undefined) break;
      start();
    }
    this.#turnEndedAt = performance.now();
    if (this.#waiting.length > 0) this.#planTurn();
  }

  #beginTurn(now: number): void {
    const { flow } = this.#options;
    const isBesideHits = flow.count !== this.#hitCount;
    this.#hitCount = flow.count;
    if (!flow.isFlowing(now)) this.#budgetMs = maxTurnMs;
    else if (isBesideHits)
      this.#budgetMs = Math.min(maxTurnMs, this.#budgetMs + (now - this.#turnEndedAt) * share);
    // Their clients are busy with what they have got: there is time for one.
    else this.#budgetMs = Number.MIN_VALUE;
  }

  #planTurn(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    setImmediate(this.#takeTurn);
  }
}
