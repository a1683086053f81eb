/** Fetches the data of a chart that the store lacks. */
import { pathOf } from '../client/http.ts';
import { isAppError } from '../model/app-error.ts';
import type { Chart } from '../model/catalogue.ts';
import type { ChartData, ReadChartData } from '../model/chart-data.ts';
import { canHaveTime, shapeOf, storageOf } from '../model/chart-forms.ts';
import {
  type Columns,
  columnsWithin,
  copyColumns,
  joinPoints,
  noPoints,
  pointsOf,
} from '../model/columns.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import { endOfWindowBehind, liesIn, type Windows } from '../model/window.ts';
import { parseReceived, type UpstreamServer } from './connection/upstream-server.ts';
import { type CopyRules, chartTimes, hasPruned, noteFuture, pointsWithin } from './copy-rules.ts';
import { parseLatestBody, parseLineBody, trimLeadingZeros } from './parse-data.ts';

/** Count that requests all points: more than fit into a response within the size limit. */
const allPoints = 4_000_000;

const halfHourMs = 1_800_000;
/**
 * Number of additional points to request: the source may have corrected its latest ones, and the response
 * must include a stored one.
 */
const slackPoints = 4;

/**
 * Estimates the number of points since the newest stored one from the median interval.
 * @param stored the latest points in ascending order; at least one.
 */
function pointsSince({ times }: Columns, now: number): number {
  const gaps = times.subarray(1).map((time, index) => time - (times[index] ?? 0));
  const usualMs = gaps.sort()[gaps.length >> 1] ?? halfHourMs;
  const passed = Math.max(0, now - (times.at(-1) ?? 0)) / usualMs;
  return Math.min(allPoints, Math.ceil(passed * 1.1) + slackPoints);
}

/** Options of {@link fetchChartData}. */
export interface DataOptions extends CopyRules {
  readonly server: UpstreamServer;
  /** The store to fill; undefined if it does not exist yet. */
  readonly stored: MetricsReader | undefined;
  /** Maximum number of points to request for a line without stored points; undefined for no limit. */
  readonly maxElements: number | undefined;
  readonly trimsLeadingZeros: boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
  /**
   * Time at which the histories of a plugin record what its charts show now; undefined to keep no histories.
   */
  readonly historyAt: number | undefined;
}

/** A record of chart data. */
export type DataRecord = MetricsRecord & { readonly kind: 'data' };

/** Number of stored points from which the usual interval is estimated. */
const tailPoints = 48;

/**
 * Fetches the new data of a chart.
 * @returns the records to write; empty if the store is up to date.
 * @throws AppError as {@link UpstreamServer.get}, and `invalid` if the data breaks a rule.
 */
export async function fetchChartData(
  options: DataOptions,
  pluginId: number,
  chart: Chart,
): Promise<readonly DataRecord[]> {
  const isLine = storageOf(chart.type) === 'points';
  const read = isLine ? fetchNewPoints : fetchLatest;
  const found = await read(options, pluginId, chart);
  if (found === undefined) return [];
  const { url: place, data, at } = found;
  const record: DataRecord = {
    kind: 'data',
    place,
    pluginId,
    chartId: chart.chartId,
    dataFor: () => data,
  };
  // The record without a time comes first. Otherwise the chart would keep showing data of a later time, which
  // the store may have from runs with a shorter step.
  return at === undefined ? [record] : [record, { ...record, at }];
}

type Found = { readonly url: string; readonly data: ChartData; readonly at?: number } | undefined;

async function fetchLatest(options: DataOptions, pluginId: number, chart: Chart): Promise<Found> {
  const { server, stored, historyAt } = options;
  const body = await server.get(pathOfData(pluginId, chart));
  const { emptyData } = shapeOf(chart.type);
  const data = parseReceived(body, (json) => parseLatestBody(chart.type, json)) ?? {
    storage: 'latest',
    json: emptyData,
  };
  const before = await loadStored(options, pluginId, chart.chartId, 0);
  const jsonBefore = before?.storage === 'latest' ? before.json : emptyData;
  if (data.storage !== 'latest') return undefined;
  const isNew = data.json !== jsonBefore;
  const { taken } = chartTimes(options, pluginId, chart.chartId);
  if (historyAt === undefined || !liesIn(taken, historyAt) || !canHaveTime(chart.type, data.json))
    return isNew ? { url: body.url, data } : undefined;
  // A chart that has never had data gets no history.
  const hasData =
    isNew ||
    data.json !== emptyData ||
    (await stored?.read((view) => view.findSpans([chart.uid])))?.size === 1;
  return hasData ? { url: body.url, data, at: historyAt } : undefined;
}

async function fetchNewPoints(options: DataOptions, pluginId: number, chart: Chart): Promise<Found> {
  const { server, trimsLeadingZeros, maxElements, now, removals, isAgain } = options;
  const { taken, removed, prunedBefore } = chartTimes(options, pluginId, chart.chartId);
  const storedTail = await loadStored(options, pluginId, chart.chartId, tailPoints);
  // To restore pruned points, the whole line is copied again.
  const tail =
    storedTail?.storage !== 'points' || (isAgain && hasPruned(removals, pluginId, chart.chartId))
      ? noPoints
      : pointsWithin(joinPoints(Array.from(storedTail.runs, copyColumns)), taken);
  // If everything was pruned, only points after the pruned time are missing.
  const isPruned = prunedBefore > 0 && maxElements === undefined;
  const known =
    tail.times.length > 0 ? withRemoved(tail, removed) : pointsOf(isPruned ? [[prunedBefore, 0]] : []);
  const reach = known.times.at(-1);
  const counts = reach === undefined ? [maxElements ?? allPoints] : [pointsSince(known, now()), allPoints];
  for (const asked of counts) {
    const body = await server.get(pathOfData(pluginId, chart), asked);
    if (body.json.length === 0) return undefined;
    const received = parseReceived(body, parseLineBody);
    // The source has no more points if it returned fewer entries than requested. Otherwise the response must
    // reach back to a stored point.
    const isWhole = reach === undefined || received.entryCount < asked || received.firstTimestamp <= reach;
    if (!isWhole && asked < allPoints) continue;
    noteFuture(options, 'point', `${pluginId}/${chart.chartId}`, received.points.times);
    const window = { from: tail.times[0] ?? 0, to: Number.POSITIVE_INFINITY };
    const wanted =
      trimsLeadingZeros && reach === undefined ? trimLeadingZeros(received.points) : received.points;
    const points = pointsWithin(columnsWithin(wanted, window), taken);
    if (points.times.length === 0) return undefined;
    return { url: body.url, data: { storage: 'points', points } };
  }
  return undefined;
}

/** Adds the end of a removed window that follows the last point: no point before that end is missing. */
function withRemoved(points: Columns, removed: Windows): Columns {
  const last = points.times.at(-1) ?? 0;
  const end = endOfWindowBehind(removed, last);
  return end === last ? points : joinPoints([points, pointsOf([[end, 0]])]);
}

function pathOfData(pluginId: number, { chartId }: Chart): string {
  return pathOf('plugins', pluginId, 'charts', chartId, 'data');
}

async function loadStored(
  { stored }: DataOptions,
  pluginId: number,
  chartId: string,
  count: number,
): Promise<ReadChartData | undefined> {
  try {
    return await stored?.read((view) => view.readChartData(pluginId, chartId, count));
  } catch (error) {
    if (isAppError(error, 'not_found')) return undefined;
    throw error;
  }
}
