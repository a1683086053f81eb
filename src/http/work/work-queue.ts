/**
 * The one queue of all answers that are not cached: small and large ones, pictures, searches. It decides which of them runs next, and
 * gives most of the time to cache hits while traffic of those is heavy.
 */
import type { AppError } from '../../model/app-error.ts';
import { overloaded, type Turns, type WorkClass, WorkDropped } from '../turns.ts';
import { HitFlow } from './hit-flow.ts';

/** Demand for an answer: no client waits; only clients that have closed their sending side, which may be gone; at least one does. */
export type Demand = 'none' | 'possible' | 'certain';

/** An answer to be made. */
export interface Work<Result> {
  readonly workClass: WorkClass;
  /** Asked before every turn; work without demand ends. */
  readonly demand: () => Demand;
  /** Called in the first turn. */
  readonly make: (turns: Turns) => Promise<Result>;
}

/** Options of {@link WorkQueue}. */
export interface WorkQueueOptions {
  /** Limits on the answers of each class that are being made or wait for that. */
  readonly maxCounts: Readonly<Record<WorkClass, number>>;
  /** The number of cache hits so far. */
  readonly hitCount: () => number;
  readonly onRefused: (workClass: WorkClass) => void;
  /** The clock, in milliseconds; that of the process unless given. */
  readonly now?: () => number;
}

/** While cache hits are heavy, each turn is followed by a pause this many times as long: work gets an eighth of the time. */
const pauseFactor = 7;

/** Limit on the small answers that are made in a turn of the event loop. */
const maxSmallPerTurn = 16;

/**
 * Number of small answers that are begun before any of them is waited for. Each step is then done for all of them in a row, with its
 * code in the caches of the processor, which takes two thirds of the time that they take one by one.
 */
const smallInARow = 8;

/** A turn takes further parts of large answers and pictures until it has lasted this long. */
const turnMs = 1;

/** Charge for a wait outside of turns: the time that the package pg spends on a query in its own callbacks, measured with plugin details. */
const outsideMs = 0.1;

/** Charge for each answer, whatever it is: the time for parsing its request and sending it, which is outside of turns too. */
const wireMs = 0.02;

/** Limit on the pause that is left from earlier turns when another one ends. */
const maxOwedMs = 100;

/** Limits on the answers that are begun and not finished, because each holds memory; the others wait for one of them to end. */
const maxBegun: Readonly<Record<WorkClass, number>> = {
  small: Number.POSITIVE_INFINITY,
  large: 32,
  picture: 8,
};

/** The queue of one server. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #flow: HitFlow;
  readonly #now: () => number;
  readonly #lanes: Readonly<Record<WorkClass, Lane>> = {
    small: new Lane(maxBegun.small),
    large: new Lane(maxBegun.large),
    picture: new Lane(maxBegun.picture),
  };
  #isInTurn = false;
  #isPlanned = false;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #hitCount = 0;
  #isPictureNext = false;
  readonly #takeTurn = () => void this.#runTurn();

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#flow = new HitFlow(options.hitCount, this.#now());
  }

  /**
   * Does the work in its turns; settles as it does, and rejects once no client waits. Rejects with AppError `unavailable`,
   * `overloaded` where too much of its class waits already.
   */
  async run<Result>({ workClass, demand, make }: Work<Result>): Promise<Result> {
    const lane = this.#lanes[workClass];
    if (lane.isFull(this.#options.maxCounts[workClass])) {
      this.#options.onRefused(workClass);
      throw overloaded();
    }
    const job = new Job(this, { workClass, demand });
    lane.add(job);
    this.#plan();
    try {
      await new Promise<void>((go, drop) => lane.begin({ job, go, drop }));
      return await make(job);
    } finally {
      this.#charge(wireMs);
      lane.end(job);
      if (lane.isReady) this.#plan();
    }
  }

  /** True during a turn: all code that runs then runs in it. */
  get isInTurn(): boolean {
    return this.#isInTurn;
  }

  /** Charges for the time that a wait for the store or a thread costs this thread outside of turns. */
  chargeOutside(): void {
    this.#charge(outsideMs);
  }

  /** Adds work that can go on to those of a class. */
  resume(workClass: WorkClass, resumption: Resumption): void {
    this.#lanes[workClass].ready.push(resumption);
    this.#plan();
  }

  #charge(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now()) + pauseFactor * ms;
  }

  #plan(): void {
    if (this.#isPlanned || this.#isInTurn) return;
    this.#isPlanned = true;
    setImmediate(this.#takeTurn);
  }

  async #runTurn(): Promise<void> {
    this.#isPlanned = false;
    const startedAt = this.#now();
    if (this.#isPaused(startedAt)) {
      this.#plan();
      return;
    }
    this.#isInTurn = true;
    const { small, large, picture } = this.#lanes;
    for (let count = 0; small.isReady && count < maxSmallPerTurn; ) {
      const end = count + smallInARow;
      for (; count < end; count++) small.take()?.go();
      await drained();
      if (this.#now() - startedAt > turnMs) break;
    }
    do {
      this.#isPictureNext = !this.#isPictureNext;
      const [first, second] = this.#isPictureNext ? [picture, large] : [large, picture];
      const resumption = first.take() ?? second.take();
      if (resumption === undefined) break;
      resumption.go();
      await drained();
    } while (this.#now() - startedAt < turnMs);
    this.#isInTurn = false;
    const endedAt = this.#now();
    this.#pausedUntil = Math.min(this.#pausedUntil, endedAt + maxOwedMs);
    this.#charge(endedAt - startedAt);
    if (small.isReady || large.isReady || picture.isReady) this.#plan();
  }

  /** True if this turn belongs to cache hits. It does not if there were none since the last one. */
  #isPaused(now: number): boolean {
    const { count } = this.#flow;
    const isBesideHits = count !== this.#hitCount;
    this.#hitCount = count;
    return this.#flow.isFlowing(now) && isBesideHits && now < this.#pausedUntil;
  }
}

/** Resolves when all work that was begun in this turn has ended, or waits for something outside. */
function drained(): Promise<void> {
  // All microtasks run before a callback of `nextTick` that one of them has asked for.
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}

/** Work that is ready to run, for the first time or again. */
interface Resumption {
  readonly job: Job;
  readonly go: () => void;
  /** Called instead if no client waits any more. */
  readonly drop: (reason: AppError) => void;
}

class Job implements Turns {
  readonly demand: () => Demand;
  readonly #queue: WorkQueue;
  readonly #workClass: WorkClass;
  isDropped = false;

  constructor(queue: WorkQueue, { workClass, demand }: Pick<Work<unknown>, 'workClass' | 'demand'>) {
    this.#queue = queue;
    this.#workClass = workClass;
    this.demand = demand;
  }

  next(): Promise<void> {
    return this.#turn(this.#workClass === 'small' ? 'large' : this.#workClass);
  }

  async wait<Result>(outside: Promise<Result>, onSettled?: () => void): Promise<Result> {
    try {
      return await outside;
    } finally {
      onSettled?.();
      // A result that was there at once is used in the same turn.
      if (!this.#queue.isInTurn || this.isDropped) {
        this.#queue.chargeOutside();
        await this.#turn(this.#workClass);
      }
    }
  }

  #turn(workClass: WorkClass): Promise<void> {
    if (this.isDropped) return Promise.reject(new WorkDropped());
    return new Promise((go, drop) => this.#queue.resume(workClass, { job: this, go, drop }));
  }
}

/** The work of one class: first in, first out, so that work which ends its turn goes on behind all others. */
class Lane {
  readonly #maxBegun: number;
  readonly #jobs = new Set<Job>();
  readonly #begun = new Set<Job>();
  readonly #waiting: Resumption[] = [];
  readonly ready: Resumption[] = [];

  constructor(maxBegun: number) {
    this.#maxBegun = maxBegun;
  }

  get isReady(): boolean {
    return this.ready.length > 0;
  }

  /** True if no more may wait. */
  isFull(maxCount: number): boolean {
    return isFull(this.#jobs, maxCount);
  }

  add(job: Job): void {
    this.#jobs.add(job);
  }

  /** Makes work ready now, or, where too much is begun already, when some of that ends. */
  begin(resumption: Resumption): void {
    if (isFull(this.#begun, this.#maxBegun)) {
      this.#waiting.push(resumption);
      return;
    }
    this.#begun.add(resumption.job);
    this.ready.push(resumption);
  }

  end(job: Job): void {
    this.#jobs.delete(job);
    if (!this.#begun.delete(job) || isFull(this.#begun, this.#maxBegun)) return;
    const next = takeWanted(this.#waiting);
    if (next !== undefined) this.begin(next);
  }

  /** Takes the next work to run, and drops work without demand on the way. */
  take(): Resumption | undefined {
    return takeWanted(this.ready);
  }
}

/**
 * Checks a bound on the number of jobs. Jobs that are only possibly wanted do not count, until there are twice as many jobs as the
 * bound allows: clients that close their sending side must not get around it.
 */
function isFull(jobs: ReadonlySet<Job>, maxCount: number): boolean {
  if (jobs.size < maxCount) return false;
  if (jobs.size >= 2 * maxCount) return true;
  let certainCount = 0;
  for (const { demand } of jobs) if (demand() === 'certain') certainCount++;
  return certainCount >= maxCount;
}

/** Takes the first work that is certainly wanted out of a list, or else the first that possibly is; drops work in front without demand. */
function takeWanted(list: Resumption[]): Resumption | undefined {
  let possibleAt: number | undefined;
  for (let at = 0; at < list.length; ) {
    const resumption = list[at];
    const demand = resumption?.job.demand() ?? 'none';
    if (demand === 'none') {
      list.splice(at, 1);
      if (resumption !== undefined) {
        resumption.job.isDropped = true;
        resumption.drop(new WorkDropped());
      }
    } else if (demand === 'certain') {
      if (at === 0) list.shift();
      else list.splice(at, 1);
      return resumption;
    } else {
      possibleAt ??= at;
      at++;
    }
  }
  return possibleAt === undefined ? undefined : list.splice(possibleAt, 1)[0];
}
