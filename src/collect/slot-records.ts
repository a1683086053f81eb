/** Makes the records of a slot that is closed: what all its reports add up to, for every chart of the store. */
import type { ChartData } from '../model/chart-data.ts';
import { formOf, reportFormOf } from '../model/chart-types.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { StoredChart } from '../model/metrics-writer.ts';
import { pointsOf } from '../model/points.ts';
import { chartFilterOf } from './chart-filter.ts';
import { renderLargest } from './largest-shares.ts';
import { chartName } from './report-line.ts';
import type { SummedChart } from './slot-sums.ts';

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
 * Sums of plugins and charts that are not in the store any more are skipped.
 * @param pages the charts of the store. They and the sums are by plugin id, then chart id bytewise.
 */
export async function* slotRecords(
  pages: AsyncIterable<readonly StoredChart[]>,
  summedCharts: Iterator<SummedChart, undefined>,
  time: SlotTime,
): AsyncGenerator<SlotRecord> {
  let summed = summedCharts.next().value;
  for await (const page of pages)
    for (const chart of page) {
      const name = chartName(chart);
      const isBefore = ({ pluginId, chart: other }: SummedChart) =>
        pluginId < chart.pluginId || (pluginId === chart.pluginId && other < name);
      while (summed !== undefined && isBefore(summed)) summed = summedCharts.next().value;
      const isSummed = summed?.pluginId === chart.pluginId && summed.chart === name;
      const record = recordOf(chart, isSummed ? summed?.sums : undefined, time);
      if (record !== undefined) yield record;
    }
}

function recordOf(
  chart: StoredChart,
  sums: SummedChart['sums'] | undefined,
  { start, isKept }: SlotTime,
): SlotRecord | undefined {
  const { pluginId, chartId, type } = chart;
  const form = reportFormOf(type);
  if (form === undefined || (sums === undefined && !chart.hasData)) return undefined;
  const data = dataOf(chart, sums ?? [], start);
  // Bars of several values have no history.
  const isDated = isKept && data.storage === 'snapshot' && form !== 'rows';
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

function dataOf({ type, settings }: StoredChart, sums: SummedChart['sums'], start: number): ChartData {
  if (formOf(type) !== 'line')
    return { storage: 'snapshot', json: renderLargest(type, sums, chartFilterOf(settings).allows) };
  let value = 0;
  for (const [, [sum = 0]] of sums) value = sum;
  return { storage: 'series', points: pointsOf([[start, value]]) };
}
