/** Copies all records from a source to a writer; import, export, restore and mirror are such copies. */
import type { MetricsRecord, RecordSource } from './metrics-record.ts';
import type { MetricsWriter } from './metrics-writer.ts';

type DataRecord = MetricsRecord & { readonly kind: 'data' };
type HistoryRecord = MetricsRecord & { readonly kind: 'history' };

/** Counts of copied records and points. */
export interface CopyCounts {
  software: number;
  plugin: number;
  chart: number;
  /** Data records of all chart types. */
  data: number;
  /** Points in data records of lines. */
  point: number;
  /** Times of histories, including those of data with a time. */
  historyTime: number;
  event: number;
}

/** Makes zero counts. */
export function noCounts(): CopyCounts {
  return { software: 0, plugin: 0, chart: 0, data: 0, point: 0, historyTime: 0, event: 0 };
}

/**
 * Writes all records of the source. The caller commits, so that several sources can share a transaction.
 * @param counts is updated as records are written, to show progress.
 * @param onTimes is called for each data or history record with its times, which ascend.
 * @throws AppError of the source or the writer, with the place of the record.
 */
export async function copyRecords(
  source: RecordSource,
  writer: MetricsWriter,
  counts: CopyCounts,
  onTimes: (record: DataRecord | HistoryRecord, times: Float64Array) => void = () => {},
): Promise<void> {
  /** The last data record: an export repeats its time in the history record after it. */
  let last: DataRecord | undefined;
  const counted = (record: MetricsRecord): MetricsRecord => {
    if (record.kind === 'data') {
      last = record;
      return countedData(record);
    }
    if (record.kind !== 'history') return record;
    const { pluginId, chartId } = record;
    const at = last?.pluginId === pluginId && last.chartId === chartId ? last.at : undefined;
    return {
      ...record,
      historyFor: (typeName) => {
        const history = record.historyFor(typeName);
        onTimes(record, history.times);
        const isRepeated = at !== undefined && history.times.includes(at);
        counts.historyTime += history.times.length - (isRepeated ? 1 : 0);
        return history;
      },
    };
  };
  const countedData = (record: DataRecord): MetricsRecord => ({
    ...record,
    dataFor: (typeName) => {
      const data = record.dataFor(typeName);
      if (data.storage === 'points') {
        counts.point += data.points.times.length;
        onTimes(record, data.points.times);
      }
      if (record.at !== undefined) onTimes(record, Float64Array.of(record.at));
      return data;
    },
  });
  for await (const batch of source.records()) {
    await writer.write(batch.map((record) => counted(record)));
    for (const record of batch) {
      const { kind } = record;
      if (kind === 'data' && record.at !== undefined) counts.historyTime++;
      if (Object.hasOwn(counts, kind)) counts[kind as keyof CopyCounts]++;
    }
  }
}
