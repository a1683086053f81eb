/** Counts of the store for the metrics, made again when the store has changed, but seldom. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { StoreStats } from '../model/store.ts';
import type { ServeOptions } from './serve-options.ts';

/** Shortest time from the start of one count to the start of the next. */
const minPauseMs = 60_000;

/** Counting takes at most this part of the time, however large the store is. */
const maxShare = 1 / 50;

/** Longest wait for the first count; a request that waited this long gets none. */
const maxWaitMs = 1000;

/** The latest counts of a store. */
export class StoreWatch {
  readonly #count: ServeOptions['countStore'];
  readonly #now: () => number;
  #latest: StoreStats | undefined;
  #generation: number | undefined;
  #nextAt = 0;
  #counting: Promise<void> | undefined;

  constructor(count: ServeOptions['countStore'], now = () => performance.now()) {
    this.#count = count;
    this.#now = now;
  }

  /** Gives the latest counts, and starts to count again if the store has changed since and can be read. Undefined before the first. */
  async read(reader: MetricsReader | undefined): Promise<StoreStats | undefined> {
    if (reader !== undefined && this.#counting === undefined && this.#now() >= this.#nextAt)
      this.#countIfChanged(reader);
    if (this.#latest === undefined && this.#counting !== undefined)
      await Promise.race([this.#counting, sleep(maxWaitMs, undefined, { ref: false })]);
    return this.#latest;
  }

  #countIfChanged(reader: MetricsReader): void {
    const generation = findGeneration(reader);
    if (generation === undefined || generation === this.#generation) return;
    const startedAt = this.#now();
    this.#counting = this.#count().then((stats) => {
      this.#counting = undefined;
      this.#nextAt = startedAt + Math.max(minPauseMs, (this.#now() - startedAt) / maxShare);
      if (stats === undefined) return;
      this.#latest = stats;
      this.#generation = generation;
    });
  }
}

/** Finds the generation of a store; undefined while it cannot be read. */
function findGeneration(reader: MetricsReader): number | undefined {
  try {
    return reader.generation('data');
  } catch {
    // `/ready` says so, and `plugin_metrics_ready` beside the counts.
    return undefined;
  }
}
