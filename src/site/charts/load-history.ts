/** Loads the history of a chart of shares in a period: the largest shares, and the others as one. */
import { maxHistoryShares } from '../../draw/history/history-to-draw.ts';
import { columnCountFor } from '../../draw/line/line-columns.ts';
import { historyStep, type TimeStep, timeStep } from '../../draw/time-step.ts';
import type { ChartSpan } from '../../model/chart-data.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { type ShareHistory, shareKey } from '../../model/share-history.ts';
import { type Period, ranges, type TimeWindow } from '../../model/window.ts';
import { type ShareSeries, ShareSteps, ShareSums } from '../../series/share-steps.ts';
import { firstFrom } from '../../series/steps.ts';
import { type HistoryBounds, HistoryReading, pictureBounds } from './read-history.ts';

/** A chart of shares, the period of its history, and the width of the picture in pixels. */
interface HistoryRequest {
  readonly uid: number;
  readonly range: Period;
  readonly width: number;
}

/** The history of a chart in a period. */
export interface LoadedHistory {
  /** The first and the last time, or the ends of a window of two times as far as the chart has a history; in Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The beginnings of steps, or the times that are stored; none if the window has none. */
  readonly times: Float64Array;
  readonly step: TimeStep | undefined;
  /** The largest first; the sum of the others is the last one. */
  readonly series: readonly ShareSeries[];
  /** The value of each series at the first and at the last time. */
  readonly firsts: readonly number[];
  readonly lasts: readonly number[];
  /** The number of shares in the sum of the others. */
  readonly otherCount: number;
  /** True if older times of the range are left out, because there are too many values or shares. */
  readonly isCut: boolean;
}

/** Loads a history; undefined for a chart that has none. Rejects as the view does. */
export async function loadHistory(
  view: MetricsView,
  request: HistoryRequest,
  bounds: HistoryBounds = pictureBounds,
): Promise<LoadedHistory | undefined> {
  const span = (await view.findSpans([request.uid])).get(request.uid);
  if (span === undefined) return undefined;
  const isWindow = typeof request.range !== 'string';
  const range = windowOf(request.range, span);
  const reading = new HistoryReading({ view, uid: request.uid, bounds });
  const sums = new ShareSums(range);
  let oldest: Moment | undefined;
  let newest: Moment | undefined;
  let timeCount = 0;
  for await (const part of reading.takeBackwards(range, () => sums.shareCount)) {
    sums.add(part);
    const start = firstFrom(part.times, range.from);
    const end = firstFrom(part.times, range.to);
    if (start === end) continue;
    timeCount += end - start;
    const [first, last] = [momentAt(part, start), momentAt(part, end - 1)];
    if (oldest === undefined || first.time < oldest.time) oldest = first;
    if (newest === undefined || last.time > newest.time) newest = last;
  }
  if (oldest === undefined || newest === undefined) return emptyHistory(range);
  const isCut = reading.from > range.from;
  const from = isWindow && !isCut ? range.from : oldest.time;
  const maxCount = columnCountFor(request.width);
  const step = timeCount <= maxCount ? undefined : timeStep(historyStep(range.to - from, request.width));
  const { shares, hasOther } = sums.finish(maxHistoryShares);
  const window = { from, to: range.to, step: step?.ms ?? null, aggregate: 'mean' } as const;
  const gathered = new ShareSteps(window, shares, hasOther);
  for await (const part of reading.takeAgain()) gathered.add(part);
  const { times, series } = gathered.finish();
  return {
    from,
    to: isWindow ? range.to - 1 : newest.time,
    times,
    step,
    series,
    firsts: valuesAt(oldest, series),
    lasts: valuesAt(newest, series),
    otherCount: sums.shareCount - shares.length,
    isCut,
  };
}

/** The part of a period that a chart with this span can have a history in. */
function windowOf(range: Period, { first, last }: ChartSpan): TimeWindow {
  if (typeof range === 'string') return { from: Math.max(first, last - ranges[range]), to: last + 1 };
  return { from: Math.max(first, range.from), to: Math.min(last + 1, range.to) };
}

function emptyHistory({ from, to }: TimeWindow): LoadedHistory {
  const none = { series: [], firsts: [], lasts: [], otherCount: 0, isCut: false };
  return { from, to, times: new Float64Array(0), step: undefined, ...none };
}

/** One time of a history. */
interface Moment {
  readonly time: number;
  readonly part: ShareHistory;
  readonly index: number;
}

function momentAt(part: ShareHistory, index: number): Moment {
  return { time: part.times[index] ?? Number.NaN, part, index };
}

/** The value of each series at a moment. */
function valuesAt({ part, index }: Moment, series: readonly ShareSeries[]): number[] {
  const chosen = series.filter(({ isOther }) => !isOther);
  const ranks = new Map(chosen.map(({ share }, rank) => [shareKey(share), rank]));
  const values = series.map(() => 0);
  for (const [column, share] of part.shares.entries()) {
    const rank = ranks.get(shareKey(share)) ?? chosen.length;
    if (rank < series.length) values[rank] = (values[rank] ?? 0) + (part.columns[column]?.[index] ?? 0);
  }
  return values;
}
