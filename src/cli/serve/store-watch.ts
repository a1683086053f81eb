/** Counts and sizes of the store for the metrics: counted in a process of its own, and seldom. */
import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { Store, StoreStats } from '../../model/store.ts';
import { parseStats } from '../commands/stats.ts';

/** Between the starts of two counts at least. */
const minPauseMs = 60_000;

/** Counting takes this part of the time at most, however large the store is. */
const maxShare = 1 / 50;

/** As long is waited for the first count; those who ask then get none. */
const maxWaitMs = 1000;

/** What tests have otherwise. */
export interface StoreWatchOptions {
  /** The file of this program. */
  readonly program?: string;
  readonly now?: () => number;
  readonly onCount?: () => void;
}

/** What a store held when it was last counted. */
export class StoreWatch {
  readonly #store: Store;
  readonly #program: string;
  readonly #now: () => number;
  readonly #onCount: () => void;
  #latest: StoreStats | undefined;
  #generation: number | undefined;
  #nextAt = 0;
  #counting: Promise<void> | undefined;

  constructor(store: Store, options: StoreWatchOptions = {}) {
    this.#store = store;
    this.#program = options.program ?? process.argv[1] ?? '';
    this.#now = options.now ?? (() => performance.now());
    this.#onCount = options.onCount ?? (() => {});
  }

  /** The latest count; begins another one where the store has changed since. Undefined before the first. */
  async read(reader: MetricsReader | undefined): Promise<StoreStats | undefined> {
    if (reader !== undefined && this.#counting === undefined && this.#now() >= this.#nextAt)
      this.#countIfChanged(reader);
    if (this.#latest === undefined && this.#counting !== undefined)
      await Promise.race([this.#counting, sleep(maxWaitMs, undefined, { ref: false })]);
    return this.#latest;
  }

  #countIfChanged(reader: MetricsReader): void {
    const generation = reader.generation('data');
    if (generation === this.#generation) return;
    this.#onCount();
    const startedAt = this.#now();
    this.#counting = runStats(this.#program, this.#store).then((stats) => {
      this.#counting = undefined;
      this.#nextAt = startedAt + Math.max(minPauseMs, (this.#now() - startedAt) / maxShare);
      if (stats === undefined) return;
      this.#latest = stats;
      this.#generation = generation;
    });
  }
}

/**
 * Runs the command `stats`. A thread of this process would count as well, but what it took stays with the process: 20 MB.
 * Undefined where the store cannot be read: `/ready` and the log have the reason.
 */
function runStats(program: string, { givenName }: Store): Promise<StoreStats | undefined> {
  // In the environment, because the arguments of a process can be read by others.
  const env = { ...process.env, PLUGIN_METRICS_STORE: givenName };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, 'stats', '--json'], { env }, (error, stdout) =>
      resolve(error === null ? parseStats(stdout) : undefined),
    );
    child.unref();
    // Requests go before.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  });
}
