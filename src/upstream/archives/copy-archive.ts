/** Makes the records to write of an archive: what the store does not have yet, without what is left out. */
import { storageOf } from '../../model/data-shapes.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { MetricsRecord, SoftwareFields } from '../../model/metrics-record.ts';
import type { PluginEvent } from '../../model/plugin-event.ts';
import { type LeavingOut, takenTimes, takesChart } from '../leaving-out.ts';
import type { ChartCopy, CopiedChart } from './chart-copy.ts';
import { LineCopy } from './line-copy.ts';
import { ShareCopy } from './share-copy.ts';
import {
  hasEvent,
  loadStoredCharts,
  loadStoredEvents,
  type StoredCharts,
  type StoredEvents,
} from './stored-past.ts';
import type { ArchiveSurvey, RecordBatches } from './survey-archive.ts';

/** Options of {@link copyArchive}. */
export interface CopyOptions extends LeavingOut {
  /** The store to fill; undefined if it does not exist yet. */
  readonly stored: MetricsReader | undefined;
  readonly survey: ArchiveSurvey;
  /** Written in place of that of the archive. */
  readonly software: SoftwareFields;
  /** The time from which on the archive has points and histories. */
  readonly since: number;
  /** The most points of a line, and times of a history, that a chart without any gets; undefined for all. */
  readonly maxElements: number | undefined;
  readonly trimsLeadingZeros: boolean;
  readonly historyAt: number | undefined;
}

type ChartRecord = MetricsRecord & { readonly kind: 'chart' };

/** Yields the records to write of an archive that was surveyed; the last one is its end. */
export async function* copyArchive(
  batches: RecordBatches,
  options: CopyOptions,
): AsyncGenerator<readonly MetricsRecord[]> {
  const pluginId = options.survey.plugin.id;
  const copy = new ArchiveCopy(options, {
    charts: await loadStoredCharts(options.stored, pluginId),
    events: await loadStoredEvents(options.stored, pluginId),
  });
  for await (const batch of batches) {
    const taken: MetricsRecord[] = [];
    for (const record of batch) taken.push(...(await copy.take(record)));
    if (taken.length > 0) yield taken;
  }
}

/** The charts and events of the plugin in the store. */
interface StoredPast {
  readonly charts: StoredCharts;
  readonly events: StoredEvents;
}

class ArchiveCopy {
  readonly #options: CopyOptions;
  readonly #stored: StoredPast;
  /** The chart whose records follow; undefined if it is left out. */
  #chart: ChartCopy | undefined;

  constructor(options: CopyOptions, stored: StoredPast) {
    this.#options = options;
    this.#stored = stored;
  }

  async take(record: MetricsRecord): Promise<readonly MetricsRecord[]> {
    switch (record.kind) {
      case 'software':
        return [{ ...record, software: this.#options.software }];
      case 'chart': {
        const before = this.#endChart();
        this.#chart = await this.#beginChart(record);
        return this.#chart === undefined ? before : [...before, record];
      }
      case 'data':
      case 'history':
        return (await this.#chart?.take(record)) ?? [];
      case 'event':
        return [...this.#endChart(), ...(this.#isNewEvent(record.event) ? [record] : [])];
      case 'plugin':
      case 'oldName':
        return [record];
      // A survey refuses an archive with a removal.
      case 'removal':
      case 'archive':
      case 'end':
        return [...this.#endChart(), record];
      default:
        return record satisfies never;
    }
  }

  #endChart(): readonly MetricsRecord[] {
    const records = this.#chart?.end() ?? [];
    this.#chart = undefined;
    return records;
  }

  async #beginChart({ place, pluginId, chart }: ChartRecord): Promise<ChartCopy | undefined> {
    if (!takesChart(this.#options, pluginId, chart)) return undefined;
    const { chartId, type } = chart;
    const { stored: reader, survey, maxElements = Number.POSITIVE_INFINITY } = this.#options;
    const stored = this.#stored.charts.get(chartId);
    const elementCount = survey.charts.get(chartId)?.elementCount ?? 0;
    const copied: CopiedChart = {
      ...this.#options,
      pluginId,
      chart,
      place,
      reader,
      stored,
      times: takenTimes(this.#options, pluginId, chartId),
      skipCount: stored?.span === undefined ? Math.max(0, elementCount - maxElements) : 0,
    };
    return storageOf(type) === 'series' ? new LineCopy(copied) : await ShareCopy.begin(copied);
  }

  #isNewEvent(event: PluginEvent): boolean {
    return event.time <= this.#options.latestTimestamp && !hasEvent(this.#stored.events, event);
  }
}
