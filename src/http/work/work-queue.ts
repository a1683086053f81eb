/**
 * Queue for cache misses: small and large responses, pictures and searches. Cache hits have priority: they get most of the time while
 * their traffic is heavy.
 */
import { overloaded, type WorkClass } from '../turns.ts';
import { HitFlow } from './hit-flow.ts';
import { Job, type JobQueue, type Work } from './job.ts';
import { Lane, type LaneJob, type Resumption } from './lane.ts';

/** Options of {@link WorkQueue}. */
interface WorkQueueOptions {
  /** Limits on the answers of each class that are being made or wait for that. */
  readonly maxCounts: Readonly<Record<WorkClass, number>>;
  /** The number of cache hits so far. */
  readonly hitCount: () => number;
  /** The number of connections that were accepted so far. */
  readonly acceptedCount: () => number;
  readonly onRefused: (workClass: WorkClass) => void;
  /** The clock, in milliseconds; that of the process unless given. */
  readonly now?: () => number;
  /** Calls back when {@link pollMs} have passed; a timer of the process unless given. */
  readonly poll?: (callback: () => void) => void;
}

/** While cache hits are heavy, each turn is followed by a pause this many times as long: work gets an eighth of the time. */
const pauseFactor = 7;

/**
 * Time in which small answers and new pictures are begun before any of them is waited for. Each step is then done for all of them in a
 * row, with its code in the caches of the processor, and clients that are answered together leave fewer pending requests to the garbage
 * collector.
 */
const rowMs = 0.5;

/** Limit on a row, for answers that take far longer to be made than to be begun. */
const maxInARow = 64;

/** Places that work takes in a row when it goes on, because its time is not known before the row has ended. */
const resumedPlaces = 8;

/**
 * Interval between checks whether a pause is over. A check in every turn would see moments without hits, while all clients handle their
 * last answers, and end the pause too early.
 */
const pollMs = 1;

/** A turn takes further parts of large answers and pictures until it has lasted this long. */
const turnMs = 1;

/**
 * Limit on turns in a row that take no parts of large answers and pictures because a connection came before each. Node accepts one in a
 * turn of the event loop, so clients that connect at the same time would wait for a part each.
 */
const maxTurnsOfAccepting = 64;

/** Charge for a wait outside of turns: the time that the package pg spends on a query in its own callbacks, measured with plugin details. */
const outsideMs = 0.1;

/** Charge for each response of any class: the time to parse its request, to send it and to collect its garbage, all outside of turns. */
const wireMs = 0.018;

/** The same for each KiB of its body. With a flat charge, points had half of their eighth. */
const wireKibMs = 0.0015;

/** Limit on the pause that is left from earlier turns when another one ends. */
const maxOwedMs = 100;

/** Limits on the answers that are begun and not finished, because each holds memory; the others wait for one of them to end. */
const maxBegun: Readonly<Record<WorkClass, number>> = {
  small: Number.POSITIVE_INFINITY,
  large: 32,
  picture: 8,
};

/** The queue of one server. */
export class WorkQueue implements JobQueue {
  readonly #options: WorkQueueOptions;
  readonly #flow: HitFlow;
  readonly #now: () => number;
  readonly #poll: (callback: () => void) => void;
  readonly #lanes: Readonly<Record<WorkClass, Lane>>;
  #isInTurn = false;
  #isPlanned = false;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #hitCount = 0;
  #isPictureNext = false;
  #acceptedCount = 0;
  #turnsOfAccepting = 0;
  readonly #takeTurn = () => void this.#runTurn();

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#poll = options.poll ?? ((callback) => void setTimeout(callback, pollMs));
    this.#flow = new HitFlow(options.hitCount, this.#now());
    const small = new Lane(maxBegun.small);
    // Most pictures are done in their first turn, as small answers are, and are cheaper in a row too.
    const picture = new Lane(maxBegun.picture, small);
    this.#lanes = { small, large: new Lane(maxBegun.large), picture };
  }

  /**
   * Does the work in its turns; settles as it does, and rejects once no client waits.
   * @throws AppError `unavailable`, `overloaded` where too much of its class waits already.
   */
  run<Result>(work: Work<Result>): Promise<Result> {
    const { workClass } = work;
    const lane = this.#lanes[workClass];
    if (lane.isFull(this.#options.maxCounts[workClass])) {
      this.#options.onRefused(workClass);
      throw overloaded();
    }
    const job = new Job(this, work);
    lane.add(job);
    lane.begin(job);
    this.#plan();
    return job.result;
  }

  /** Charges for the response of a job, and begins another one in its place. */
  end(workClass: WorkClass, job: LaneJob): void {
    this.#charge(wireMs);
    this.#lanes[workClass].end(job);
    this.#planIfReady();
  }

  /** True during a turn: all code that runs then runs in it. */
  get isInTurn(): boolean {
    return this.#isInTurn;
  }

  /** Charges for the time that a wait for the store or a thread costs this thread outside of turns. */
  chargeOutside(): void {
    this.#charge(outsideMs);
  }

  /** Charges for what the body of a response costs outside of turns. */
  chargeBody(sizeBytes: number): void {
    this.#charge((sizeBytes / 1024) * wireKibMs);
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
      this.#isPlanned = true;
      this.#poll(this.#takeTurn);
      return;
    }
    this.#isInTurn = true;
    const { small, large, picture } = this.#lanes;
    const takesParts = !this.#isAccepting();
    // Those that this turn makes ready can wait for the next one.
    const hasParts = large.isReady || picture.isReady;
    for (let hasTime = true; small.isReady && hasTime; hasTime = this.#now() - startedAt < turnMs) {
      this.#runRow(small);
      await drained();
    }
    for (let isOwed = hasParts; takesParts && (isOwed || this.#now() - startedAt < turnMs); isOwed = false) {
      this.#isPictureNext = !this.#isPictureNext;
      const [first, second] = this.#isPictureNext ? [picture, large] : [large, picture];
      const resumption = first.take() ?? second.take();
      if (resumption === undefined) break;
      resumption.go();
      await drained();
    }
    this.#isInTurn = false;
    const endedAt = this.#now();
    this.#pausedUntil = Math.min(this.#pausedUntil, endedAt + maxOwedMs);
    this.#charge(endedAt - startedAt);
    this.#planIfReady();
  }

  /** True if a connection has come since the turn before: its request may be here before the next turn, and more may come. */
  #isAccepting(): boolean {
    const count = this.#options.acceptedCount();
    const isAccepting = count !== this.#acceptedCount && this.#turnsOfAccepting < maxTurnsOfAccepting;
    this.#acceptedCount = count;
    this.#turnsOfAccepting = isAccepting ? this.#turnsOfAccepting + 1 : 0;
    return isAccepting;
  }

  #runRow(lane: Lane): void {
    const endsAt = this.#now() + rowMs;
    for (let places = 0; places < maxInARow && this.#now() < endsAt; ) {
      const resumption = lane.take();
      if (resumption === undefined) return;
      resumption.go();
      places += resumption.isBeginning ? 1 : resumedPlaces;
    }
  }

  #planIfReady(): void {
    const { small, large, picture } = this.#lanes;
    if (small.isReady || large.isReady || picture.isReady) this.#plan();
  }

  /** True if this turn belongs to cache hits. It does not if there were none since the last check. */
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
