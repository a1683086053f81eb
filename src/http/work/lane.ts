/** The work of one class in the queue: its limits and its order. */
import { WorkDropped } from '../turns.ts';

/** Demand for an answer: no client waits; only clients that have closed their sending side, which may be gone; at least one does. */
export type Demand = 'none' | 'possible' | 'certain';

/** Work as a lane sees it. All but the demand is set by lanes. */
export interface LaneJob {
  /** Asked before every turn; work without demand ends. */
  readonly demand: () => Demand;
  /** True once it was dropped. */
  isDropped: boolean;
  /** True while it is begun and has not ended. */
  isBegun: boolean;
  /** Index among the jobs of the lane. */
  place: number;
}

/** Work that is ready to run, for the first time or again. */
export interface Resumption {
  readonly job: LaneJob;
  /** True for the first time, in which `go` runs the work up to its first wait or its end. Otherwise the work goes on after `go`. */
  readonly isBeginning: boolean;
  readonly go: () => void;
  /** Called instead if no client waits any more. */
  readonly drop: (reason: WorkDropped) => void;
}

/** Work of one class: first in, first out. Work that ends its turn goes to the end. */
export class Lane {
  readonly #maxBegun: number;
  /**
   * In no order. Not a Set: when one has to grow or to be tidied, the table before it stays in memory with all its members until the
   * old generation is collected, and garbage in it keeps the next table alive. Nearly every job would grow old that way.
   */
  readonly #jobs: LaneJob[] = [];
  #begunCount = 0;
  readonly #waiting: Resumption[] = [];
  readonly ready: Resumption[] = [];
  readonly #beginsIn: Resumption[];

  /** @param begins the lane that has the first turn of each work; its own unless given. */
  constructor(maxBegun: number, begins?: Lane) {
    this.#maxBegun = maxBegun;
    this.#beginsIn = begins?.ready ?? this.ready;
  }

  get isReady(): boolean {
    return this.ready.length > 0;
  }

  /** True if no more may wait. */
  isFull(maxCount: number): boolean {
    return this.#jobs.length >= maxCount && isFull(this.#jobs, maxCount);
  }

  add(job: LaneJob): void {
    job.place = this.#jobs.push(job) - 1;
  }

  /** Makes work ready now, or, where too much is begun already, when some of that ends. */
  begin(resumption: Resumption): void {
    if (this.#isBegunFull) {
      this.#waiting.push(resumption);
      return;
    }
    resumption.job.isBegun = true;
    this.#begunCount++;
    this.#beginsIn.push(resumption);
  }

  end(job: LaneJob): void {
    this.#remove(job);
    if (!job.isBegun) return;
    job.isBegun = false;
    this.#begunCount--;
    if (this.#isBegunFull) return;
    const next = takeWanted(this.#waiting);
    if (next !== undefined) this.begin(next);
  }

  /** Takes the next work to run, and drops work without demand on the way. */
  take(): Resumption | undefined {
    return takeWanted(this.ready);
  }

  get #isBegunFull(): boolean {
    if (this.#begunCount < this.#maxBegun) return false;
    const begun = this.#jobs.filter(({ isBegun }) => isBegun);
    return isFull(begun, this.#maxBegun);
  }

  /** Puts the last job into the place of this one. */
  #remove(job: LaneJob): void {
    const last = this.#jobs.pop();
    if (last === undefined || last === job) return;
    this.#jobs[job.place] = last;
    last.place = job.place;
  }
}

/**
 * Checks a bound that jobs have reached. Jobs that are only possibly wanted do not count, until there are twice as many jobs as the
 * bound allows: clients that close their sending side must not get around it.
 */
function isFull(jobs: readonly LaneJob[], maxCount: number): boolean {
  if (jobs.length >= 2 * maxCount) return true;
  let certainCount = 0;
  for (const job of jobs) if (job.demand() === 'certain') certainCount++;
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
