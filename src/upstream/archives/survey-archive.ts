/** Reads an archive of one plugin before it is written: checks that it is one, and counts what it has. */
import { AppError, quote } from '../../model/app-error.ts';
import type { Chart } from '../../model/chart.ts';
import { momentOf, withoutShares } from '../../model/data-shares.ts';
import type { MetricsRecord, PluginFields, SoftwareFields } from '../../model/metrics-record.ts';
import {
  type LeavingOut,
  type LeftOut,
  noteFuture,
  nothingLeftOut,
  pointsWithin,
  takenTimes,
  takesChart,
  takesTime,
} from '../leaving-out.ts';
import { maxCharts } from '../parse-plugins.ts';

/** The contents of an archive. */
export interface ArchiveSurvey {
  readonly software: SoftwareFields;
  readonly plugin: PluginFields;
  /** The charts that are copied, by chart id. */
  readonly charts: ReadonlyMap<string, SurveyedChart>;
  readonly leftOut: LeftOut;
}

/** A chart of an archive. */
interface SurveyedChart {
  /** Points of a line, or times in history records, without those that are left out. */
  elementCount: number;
  /** True if a store that has none yet keeps some of them. */
  isKept: boolean;
}

/** Options of {@link surveyArchive}. */
interface SurveyOptions extends Omit<LeavingOut, 'leftOut'> {
  readonly trimsLeadingZeros: boolean;
  readonly signal: AbortSignal;
}

/** The records of an archive. */
export type RecordBatches = AsyncIterable<readonly MetricsRecord[]>;

/**
 * Reads all records, in the order in which a server sends them: software, plugin, old names, charts, each followed by its data and its
 * history, events.
 * @throws AppError `invalid`, placed at the record, for another order, for records of another plugin, and for data that breaks a rule.
 *   Rejects with the reason of the signal when that is aborted.
 */
export async function surveyArchive(
  batches: RecordBatches,
  pluginId: number,
  options: SurveyOptions,
): Promise<ArchiveSurvey> {
  const survey = new Survey(pluginId, options);
  for await (const batch of batches) {
    options.signal.throwIfAborted();
    for (const record of batch) {
      try {
        survey.take(record);
      } catch (error) {
        throw error instanceof AppError ? error.at(record.place) : error;
      }
    }
  }
  return survey.finish();
}

class Survey {
  readonly #pluginId: number;
  readonly #options: SurveyOptions & LeavingOut;
  #software: SoftwareFields | undefined;
  #plugin: PluginFields | undefined;
  readonly #charts = new Map<string, SurveyedChart>();
  readonly #chartIds = new Set<string>();
  /** The chart whose records follow. */
  #chart: Chart | undefined;

  constructor(pluginId: number, options: SurveyOptions) {
    this.#pluginId = pluginId;
    this.#options = { ...options, leftOut: nothingLeftOut() };
  }

  finish(): ArchiveSurvey {
    const [software, plugin] = [this.#software, this.#plugin];
    // The end of an archive was refused without them.
    if (software === undefined || plugin === undefined) throw wrongStart();
    return { software, plugin, charts: this.#charts, leftOut: this.#options.leftOut };
  }

  take(record: MetricsRecord): void {
    if (record.kind === 'archive') return;
    if (record.kind === 'software') this.#takeSoftware(record.software);
    else if (record.kind === 'plugin') this.#takePlugin(record.plugin);
    else {
      if (this.#plugin === undefined) throw wrongStart();
      if (record.kind === 'end') return;
      if (record.kind === 'removal')
        throw new AppError('invalid', 'the archive of a plugin must not have a removal');
      this.#refuseOtherPlugin(record.kind === 'oldName' ? record.oldName.pluginId : record.pluginId);
      if (record.kind === 'oldName') return;
      if (record.kind === 'chart') this.#takeChart(record.chart);
      else if (record.kind === 'event') this.#takeEvent(record.event.time);
      else this.#takeData(record);
    }
  }

  #takeSoftware(software: SoftwareFields): void {
    if (this.#software !== undefined) throw wrongStart();
    this.#software = software;
  }

  #takePlugin(plugin: PluginFields): void {
    if (this.#software === undefined || this.#plugin !== undefined) throw wrongStart();
    this.#refuseOtherPlugin(plugin.id);
    if (plugin.softwareId !== this.#software.id)
      throw new AppError('invalid', `softwareId must be ${this.#software.id}, got ${plugin.softwareId}`);
    this.#plugin = plugin;
  }

  #refuseOtherPlugin(id: number): void {
    if (id === this.#pluginId) return;
    throw new AppError('invalid', `the archive must be of plugin ${this.#pluginId}, got plugin ${id}`);
  }

  #takeChart(chart: Chart): void {
    const { chartId } = chart;
    if (this.#chartIds.has(chartId)) throw new AppError('invalid', `chart ${quote(chartId)} comes twice`);
    if (this.#chartIds.size === maxCharts)
      throw new AppError('invalid', `a plugin may have at most ${maxCharts} charts`);
    this.#chartIds.add(chartId);
    this.#chart = chart;
    if (takesChart(this.#options, this.#pluginId, chart))
      this.#charts.set(chartId, { elementCount: 0, isKept: false });
  }

  #takeEvent(time: number): void {
    this.#chart = undefined;
    noteFuture(this.#options, 'event', String(this.#pluginId), [time]);
  }

  #takeData(record: MetricsRecord & { readonly kind: 'data' | 'history' }): void {
    const { pluginId, chartId } = record;
    if (this.#chart?.chartId !== chartId)
      throw new AppError(
        'invalid',
        `the data and the history of chart ${quote(chartId)} must follow the chart`,
      );
    const surveyed = this.#charts.get(chartId);
    if (surveyed === undefined) return;
    const { type } = this.#chart;
    const times = takenTimes(this.#options, pluginId, chartId);
    if (record.kind === 'history') {
      const history = record.historyFor(type);
      const taken = history.times.filter((time) => takesTime(times, time));
      surveyed.elementCount += taken.length;
      surveyed.isKept ||= taken.length > 0;
      noteFuture(this.#options, 'snapshot', `${pluginId}/${chartId}`, history.times);
      return;
    }
    const data = record.dataFor(type);
    if (record.at !== undefined && data.storage === 'series') throw withoutShares(type);
    if (data.storage === 'snapshot') {
      // Throws for data that cannot have a time.
      if (record.at !== undefined) momentOf(type, { json: data.json, at: record.at });
      surveyed.isKept ||= record.at !== undefined && takesTime(times, record.at);
      return;
    }
    const taken = pointsWithin(data.points, times);
    surveyed.elementCount += taken.timestamps.length;
    surveyed.isKept ||= taken.values.some((value) => !this.#options.trimsLeadingZeros || value !== 0);
    noteFuture(this.#options, 'point', `${pluginId}/${chartId}`, data.points.timestamps);
  }
}

function wrongStart(): AppError {
  return new AppError('invalid', 'the archive of a plugin must begin with one software and the plugin');
}
