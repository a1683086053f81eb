/** Makes the records of a slot that is closed: what all its reports add up to, for every chart of the store. */
import { formOf, reportFormOf } from '../model/chart-types.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { StoredChart } from '../model/metrics-writer.ts';
import type { PluginReport } from '../model/report-store.ts';
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

/**
 * Yields a record for every chart that reports add to, and for every other chart that has data: a line gets 0, and the rest shows nothing.
 * Reports of plugins and charts that are not in the store any more are skipped.
 * @param charts by plugin id.
 * @param reports by plugin id.
 */
export async function* slotRecords(
  charts: AsyncIterable<readonly StoredChart[]>,
  reports: AsyncIterable<readonly PluginReport[]>,
  time: SlotTime,
): AsyncGenerator<SlotRecord> {
  const sorted = new SortedReports(reports);
  try {
    for await (const [pluginId, ofPlugin] of chartsByPlugin(charts)) {
      const counts = new Map<string, ChartCount>();
      await sorted.visit(pluginId, (report) => addReport(report, ofPlugin, counts));
      for (const chart of ofPlugin.values()) {
        const count = counts.get(chart.chartId) ?? (isEmptied(chart) ? countOf(chart) : undefined);
        if (count !== undefined) yield recordOf(chart, count, time);
      }
    }
  } finally {
    await sorted.end();
  }
}

/** @param counts by chart id. */
function addReport(
  { values }: PluginReport,
  charts: ReadonlyMap<string, StoredChart>,
  counts: Map<string, ChartCount>,
): void {
  for (const [chartId, value] of values) {
    let count = counts.get(chartId);
    if (count === undefined) {
      const chart = charts.get(chartId);
      if (chart === undefined || reportFormOf(chart.type) === undefined) continue;
      // The type of a chart without data may have changed since the report came.
      if ((formOf(chart.type) === 'line') !== (typeof value === 'number')) continue;
      count = countOf(chart);
      counts.set(chartId, count);
    }
    if (count.isLine === (typeof value === 'number')) count.add(value);
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
