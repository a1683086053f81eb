/** Loads the history of a chart of shares in a range: the largest shares, and the others as one. */
import { maxHistoryShares } from '../../draw/history/history-to-draw.ts';
import { columnCountFor } from '../../draw/line/line-columns.ts';
import { type Range, rangeMs } from '../../draw/range.ts';
import { stepFor, type TimeStep } from '../../draw/time-step.ts';
import type { Turns } from '../../http/turns.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { type ShareHistory, shareKey } from '../../model/share-history.ts';
import { type ShareSeries, ShareSteps, ShareSums } from '../../series/share-steps.ts';
import { firstFrom } from '../../series/steps.ts';
import { type HistoryBounds, HistoryReading, pictureBounds } from './read-history.ts';

/** A chart of shares, the range of its history, and the width of the picture in pixels. */
interface HistoryRequest {
  readonly uid: number;
  readonly range: Range;
  readonly width: number;
}

/** The history of a chart in a range. */
export interface LoadedHistory {
  /** The first and the last time, in Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The beginnings of steps, or the times that are stored. */
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
  { turns, bounds = pictureBounds }: { readonly turns: Turns; readonly bounds?: HistoryBounds },
): Promise<LoadedHistory | undefined> {
  const span = (await view.findSpans([request.uid])).get(request.uid);
  if (span === undefined) return undefined;
  const range = { from: Math.max(span.first, span.last - rangeMs(request.range)), to: span.last + 1 };
  const reading = new HistoryReading({ view, uid: request.uid, turns, bounds });
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
  if (oldest === undefined || newest === undefined) return undefined;
  const from = oldest.time;
  const maxCount = columnCountFor(request.width);
  const step = timeCount <= maxCount ? undefined : stepFor(range.to - from, { maxCount });
  const { shares, hasOther } = sums.finish(maxHistoryShares);
  const window = { from, to: range.to, step: step?.ms ?? null, aggregate: 'mean' } as const;
  const gathered = new ShareSteps(window, shares, hasOther);
  for await (const part of reading.takeAgain()) gathered.add(part);
  const { times, series } = gathered.finish();
  return {
    from,
    to: newest.time,
    times,
    step,
    series,
    firsts: valuesAt(oldest, series),
    lasts: valuesAt(newest, series),
    otherCount: sums.shareCount - shares.length,
    isCut: reading.from > range.from,
  };
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
