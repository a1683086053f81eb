/** A piece of work on its way through the queue. */
import { type Turns, type WorkClass, WorkDropped } from '../turns.ts';
import type { Demand, LaneJob, Resumption } from './lane.ts';

/** An answer to be made. */
export interface Work<Result> {
  readonly workClass: WorkClass;
  /** Asked before every turn; work without demand ends. */
  readonly demand: () => Demand;
  /** Called in the first turn; it may return or throw at once. */
  readonly make: (turns: Turns) => Result | Promise<Result>;
  /** Called when the work has ended, also when it failed or was dropped. */
  readonly onEnded?: () => void;
}

/** The queue as its jobs know it. */
export interface JobQueue {
  /** True during a turn: all code that runs then runs in it. */
  readonly isInTurn: boolean;
  /** Charges for the time that a wait for the store or a thread costs this thread outside of turns. */
  readonly chargeOutside: () => void;
  /** Adds work that can go on to those of a class. */
  readonly resume: (workClass: WorkClass, resumption: Resumption) => void;
  /** Takes note that a job has ended. */
  readonly end: (workClass: WorkClass, job: LaneJob) => void;
}

/** A piece of work in the queue. It is its own first resumption. Whatever the work throws ends this job alone. */
export class Job<Result> implements LaneJob, Turns, Resumption {
  readonly job = this;
  readonly isBeginning = true;
  readonly #queue: JobQueue;
  readonly #work: Work<Result>;
  readonly #result = Promise.withResolvers<Result>();
  /** Error that the work threw when it was asked for its demand. */
  #fault: { readonly error: unknown } | undefined;
  readonly #onLeft: (() => void)[] = [];
  #hasLeft = false;
  isDropped = false;
  isBegun = false;
  place = 0;

  constructor(queue: JobQueue, work: Work<Result>) {
    this.#queue = queue;
    this.#work = work;
  }

  get result(): Promise<Result> {
    return this.#result.promise;
  }

  demand(): Demand {
    if (this.#fault !== undefined) return 'none';
    try {
      return this.#work.demand();
    } catch (error) {
      this.#fault = { error };
      return 'none';
    }
  }

  go(): void {
    let made: Result | Promise<Result>;
    try {
      made = this.#work.make(this);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (made instanceof Promise)
      made.then(
        (result) => this.#succeed(result),
        (error) => this.#fail(error),
      );
    else this.#succeed(made);
  }

  drop(reason: WorkDropped): void {
    this.#fail(reason);
  }

  #succeed(result: Result): void {
    this.#end(() => this.#result.resolve(result));
  }

  #fail(error: unknown): void {
    const reason = this.#fault === undefined ? error : this.#fault.error;
    this.#end(() => this.#result.reject(reason));
  }

  #end(settle: () => void): void {
    this.#queue.end(this.#work.workClass, this);
    this.#hasLeft = true;
    try {
      try {
        this.#work.onEnded?.();
      } finally {
        for (const callback of this.#onLeft) callback();
      }
      settle();
    } catch (error) {
      this.#result.reject(error);
    }
  }

  whenLeft(callback: () => void): void {
    if (this.#hasLeft) callback();
    else this.#onLeft.push(callback);
  }

  next(): Promise<void> {
    const { workClass } = this.#work;
    return this.#turn(workClass === 'small' ? 'large' : workClass);
  }

  async wait<Result>(outside: Promise<Result>, onSettled?: () => void): Promise<Result> {
    try {
      return await outside;
    } finally {
      onSettled?.();
      // A result that was there at once is used in the same turn.
      if (!this.#queue.isInTurn || this.isDropped) {
        this.#queue.chargeOutside();
        await this.#turn(this.#work.workClass);
      }
    }
  }

  #turn(workClass: WorkClass): Promise<void> {
    if (this.isDropped) return Promise.reject(new WorkDropped());
    return new Promise((go, drop) =>
      this.#queue.resume(workClass, { job: this, isBeginning: false, go, drop }),
    );
  }
}
