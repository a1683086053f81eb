/** Metrics of the store that is served. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from '@prometheus-io/client';
import type { MetricsReader } from '../model/metrics-reader.ts';

/** Shortest time from one look for the newest point to the next. */
const minPauseMs = 60_000;

/** Looking takes at most this part of the time, however large the store is. */
const maxShare = 1 / 50;

/** Longest wait of a scrape for the first look. */
const maxWaitMs = 1000;

/** The reads that these metrics need. */
type WatchedReader = Pick<MetricsReader, 'generation' | 'listNewestTimes' | 'unreachableMs'>;

/** Adds the metrics to a registry. @param reader the reader, once the store has been opened. */
export function addStoreMetrics(registry: Registry, reader: () => WatchedReader | undefined): void {
  const registers = [registry];
  new Gauge({
    name: 'plugin_metrics_store_unreachable_seconds',
    help: 'how long the store has been unreachable; 0 while it answers',
    registers,
    collect() {
      this.set((reader()?.unreachableMs() ?? 0) / 1000);
    },
  });
  const newest = new NewestPoint();
  new Gauge({
    name: 'plugin_metrics_newest_point_age_seconds',
    help: 'age of the newest point of all charts, without points in the future; it grows for hours only if imports have stopped',
    registers,
    async collect() {
      const time = await newest.find(reader());
      if (time === undefined) this.remove();
      else this.set(Math.max(0, Date.now() - time) / 1000);
    },
  });
}

/** The time of the newest point. Looking for it reads the last chunk of every line, so it is done when the store has changed, and seldom. */
class NewestPoint {
  #time: number | undefined;
  #generation: number | undefined;
  #nextAt = 0;
  #looking: Promise<void> | undefined;

  /** Returns what the latest look found, in Unix milliseconds, and begins another if one is due; undefined if none has found anything. */
  async find(reader: WatchedReader | undefined): Promise<number | undefined> {
    if (reader !== undefined && performance.now() >= this.#nextAt)
      this.#looking ??= this.#lookIfChanged(reader).finally(() => {
        this.#looking = undefined;
      });
    if (this.#time === undefined)
      await Promise.race([this.#looking, sleep(maxWaitMs, undefined, { ref: false })]);
    return this.#time;
  }

  async #lookIfChanged(reader: WatchedReader): Promise<void> {
    const startedAt = performance.now();
    try {
      const generation = reader.generation('data');
      if (generation === this.#generation) return;
      let newest: number | undefined;
      for await (const time of reader.listNewestTimes(Date.now())) {
        newest = Math.max(time, newest ?? time);
        await setImmediate();
      }
      [this.#time, this.#generation] = [newest, generation];
    } catch {
      // `/ready` and the log of failed requests have the reason.
    }
    this.#nextAt = startedAt + Math.max(minPauseMs, (performance.now() - startedAt) / maxShare);
  }
}
