/**
 * The one queue of everything that is made: cache misses, large answers, pictures, searches. It decides when each goes on, and
 * leaves the time to cache hits while they flow.
 */
import type { AppError } from '../../model/app-error.ts';
import { overloaded, type Turns, type WorkClass, WorkDropped } from '../turns.ts';
import { HitFlow } from './hit-flow.ts';

/** Whether a client waits: none; possibly one, which has closed its sending side; certainly one. */
export type Demand = 'none' | 'possible' | 'certain';

/** Something to be made. */
export interface Work<Result> {
  readonly workClass: WorkClass;
  /** Asked before every turn; work without demand ends. */
  readonly demand: () => Demand;
  /** Called in the first turn. */
  readonly make: (turns: Turns) => Promise<Result>;
}

/** The options of a queue. */
export interface WorkQueueOptions {
  /** How many of each class may be made or wait at a time. */
  readonly maxCounts: Readonly<Record<WorkClass, number>>;
  /** The number of cache hits so far. */
  readonly hitCount: () => number;
  readonly onRefused: (workClass: WorkClass) => void;
  /** The clock, in milliseconds; that of the process unless given. */
  readonly now?: () => number;
}

/** While cache hits flow, work pauses for so many times as long as a turn of it took: it gets an eighth of the time. */
const pauseFactor = 7;

/**
 * So many small ones are made in a turn of the event loop: several in a row take two thirds of the time that they take one by
 * one, because the processor has the code of each step at hand.
 */
const maxSmallPerTurn = 16;
const smallInARow = 8;

/** A turn of the event loop takes further parts of large answers and pictures until it has lasted this long. */
const turnMs = 1;

/** The package pg takes so long to send a query and to parse its rows, in callbacks of its own; measured with plugin details. */
const outsideMs = 0.1;

/** What was taken beyond the share is owed for this long at most: without hits nothing is. */
const maxOwedMs = 100;

/** So many of a class are begun at a time, because each holds memory; the others wait for one of them to end. */
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
      lane.end(job);
      if (lane.isReady) this.#plan();
    }
  }

  /** Whether a turn lasts: what runs now runs in it. */
  get isInTurn(): boolean {
    return this.#isInTurn;
  }

  /** Charges what handing work over and taking it back costs this thread outside of turns. */
  chargeOutside(): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now()) + pauseFactor * outsideMs;
  }

  /** Puts work in the line of a class. */
  resume(workClass: WorkClass, resumption: Resumption): void {
    this.#lanes[workClass].ready.push(resumption);
    this.#plan();
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
    const owedUntil = Math.min(this.#pausedUntil, endedAt + maxOwedMs);
    this.#pausedUntil = Math.max(owedUntil, endedAt) + pauseFactor * (endedAt - startedAt);
    if (small.isReady || large.isReady || picture.isReady) this.#plan();
  }

  /** Whether cache hits are to have this turn. A turn without any since the last look is free. */
  #isPaused(now: number): boolean {
    const { count } = this.#flow;
    const isBesideHits = count !== this.#hitCount;
    this.#hitCount = count;
    return this.#flow.isFlowing(now) && isBesideHits && now < this.#pausedUntil;
  }
}

/** Resolves when everything has run that was begun in this turn and waits for nothing outside. */
function drained(): Promise<void> {
  // Microtasks run until there is none left; what one of them asks of `nextTick` comes behind.
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}

/** A piece of work that goes on. */
interface Resumption {
  readonly job: Job;
  readonly go: () => void;
  /** Called instead where no client waits any more. */
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
      // What was there at once goes on in the same turn.
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

/** The work of one class: what is ready goes on in the order in which it became so, so that all take turns. */
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

  /** Makes it ready now, or when one of those that have begun ends. */
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
    if (!this.#begun.delete(job)) return;
    const next = takeWanted(this.#waiting);
    if (next !== undefined) this.begin(next);
  }

  /** The next that goes on; work without demand is dropped on the way. */
  take(): Resumption | undefined {
    return takeWanted(this.ready);
  }
}

/**
 * Checks a bound on the number of jobs. Only jobs that are certainly wanted take places; the others have as many places of their own,
 * because a bound must also hold for clients that have closed their sending side.
 */
function isFull(jobs: ReadonlySet<Job>, maxCount: number): boolean {
  if (jobs.size < maxCount) return false;
  if (jobs.size >= 2 * maxCount) return true;
  let certainCount = 0;
  for (const { demand } of jobs) if (demand() === 'certain') certainCount++;
  return certainCount >= maxCount;
}

/** Takes the first that is certainly wanted out of a list, or else the first that may be; drops those in front without demand. */
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
