/**
 * Responses that take milliseconds to make: one slice of one of them in a turn of the event loop, so that all other
 * requests are answered in between. A response is not made once no client waits for it.
 */
import type { HitFlow } from '../hit-flow.ts';
import { overloaded } from '../miss-queue.ts';

/** Whether a client waits: none; possibly one, which has closed its sending side; certainly one. */
export type Demand = 'none' | 'possible' | 'certain';

/** Work in slices: every `yield` lets others have a turn. */
export type SlicedWork<Result> = AsyncGenerator<void, Result>;

/** A piece of work, and who wants it. */
export interface LargeWork<Result> {
  /** Asked before every slice; work without demand ends. */
  readonly demand: () => Demand;
  readonly start: () => SlicedWork<Result>;
  /** Called at once when the work is dropped. */
  readonly onDropped: () => void;
}

interface Job {
  readonly demand: () => Demand;
  /** Does one slice; resolves to whether that was the last one. */
  readonly step: () => Promise<boolean>;
  readonly drop: () => void;
}

/** What they need. */
export interface LargeResponsesOptions {
  /** How many may be made or wait at a time. */
  readonly maxCount: number;
  readonly flow: HitFlow;
  /** Lets all go ahead that takes less time than a slice; resolves when that is done. */
  readonly beforeSlice: () => Promise<void>;
  readonly onRefused: () => void;
}

/** After a slice, so many times as long is for cached responses, while they flow. */
const pauseFactor = 7;

/** A slice that took longer was waiting for the store or for a thread. */
const maxSliceMs = 2;

/** The large responses of one server that are wanted at the moment. */
export class LargeResponses {
  readonly #options: LargeResponsesOptions;
  /** In the order in which they came. */
  readonly #jobs = new Set<Job>();
  #isRunning = false;

  constructor(options: LargeResponsesOptions) {
    this.#options = options;
  }

  /**
   * Does the work in its turn; settles as the work does. Rejects with AppError `unavailable`, `overloaded` where too many
   * wait.
   */
  run<Result>(work: LargeWork<Result>): Promise<Result> {
    if (this.#isFull()) {
      this.#options.onRefused();
      return Promise.reject(overloaded());
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let slices: SlicedWork<Result> | undefined;
    this.#jobs.add({
      demand: work.demand,
      step: async () => {
        try {
          slices ??= work.start();
          const { done, value } = await slices.next();
          if (done === true) resolve(value);
          return done === true;
        } catch (error) {
          reject(error);
          return true;
        }
      },
      drop: () => {
        work.onDropped();
        // Closes what the work has opened. No client is left to be told of a failure.
        slices?.return(undefined as never).catch(() => {});
      },
    });
    void this.#runAll();
    return promise;
  }

  /**
   * What a client may no longer wait for takes no place: it is made after all others, and connections bound how much of it
   * there is.
   */
  #isFull(): boolean {
    const { maxCount } = this.#options;
    if (this.#jobs.size < maxCount) return false;
    let certainCount = 0;
    for (const job of this.#jobs) {
      const demand = job.demand();
      if (demand === 'certain') certainCount++;
      if (demand === 'none') this.#drop(job);
    }
    return certainCount >= maxCount;
  }

  async #runAll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    let busyMs = 0;
    for (;;) {
      await this.#letOthers(busyMs * pauseFactor);
      await this.#options.beforeSlice();
      const job = this.#next();
      if (job === undefined) break;
      const startedAt = performance.now();
      if (await job.step()) this.#jobs.delete(job);
      busyMs = Math.min(maxSliceMs, performance.now() - startedAt);
    }
    this.#isRunning = false;
  }

  /** Waits for a turn of the event loop, or for longer while cached responses flow. */
  async #letOthers(pauseMs: number): Promise<void> {
    const isFlowing = this.#options.flow.isFlowing(performance.now());
    await new Promise((resolve) => (isFlowing ? setTimeout(resolve, pauseMs) : setImmediate(resolve)));
  }

  /** The oldest job that is certainly wanted, or else the oldest; those in front of it without demand are dropped. */
  #next(): Job | undefined {
    let possible: Job | undefined;
    for (const job of this.#jobs) {
      const demand = job.demand();
      if (demand === 'certain') return job;
      if (demand === 'none') this.#drop(job);
      else possible ??= job;
    }
    return possible;
  }

  #drop(job: Job): void {
    this.#jobs.delete(job);
    job.drop();
  }
}
