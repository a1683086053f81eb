/** Makes the records to write of a chart that is no line: what it shows, and the times of its history that the store does not have yet. */
import { shapeOf } from '../../model/data-shapes.ts';
import { canHaveTime, momentOf } from '../../model/data-shares.ts';
import type { JsonText } from '../../model/json-text.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import { maxTimestamp } from '../../model/points.ts';
import type { DataRecord } from '../fetch-data.ts';
import { takesTime } from '../leaving-out.ts';
import type { ChartCopy, CopiedChart } from './chart-copy.ts';
import { StoredHistory, selectTimes } from './stored-history.ts';

type HistoryRecord = MetricsRecord & { readonly kind: 'history' };

/** Data that a chart shows, with their time. */
interface Shown {
  readonly json: JsonText;
  readonly at: number | null;
}

/** Copies one chart. */
export class ShareCopy implements ChartCopy {
  readonly #chart: CopiedChart;
  /** Data that the source shows, by the records so far. */
  #source: Shown;
  /** Data that the store shows once the records so far are written. */
  #shown: Shown;
  #hasData = false;
  /** True if the source has a time of its own where this visit would keep one. */
  #hasHistoryAt = false;
  readonly #history: StoredHistory;
  /** The time of the data with one that were given last: the history of the source has it once more. */
  #given = new StoredHistory([]);
  #skipCount: number;

  private constructor(chart: CopiedChart, shown: Shown | undefined, history: StoredHistory) {
    const nothing: Shown = { json: shapeOf(chart.chart.type).emptyData, at: null };
    this.#chart = chart;
    this.#source = nothing;
    this.#shown = shown ?? nothing;
    this.#history = history;
    this.#skipCount = chart.skipCount;
  }

  /** Begins a copy with what the store has of the chart. */
  static async begin(chart: CopiedChart): Promise<ShareCopy> {
    const { reader, stored } = chart;
    const nothing = new ShareCopy(chart, undefined, new StoredHistory([]));
    if (reader === undefined || stored === undefined) return nothing;
    const { chartId, uid } = stored.chart;
    const window = { from: chart.since, to: maxTimestamp + 1 };
    return reader.read(async (view) => {
      const data = await view.readChartData(chart.pluginId, chartId, 0);
      if (data.storage !== 'snapshot') return nothing;
      return new ShareCopy(chart, data, await StoredHistory.read(view.readHistory(uid, window)));
    });
  }

  async take(record: DataRecord | HistoryRecord): Promise<readonly MetricsRecord[]> {
    return record.kind === 'data' ? this.#takeData(record) : this.#takeHistory(record);
  }

  end(): readonly MetricsRecord[] {
    const target = this.#target();
    if (isSame(this.#shown, target)) return [];
    const { pluginId, chart, place } = this.#chart;
    const { chartId } = chart;
    const dataFor = () => ({ storage: 'snapshot', json: target.json }) as const;
    const record: DataRecord = { kind: 'data', place, pluginId, chartId, dataFor };
    return target.at === null ? [record] : [record, { ...record, at: target.at }];
  }

  /** Data without a time wait for the end: only the last ones are shown. */
  #takeData(record: DataRecord): readonly MetricsRecord[] {
    const data = record.dataFor(this.#chart.chart.type);
    if (data.storage !== 'snapshot') return [];
    const isFirst = !this.#hasData;
    this.#hasData = true;
    const { at = null } = record;
    const received: Shown = { json: data.json, at };
    const isShown = replaces(received, this.#source);
    if (isShown) this.#source = received;
    if (at === null || !takesTime(this.#chart.times, at)) return [];
    this.#hasHistoryAt ||= at === this.#chart.historyAt;
    if (isFirst && isSame(this.#shown, received)) return [];
    const isHidden = !replaces(received, this.#shown);
    if (isShown || !isHidden) this.#shown = received;
    this.#given = new StoredHistory([momentOf(this.#chart.chart.type, { json: data.json, at })]);
    // Without a time first, where the store shows data of a later time that the source does not show.
    const { at: _, ...undated } = record;
    return isShown && isHidden ? [undated, record] : [record];
  }

  #takeHistory(record: HistoryRecord): readonly MetricsRecord[] {
    const { chart, times, historyAt: ownTime } = this.#chart;
    const history = record.historyFor(chart.type);
    const indexes: number[] = [];
    for (const [index, time] of history.times.entries()) {
      if (!takesTime(times, time)) continue;
      this.#hasHistoryAt ||= time === ownTime;
      if (this.#skipCount > 0) this.#skipCount--;
      else if (!this.#history.has(history, index) && !this.#given.has(history, index)) indexes.push(index);
    }
    if (indexes.length === 0) return [];
    const selected = selectTimes(history, indexes);
    return [{ ...record, historyFor: () => selected }];
  }

  /** Finds what the store is to show: what the source shows, with the time of this visit if that is kept. */
  #target(): Shown {
    const { chart, stored, times, historyAt: ownTime } = this.#chart;
    const { json, at } = this.#source;
    if (at !== null && takesTime(times, at)) return this.#source;
    const { emptyData } = shapeOf(chart.type);
    // A chart that never had data has no history yet.
    const hasPast = json !== emptyData || this.#shown.json !== emptyData || stored?.span !== undefined;
    const isDated =
      ownTime !== undefined &&
      hasPast &&
      !this.#hasHistoryAt &&
      takesTime(times, ownTime) &&
      canHaveTime(chart.type, json);
    return { json, at: isDated ? ownTime : null };
  }
}

/** True if an import shows these data from then on. */
function replaces(received: Shown, shown: Shown): boolean {
  return received.at === null || shown.at === null || received.at >= shown.at;
}

function isSame(a: Shown, b: Shown): boolean {
  return a.json === b.json && a.at === b.at;
}
