/** Fetches the data of a chart that a store does not have yet. */

import { pathOf } from '../client/http.ts';
import { AppError } from '../model/app-error.ts';
import type { Chart } from '../model/chart.ts';
import type { ChartData, ReadChartData } from '../model/chart-data.ts';
import { shapeOf, storageOf } from '../model/data-shapes.ts';
import { canHaveTime } from '../model/data-shares.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import { concatPoints, copyPoints, noPoints, type Points, pointsOf } from '../model/points.ts';
import { parseReceived, type UpstreamServer } from './connection/upstream-server.ts';
import { type LeavingOut, noteFuture, pointsWithin, takenTimes } from './leaving-out.ts';
import { allPoints, askedCounts, newPoints, pointsSince } from './missing-points.ts';
import { parseLineBody, parseSnapshotBody, trimLeadingZeros } from './parse-data.ts';

/** Options of {@link fetchChartData}. */
export interface DataOptions extends LeavingOut {
  readonly server: UpstreamServer;
  /** The store to fill; undefined if it does not exist yet. */
  readonly stored: MetricsReader | undefined;
  /** The most points of a line to ask for if none are stored; undefined for all. */
  readonly maxElements: number | undefined;
  readonly trimsLeadingZeros: boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The time at which the histories of a plugin keep what its charts show now; undefined to keep none. */
  readonly historyAt: number | undefined;
}

/** A record of chart data. */
export type DataRecord = MetricsRecord & { readonly kind: 'data' };

/** The number of latest points that show the usual interval. */
const tailPoints = 48;

/**
 * Fetches the new data of a chart.
 * @returns the records to write; none if the store has all of it.
 * @throws AppError as {@link UpstreamServer.get}, and `invalid` for data that breaks a rule.
 */
export async function fetchChartData(
  options: DataOptions,
  pluginId: number,
  chart: Chart,
): Promise<readonly DataRecord[]> {
  const isLine = storageOf(chart.type) === 'series';
  const read = isLine ? fetchNewPoints : fetchNewSnapshot;
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
  // First without a time, or the chart would go on showing data of a later time: the store may have some, from a shorter step.
  return at === undefined ? [record] : [record, { ...record, at }];
}

type Found = { readonly url: string; readonly data: ChartData; readonly at?: number } | undefined;

async function fetchNewSnapshot(options: DataOptions, pluginId: number, chart: Chart): Promise<Found> {
  const { server, stored, historyAt } = options;
  const body = await server.get(pathOfData(pluginId, chart));
  const { emptyData } = shapeOf(chart.type);
  const data = parseReceived(body, (json) => parseSnapshotBody(chart.type, json)) ?? {
    storage: 'snapshot',
    json: emptyData,
  };
  const before = await loadStored(stored, { pluginId, chart, count: 0 });
  const jsonBefore = before?.storage === 'snapshot' ? before.json : emptyData;
  if (data.storage !== 'snapshot') return undefined;
  const isNew = data.json !== jsonBefore;
  const { from } = takenTimes(options, pluginId, chart.chartId);
  if (historyAt === undefined || historyAt < from || !canHaveTime(chart.type, data.json))
    return isNew ? { url: body.url, data } : undefined;
  // A chart that never had data has no history yet.
  const hasData =
    isNew ||
    data.json !== emptyData ||
    (await stored?.read((view) => view.findSpans([chart.uid])))?.size === 1;
  return hasData ? { url: body.url, data, at: historyAt } : undefined;
}

async function fetchNewPoints(options: DataOptions, pluginId: number, chart: Chart): Promise<Found> {
  const { server, stored, trimsLeadingZeros } = options;
  const times = takenTimes(options, pluginId, chart.chartId);
  const storedTail = await loadStoredPoints(stored, { pluginId, chart, count: tailPoints });
  const { counts, reach } = questionsFor(options, pluginId, chart, pointsWithin(storedTail, times));
  for (const asked of counts) {
    const body = await server.get(pathOfData(pluginId, chart), asked);
    if (body.json.length === 0) return undefined;
    const received = parseReceived(body, parseLineBody);
    // Fewer entries than asked for are all that the source has; otherwise the answer must reach back to a stored point.
    const isWhole = reach === undefined || received.entryCount < asked || received.firstTimestamp <= reach;
    if (!isWhole && asked < allPoints) continue;
    noteFuture(options, 'point', `${pluginId}/${chart.chartId}`, received.points.timestamps);
    const points = pointsWithin(trimsLeadingZeros ? trimmed(received.points, reach) : received.points, times);
    const count = points.timestamps.length + tailPoints;
    const isNew = storedTail.timestamps.length === 0;
    const before = isNew ? noPoints : await loadStoredPoints(stored, { pluginId, chart, count });
    const added = newPoints(points, before);
    if (added.timestamps.length === 0) return undefined;
    return { url: body.url, data: { storage: 'series', points: added } };
  }
  return undefined;
}

/** Requests for the points of a line. */
interface LineQuestions {
  /** The numbers of points to ask for, one for each attempt. */
  readonly counts: Iterable<number>;
  /** The time that an answer must reach back to; undefined for a whole history. */
  readonly reach: number | undefined;
}

/**
 * Decides how many points of a line to ask for.
 * @param tail the latest stored points that a run would copy.
 */
function questionsFor(
  { maxElements, now, removals, isAgain }: DataOptions,
  pluginId: number,
  { chartId }: Chart,
  tail: Points,
): LineQuestions {
  const pruned = removals.prunedBefore(pluginId, chartId);
  const all = { counts: [maxElements ?? allPoints], reach: undefined };
  if (isAgain && pruned > 0) return all;
  const newest = tail.timestamps.at(-1);
  if (newest !== undefined) return { counts: askedCounts(pointsSince(tail, now())), reach: newest };
  // Everything was pruned.
  if (maxElements !== undefined || pruned === 0) return all;
  return { counts: askedCounts(pointsSince(pointsOf([[pruned, 0]]), now())), reach: pruned };
}

/** Trims leading zeros, but only those up to the newest stored point: later ones are new. */
function trimmed(points: Points, newest = Number.POSITIVE_INFINITY): Points {
  const start = points.timestamps.findIndex((timestamp) => timestamp > newest);
  const rest = trimLeadingZeros(points);
  const dropped = points.timestamps.length - rest.timestamps.length;
  const from = start === -1 ? dropped : Math.min(start, dropped);
  return { timestamps: points.timestamps.subarray(from), values: points.values.subarray(from) };
}

function pathOfData(pluginId: number, { chartId }: Chart): string {
  return pathOf('plugins', pluginId, 'charts', chartId, 'data');
}

interface StoredQuestion {
  readonly pluginId: number;
  readonly chart: Chart;
  readonly count: number;
}

async function loadStoredPoints(
  stored: MetricsReader | undefined,
  question: StoredQuestion,
): Promise<Points> {
  const data = await loadStored(stored, question);
  return data?.storage === 'series' ? concatPoints(Array.from(data.runs, copyPoints)) : noPoints;
}

async function loadStored(
  stored: MetricsReader | undefined,
  { pluginId, chart, count }: StoredQuestion,
): Promise<ReadChartData | undefined> {
  try {
    return await stored?.read((view) => view.readChartData(pluginId, chart.chartId, count));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
