/** Decides from which time on the archive of a plugin is requested, so that nothing is missing and little is sent again. */
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { UpstreamServer } from '../connection/upstream-server.ts';
import type { LeavingOut } from '../leaving-out.ts';
import { fetchSpans, type UpstreamSpan } from './fetch-spans.ts';
import { findNewest, type StoredCharts } from './stored-past.ts';
import type { ArchiveSurvey } from './survey-archive.ts';

const halfHourMs = 1_800_000;
const dayMs = 48 * halfHourMs;

/** Points before the newest stored ones are requested again: the source may have corrected them. */
const slackMs = 4 * halfHourMs;

/** Lag behind the newest time of a plugin after which a chart no longer decides for all of them. */
const maxLagMs = 2 * dayMs;

/** Options of an {@link ArchiveWindow}. */
export interface WindowOptions extends Pick<LeavingOut, 'removals' | 'isAgain'> {
  readonly server: UpstreamServer;
  /** The store to fill; undefined if it does not exist yet. */
  readonly stored: MetricsReader | undefined;
  readonly storedCharts: StoredCharts;
  /** The most points of a line, and times of a history, that a chart without any gets; undefined for all. */
  readonly maxElements: number | undefined;
  /** The time that the history of this visit will have; undefined if it keeps none. */
  readonly historyAt: number | undefined;
  readonly now: () => number;
}

/** The window of one plugin. All its charts have one, because an archive has one. Times are Unix milliseconds; 0 asks for everything. */
export class ArchiveWindow {
  readonly #options: WindowOptions;
  readonly #pluginId: number;
  #spans: Promise<ReadonlyMap<string, UpstreamSpan>> | undefined;

  constructor(options: WindowOptions, pluginId: number) {
    this.#options = options;
    this.#pluginId = pluginId;
  }

  /** Finds the time to ask from at first. @throws AppError as `fetchSpans`. */
  async findStart(): Promise<number> {
    const { isAgain, historyAt = Number.POSITIVE_INFINITY } = this.#options;
    if (isAgain && this.#hasPruned()) return 0;
    const newest = await this.#newestTimes();
    if (newest.size === 0) return await this.#findLatestStart();
    const fromLag = Math.max(...newest.values()) - maxLagMs;
    const since: number[] = [historyAt];
    for (const [chartId, time] of newest) {
      // A chart that no longer grows must not bring back everything since it stopped, unless the source has more of it.
      if (time >= fromLag || (await this.#hasAfter(chartId, time))) since.push(time - slackMs);
    }
    return Math.max(0, Math.min(...since));
  }

  /**
   * Finds an earlier time to ask from, if charts that the store has nothing of may have more before `since`; otherwise returns `since`.
   * @throws AppError as `fetchSpans`.
   */
  async findEarlier(since: number, { charts }: ArchiveSurvey): Promise<number> {
    if (since === 0) return 0;
    const { storedCharts, maxElements = Number.POSITIVE_INFINITY } = this.#options;
    let earlier = since;
    for (const [chartId, { elementCount, isKept }] of charts) {
      if (elementCount >= maxElements) continue;
      const stored = storedCharts.get(chartId);
      if (stored !== undefined && (stored.span !== undefined || !isKept)) continue;
      const pruned = this.#prunedBefore(chartId);
      if (pruned >= since) continue;
      const first = (await this.#loadSpans()).get(chartId)?.first ?? since;
      earlier = Math.min(earlier, Math.max(first, pruned));
    }
    return earlier;
  }

  /** Finds the newest stored time of each chart that has some, or had before it was pruned. */
  async #newestTimes(): Promise<ReadonlyMap<string, number>> {
    const { stored, storedCharts, now } = this.#options;
    const newest = new Map<string, number>();
    for (const [chartId, chart] of storedCharts) {
      const pruned = this.#prunedBefore(chartId);
      // A time ahead of the clock says nothing about those before it.
      const found = await findNewest(stored, chart, now());
      if (found !== undefined || pruned > 0) newest.set(chartId, Math.max(found ?? 0, pruned));
    }
    return newest;
  }

  /** Finds a time from which on most lines have as many points as the first run wants. */
  async #findLatestStart(): Promise<number> {
    const { maxElements } = this.#options;
    if (maxElements === undefined) return 0;
    const lasts = Array.from((await this.#loadSpans()).values(), ({ last }) => last);
    return lasts.length === 0 ? 0 : Math.max(0, Math.min(...lasts) - (maxElements + 1) * halfHourMs);
  }

  async #hasAfter(chartId: string, time: number): Promise<boolean> {
    const span = (await this.#loadSpans()).get(chartId);
    return span !== undefined && span.last > time;
  }

  #loadSpans(): Promise<ReadonlyMap<string, UpstreamSpan>> {
    this.#spans ??= fetchSpans(this.#options.server, this.#pluginId);
    return this.#spans;
  }

  #hasPruned(): boolean {
    const { removals, storedCharts } = this.#options;
    return storedCharts.keys().some((chartId) => removals.prunedBefore(this.#pluginId, chartId) > 0);
  }

  #prunedBefore(chartId: string): number {
    const { removals, isAgain } = this.#options;
    return isAgain ? 0 : removals.prunedBefore(this.#pluginId, chartId);
  }
}
