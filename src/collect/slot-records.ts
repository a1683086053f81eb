/** Makes the records of a slot that is closed: what all its reports add up to, for every chart of the store. */
import { formOf, reportFormOf } from '../model/chart-types.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { StoredChart } from '../model/metrics-writer.ts';
import type { PluginReport } from '../model/report-store.ts';
import type { ReportedValue } from '../model/reported-value.ts';
import { ChartCount } from './chart-count.ts';
import { chartFilterOf } from './chart-filter.ts';

/** A record, and about how many bytes its data have. */
interface SlotRecord {
  readonly record: MetricsRecord;
  readonly dataBytes: number;
}

/** The time of the records. */
interface SlotTime {
  /** Its beginning, in Unix milliseconds. */
  readonly start: number;
  /** True to keep what charts of shares show as history too. */
  readonly isKept: boolean;
}

/** Reads the reports of a slot by plugin id, or those of one plugin, in batches. */
type ReadReports = (pluginId?: number) => AsyncIterable<readonly PluginReport[]>;

/**
 * Yields a record for every chart that reports add to, and for every other chart that has data: a line gets 0, and the rest shows nothing.
 * Reports of plugins and charts that are not in the store any more are skipped.
 * @param charts by plugin id.
 */
export async function* slotRecords(
  charts: AsyncIterable<readonly StoredChart[]>,
  readReports: ReadReports,
  time: SlotTime,
): AsyncGenerator<SlotRecord> {
  const sorted = new SortedReports(readReports());
  try {
    for await (const [pluginId, ofPlugin] of chartsByPlugin(charts)) {
      for (let left = ofPlugin, isAgain = false; left.size > 0; isAgain = true) {
        const counts = new PluginCounts(left);
        if (isAgain)
          for await (const batch of readReports(pluginId)) for (const report of batch) counts.add(report);
        else await sorted.visit(pluginId, (report) => counts.add(report));
        yield* counts.records(time);
        left = counts.postponed;
      }
    }
  } finally {
    await sorted.end();
  }
}

/** Memory for the counts of one plugin. Those of hundreds of charts with a thousand long names each would take more. */
const maxCountBytes = 32 * 1024 * 1024;

/** The counts of one plugin, of as many charts as fit into memory. */
class PluginCounts {
  /** The charts that did not fit, by chart id: for them the reports must be read again. */
  readonly postponed = new Map<string, StoredChart>();
  /** By chart id. */
  readonly #charts: ReadonlyMap<string, StoredChart>;
  readonly #counts = new Map<string, ChartCount>();
  #memoryBytes = 0;

  constructor(charts: ReadonlyMap<string, StoredChart>) {
    this.#charts = charts;
  }

  /** Adds a report of the plugin. */
  add({ values }: PluginReport): void {
    for (const [chartId, value] of values) {
      const count = this.#counts.get(chartId) ?? this.#begin(chartId, value);
      if (count?.isLine !== (typeof value === 'number')) continue;
      this.#memoryBytes -= count.memoryBytes;
      count.add(value);
      this.#memoryBytes += count.memoryBytes;
    }
    if (this.#memoryBytes > maxCountBytes) this.#postponeLast();
  }

  /** Yields the records of the charts that are not postponed. */
  *records(time: SlotTime): Generator<SlotRecord> {
    for (const chart of this.#charts.values()) {
      if (this.postponed.has(chart.chartId)) continue;
      const count = this.#counts.get(chart.chartId) ?? (isEmptied(chart) ? countOf(chart) : undefined);
      if (count !== undefined) yield recordOf(chart, count, time);
    }
  }

  #begin(chartId: string, value: ReportedValue): ChartCount | undefined {
    const chart = this.#charts.get(chartId);
    if (chart === undefined || this.postponed.has(chartId) || reportFormOf(chart.type) === undefined)
      return undefined;
    // The type of a chart without data may have changed since the report came.
    if ((formOf(chart.type) === 'line') !== (typeof value === 'number')) return undefined;
    const count = countOf(chart);
    this.#counts.set(chartId, count);
    return count;
  }

  /** Gives up the counts that were begun last, so that the others have room for more names. */
  #postponeLast(): void {
    for (const [chartId, count] of [...this.#counts].reverse()) {
      if (this.#memoryBytes <= maxCountBytes) return;
      const chart = this.#charts.get(chartId);
      if (chart !== undefined) this.postponed.set(chartId, chart);
      this.#counts.delete(chartId);
      this.#memoryBytes -= count.memoryBytes;
    }
  }
}

/** True for a chart that shows that nobody reported. */
function isEmptied({ type, hasData }: StoredChart): boolean {
  return hasData && reportFormOf(type) !== undefined;
}

function countOf({ type, settings }: StoredChart): ChartCount {
  return new ChartCount(type, chartFilterOf(settings));
}

function recordOf(
  { pluginId, chartId, type }: StoredChart,
  count: ChartCount,
  { start, isKept }: SlotTime,
): SlotRecord {
  const data = count.dataAt(start);
  // Bars of several values have no history.
  const isDated = isKept && data.storage === 'snapshot' && reportFormOf(type) !== 'rows';
  const record: MetricsRecord = {
    place: `chart ${pluginId}/${chartId}`,
    kind: 'data',
    pluginId,
    chartId,
    ...(isDated ? { at: start } : {}),
    dataFor: () => data,
  };
  return { record, dataBytes: data.storage === 'snapshot' ? data.json.length : 0 };
}

/** Groups charts by plugin, and by chart id. */
async function* chartsByPlugin(
  pages: AsyncIterable<readonly StoredChart[]>,
): AsyncGenerator<readonly [pluginId: number, charts: ReadonlyMap<string, StoredChart>]> {
  let pluginId = 0;
  let charts = new Map<string, StoredChart>();
  for await (const page of pages) {
    for (const chart of page) {
      if (chart.pluginId !== pluginId && charts.size > 0) {
        yield [pluginId, charts];
        charts = new Map();
      }
      pluginId = chart.pluginId;
      charts.set(chart.chartId, chart);
    }
  }
  if (charts.size > 0) yield [pluginId, charts];
}

/** Reports in the order of their plugins. */
class SortedReports {
  readonly #batches: AsyncIterator<readonly PluginReport[]>;
  #batch: readonly PluginReport[] | undefined = [];
  #at = 0;

  constructor(batches: AsyncIterable<readonly PluginReport[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Visits the reports of a plugin; those of plugins before it are skipped. */
  async visit(pluginId: number, visit: (report: PluginReport) => void): Promise<void> {
    while (this.#batch !== undefined) {
      for (; this.#at < this.#batch.length; this.#at++) {
        const report = this.#batch[this.#at];
        if (report === undefined || report.pluginId > pluginId) return;
        if (report.pluginId === pluginId) visit(report);
      }
      const { done, value } = await this.#batches.next();
      this.#batch = done === true ? undefined : value;
      this.#at = 0;
    }
  }

  async end(): Promise<void> {
    await this.#batches.return?.();
  }
}
