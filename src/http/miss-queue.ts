/**
 * Making what is not cached, in a line that cached responses overtake: while they flow, it gets an eighth of the time. What
 * is beyond the line is refused at once, so that a client waits for an answer or knows that there is none.
 */
import { AppError } from '../model/app-error.ts';
import type { HitFlow } from './hit-flow.ts';

/** As long as cached responses flow, making others takes this part of the time. */
const share = 1 / 8;

/**
 * As long as they do not, so many in a turn of the event loop: those that come meanwhile wait no longer than these take, and
 * several in a row take two thirds of the time that they take one by one between reading and writing.
 */
const maxPerTurn = 16;

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
  /** What has been taken beyond the share. */
  #debtMs = 0;
  #turnStartedAt = 0;
  #turnEndedAt = 0;
  #hitCount = 0;
  /** The turn that has been planned. */
  #due: NodeJS.Immediate | undefined;
  readonly #takeTurn = () => void this.#runTurn();
  readonly #finish = () => {
    this.#count--;
  };

  constructor(options: MissQueueOptions) {
    this.#options = options;
  }

  /**
   * Makes a response in its turn. Rejects as the work does, and with AppError `unavailable`, `overloaded` where the line is
   * full.
   */
  run<Result>(work: MissWork<Result>): Promise<Result> {
    if (this.#count >= this.#options.maxCount) {
      this.#options.onRefused();
      return Promise.reject(overloaded());
    }
    this.#count++;
    this.#planTurn();
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        if (work.isWanted()) work.make().finally(this.#finish).then(resolve, reject);
        else {
          this.#count--;
          work.onDropped();
        }
      });
    });
  }

  /** Takes a turn that is due now, before work that would hold it up; resolves once what needs no waiting is made. */
  async takeDueTurn(): Promise<void> {
    if (this.#due === undefined) return;
    clearImmediate(this.#due);
    await this.#runTurn();
  }

  async #runTurn(): Promise<void> {
    this.#due = undefined;
    this.#turnStartedAt = performance.now();
    for (const start of this.#waiting.splice(0, this.#allowedCount())) start();
    if (this.#waiting.length > 0) this.#planTurn();
    // What has been started goes on in microtasks; a tick that one of them asks for comes behind all.
    await new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));
    this.#turnEndedAt = performance.now();
    this.#debtMs += this.#turnEndedAt - this.#turnStartedAt;
  }

  /** How many may be made in the turn that begins. */
  #allowedCount(): number {
    const { flow } = this.#options;
    const isBesideHits = flow.count !== this.#hitCount;
    this.#hitCount = flow.count;
    if (!flow.isFlowing(this.#turnStartedAt)) {
      this.#debtMs = 0;
      return maxPerTurn;
    }
    // Their clients are busy with what they have got: there is time for one.
    if (!isBesideHits) return 1;
    this.#debtMs = Math.max(0, this.#debtMs - (this.#turnStartedAt - this.#turnEndedAt) * share);
    return this.#debtMs === 0 ? 1 : 0;
  }

  #planTurn(): void {
    this.#due ??= setImmediate(this.#takeTurn);
  }
}
