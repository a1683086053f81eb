/** Filters the archive of a plugin to the records to write, in the order of the server. */
import { AppError, placed, quote } from '../../model/app-error.ts';
import type { Chart } from '../../model/catalogue.ts';
import { canHaveTime, shapeOf, storageOf } from '../../model/chart-forms.ts';
import { sliceColumns } from '../../model/columns.ts';
import type { MetricsRecord, PluginFields, SoftwareFields } from '../../model/metrics-record.ts';
import { liesIn } from '../../model/window.ts';
import {
  type ChartTimes,
  type CopyRules,
  chartTimes,
  noteFuture,
  partsWithin,
  pointsWithin,
  takesChart,
} from '../copy-rules.ts';
import { trimLeadingZeros } from '../parse-data.ts';

/** The records of an archive. */
export type RecordBatches = AsyncIterable<readonly MetricsRecord[]>;

/** Options of {@link archiveRecords}. */
export interface ArchiveRules extends CopyRules {
  /** Chooses the software to write instead of the one in the archive. */
  readonly choose: (plugin: PluginFields, software: SoftwareFields) => SoftwareFields;
  /** True if the chart shows data in the store, or shows empty data with a time. */
  readonly isShown: (chartId: string) => boolean;
  /** True if the store has points or a history of the chart. */
  readonly hasPast: (chartId: string) => boolean;
  /**
   * Maximum number of points or history times for a chart without stored points or history; undefined for no
   * limit.
   */
  readonly maxElements: number | undefined;
  readonly trimsLeadingZeros: boolean;
  /** Time at which histories record what charts show now; undefined to keep no histories. */
  readonly historyAt: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Yields the records to write.
 * @throws AppError `invalid`, placed at the record, if the records are out of order or belong to another
 * plugin. Rejects with the reason of the signal if it is aborted.
 */
export async function* archiveRecords(
  batches: RecordBatches,
  pluginId: number,
  rules: ArchiveRules,
): AsyncGenerator<readonly MetricsRecord[]> {
  const copy = new ArchiveCopy(pluginId, rules);
  for await (const batch of batches) {
    rules.signal.throwIfAborted();
    yield batch.flatMap((record) => {
      try {
        return copy.take(record);
      } catch (error) {
        throw placed(error, record.place);
      }
    });
  }
}

type DataRecord = MetricsRecord & { readonly kind: 'data' };
type TimedRecord = DataRecord | (MetricsRecord & { readonly kind: 'history' });

/** The chart whose records follow. */
interface CopiedChart {
  readonly chart: Chart;
  /** Place of the chart in messages. */
  readonly place: string;
  readonly times: ChartTimes;
  readonly hasPast: boolean;
  /** True until the first nonzero value, if leading zeros are left out. */
  isTrimming: boolean;
  /**
   * Records of the latest points or times with their counts, held back until the chart ends; together they
   * have at least `maxElements`, if the archive does.
   */
  readonly latest: { readonly count: number; readonly recordOf: (skipCount: number) => MetricsRecord }[];
  /** Sum of the counts in `latest`. */
  latestCount: number;
  /** Data that a chart of shares shows, without its time. */
  shown: DataRecord | undefined;
  /**
   * True if the source shows data of a time that was removed from the store. The store then keeps showing its
   * own data.
   */
  isRemoved: boolean;
  /** True if the source has data with a time of its own, or data at the time of this visit. */
  isDated: boolean;
}

class ArchiveCopy {
  readonly #pluginId: number;
  readonly #rules: ArchiveRules;
  #software: (MetricsRecord & { readonly kind: 'software' }) | undefined;
  #hasPlugin = false;
  /** The chart that the records belong to; undefined behind the charts. */
  #chartId: string | undefined;
  /** Undefined if the chart is left out. */
  #chart: CopiedChart | undefined;

  constructor(pluginId: number, rules: ArchiveRules) {
    this.#pluginId = pluginId;
    this.#rules = rules;
  }

  take(record: MetricsRecord): readonly MetricsRecord[] {
    switch (record.kind) {
      case 'archive':
        return [record];
      case 'software':
        if (this.#software !== undefined) throw wrongStart();
        this.#software = record;
        return [];
      case 'plugin':
        return this.#takePlugin(record);
      case 'end':
        if (!this.#hasPlugin) throw wrongStart();
        return [...this.#endChart(), record];
      case 'removal':
        throw new AppError('invalid', 'the archive of a plugin must not have a removal');
      default:
        if (!this.#hasPlugin) throw wrongStart();
        this.#refuseOther(record.kind === 'oldName' ? record.oldName.pluginId : record.pluginId);
    }
    if (record.kind === 'oldName') return [record];
    if (record.kind === 'data' || record.kind === 'history') return this.#takeTimed(record);
    const ended = this.#endChart();
    if (record.kind === 'chart') return [...ended, ...this.#takeChart(record)];
    this.#chartId = undefined;
    const { time } = record.event;
    noteFuture(this.#rules, 'event', String(this.#pluginId), [time]);
    return time > this.#rules.latestTimestamp ? ended : [...ended, record];
  }

  #takePlugin(record: MetricsRecord & { readonly kind: 'plugin' }): readonly MetricsRecord[] {
    if (this.#software === undefined || this.#hasPlugin) throw wrongStart();
    const { plugin } = record;
    const { software } = this.#software;
    this.#refuseOther(plugin.id);
    if (plugin.softwareId !== software.id)
      throw new AppError('invalid', `softwareId must be ${software.id}, got ${plugin.softwareId}`);
    this.#hasPlugin = true;
    return [{ ...this.#software, software: this.#rules.choose(plugin, software) }, record];
  }

  #refuseOther(id: number): void {
    if (id !== this.#pluginId)
      throw new AppError('invalid', `the archive must be of plugin ${this.#pluginId}, got plugin ${id}`);
  }

  #takeChart(record: MetricsRecord & { readonly kind: 'chart' }): readonly MetricsRecord[] {
    const { chart, place } = record;
    const { chartId } = chart;
    this.#chartId = chartId;
    if (!takesChart(this.#rules, this.#pluginId, chart)) return [];
    const hasPast = this.#rules.hasPast(chartId);
    this.#chart = {
      chart,
      place,
      times: chartTimes(this.#rules, this.#pluginId, chartId),
      hasPast,
      isTrimming: this.#rules.trimsLeadingZeros && !hasPast,
      latest: [],
      latestCount: 0,
      shown: undefined,
      isRemoved: false,
      isDated: false,
    };
    return [record];
  }

  #takeTimed(record: TimedRecord): readonly MetricsRecord[] {
    const { chartId } = record;
    if (chartId !== this.#chartId)
      throw new AppError(
        'invalid',
        `the data and the history of chart ${quote(chartId)} must follow the chart`,
      );
    const copied = this.#chart;
    if (copied === undefined) return [];
    const { chart, times } = copied;
    const name = `${this.#pluginId}/${chartId}`;
    if (record.kind === 'history') {
      const history = record.historyFor(chart.type);
      noteFuture(this.#rules, 'historyTime', name, history.times);
      copied.isDated ||= history.times.includes(this.#rules.historyAt ?? Number.NaN);
      return partsWithin(history, times.taken).flatMap((part) =>
        this.#wanted(copied, part.times.length, (skipCount) => {
          const rest = sliceColumns(part, skipCount);
          return { ...record, historyFor: () => rest };
        }),
      );
    }
    const data = record.dataFor(chart.type);
    if (data.storage === 'points') {
      noteFuture(this.#rules, 'point', name, data.points.times);
      let points = pointsWithin(data.points, times.taken);
      if (copied.isTrimming) points = trimLeadingZeros(points);
      copied.isTrimming &&= points.times.length === 0;
      return this.#wanted(copied, points.times.length, (skipCount) => {
        const rest = sliceColumns(points, skipCount);
        return { ...record, dataFor: () => ({ storage: 'points', points: rest }) };
      });
    }
    const { at, ...undated } = record;
    copied.isRemoved = at !== undefined && liesIn(times.removed, at);
    if (copied.isRemoved) return [];
    copied.shown = undated;
    if (at === undefined || !liesIn(times.taken, at)) return [undated];
    copied.isDated = true;
    // The record without a time comes first, because the store may show data of a later time.
    return [undated, record];
  }

  /** Returns a record at once, or holds it back until the latest records are known. */
  #wanted(
    copied: CopiedChart,
    count: number,
    recordOf: (skipCount: number) => MetricsRecord,
  ): readonly MetricsRecord[] {
    if (count === 0) return [];
    const { maxElements } = this.#rules;
    if (maxElements === undefined || copied.hasPast) return [recordOf(0)];
    const { latest } = copied;
    latest.push({ count, recordOf });
    copied.latestCount += count;
    // Drops the oldest records while the others are enough.
    while (copied.latestCount - (latest[0]?.count ?? Number.POSITIVE_INFINITY) >= maxElements)
      copied.latestCount -= latest.shift()?.count ?? 0;
    return [];
  }

  #endChart(): readonly MetricsRecord[] {
    const copied = this.#chart;
    this.#chart = undefined;
    if (copied === undefined) return [];
    const { latest, latestCount } = copied;
    const skipCount = Math.max(0, latestCount - (this.#rules.maxElements ?? 0));
    const records = latest.map(({ recordOf }, index) => recordOf(index === 0 ? skipCount : 0));
    if (copied.isRemoved) return records;
    const shown = copied.shown ?? this.#nothing(copied);
    // For a chart that shows nothing, the archive has no record.
    if (copied.shown === undefined && shown !== undefined && this.#rules.isShown(shown.chartId))
      records.push(shown);
    if (shown !== undefined) records.push(...this.#ownTime(shown, copied));
    return records;
  }

  #nothing({ chart, place }: CopiedChart): DataRecord | undefined {
    const { chartId, type } = chart;
    if (storageOf(type) === 'points') return undefined;
    const json = shapeOf(type).emptyData;
    const dataFor = () => ({ storage: 'latest', json }) as const;
    return { kind: 'data', place, pluginId: this.#pluginId, chartId, dataFor };
  }

  /**
   * Makes the record that keeps the shown data at the time of this visit, unless the source has a time for
   * it.
   */
  #ownTime(
    shown: DataRecord,
    { chart: { type }, times, isDated, hasPast }: CopiedChart,
  ): readonly MetricsRecord[] {
    const at = this.#rules.historyAt;
    if (at === undefined || isDated || !liesIn(times.taken, at)) return [];
    const data = shown.dataFor(type);
    if (data.storage !== 'latest' || !canHaveTime(type, data.json)) return [];
    // A chart that has never had data gets no history.
    return hasPast || data.json !== shapeOf(type).emptyData ? [{ ...shown, at }] : [];
  }
}

function wrongStart(): AppError {
  return new AppError('invalid', 'the archive of a plugin must begin with one software and the plugin');
}
