/** Fetches a line over a window: its points, or over a long window its means by step with their lowest and highest values. */
import { bandStep, longestRangeOfPoints } from '../../../draw/line/line-band.ts';
import { parseLine } from '../../../draw/line/parse-line.ts';
import { dayMs } from '../../../draw/time-step.ts';
import { noPoints, type Points, pointsOf } from '../../../model/points.ts';
import { type ShownWindow, type TimeSpan, windowEnds } from '../../state/shown-window.ts';
import { type ChartSpan, getJson, type KnownChart, listOf, memberOf } from './known-plugin.ts';
import { coversLength, fetchNewest, type NewestPoints } from './newest-points.ts';

/** A line over a window. */
export interface LineData {
  /** The times of the first and the last point of the chart, in Unix milliseconds, and its latest value. */
  readonly span: ChartSpan;
  readonly latestValue: number;
  /** Ascending points as they are stored; none where there are summaries. */
  readonly points: Points;
  /** The steps of a long window: a column each for their beginnings, means, lowest and highest values. */
  readonly summaries?: {
    readonly stepMs: number;
    readonly times: Float64Array;
    readonly means: Float64Array;
    readonly lows: Float64Array;
    readonly highs: Float64Array;
  };
  /** The window that has been fetched. */
  readonly loaded: TimeSpan;
  /** The newest points of a server without `/api/v2`, which gives no others. */
  readonly newest?: NewestPoints;
}

/** A window, and the width of the drawing in pixels. */
export interface WantedLine {
  readonly window: ShownWindow;
  readonly width: number;
}

/** Steps of `/api/v2/series`. */
const steps = { day: { name: '1d', ms: dayMs }, week: { name: '7d', ms: 7 * dayMs } } as const;

/** The step for a window; undefined for points as they are stored. */
function stepForWindow({ from, to }: TimeSpan, width: number): (typeof steps)['day' | 'week'] | undefined {
  const lengthMs = to - 1 - from;
  if (lengthMs <= longestRangeOfPoints) return undefined;
  return bandStep(lengthMs, width).ms === dayMs ? steps.day : steps.week;
}

/** Fetches the points or the steps of a window from `/api/v2`. `chart` is `1337:players`, percent-encoded. */
export async function fetchLine(
  { server, chart, known }: { readonly server: string; readonly chart: string; readonly known: KnownChart },
  { window, width }: WantedLine,
): Promise<LineData> {
  const { span = { first: 0, last: 0 }, latestValue = Number.NaN } = known;
  const loaded = windowEnds(window, span);
  const about = { span, latestValue, loaded, points: noPoints };
  if (known.span === undefined) return about;
  const step = stepForWindow(loaded, width);
  const url = `${server}api/v2/series?charts=${chart}&from=${loaded.from}&to=${loaded.to}`;
  if (step === undefined) return { ...about, points: seriesOf(await getJson(url)) };
  const [means = noPoints, lows = noPoints, highs = noPoints] = await Promise.all(
    ['mean', 'min', 'max'].map(async (aggregate) =>
      seriesOf(await getJson(`${url}&step=${step.name}&aggregate=${aggregate}`)),
    ),
  );
  const columns = { times: means.timestamps, means: means.values, lows: lows.values, highs: highs.values };
  return { ...about, summaries: { stepMs: step.ms, ...columns } };
}

/** Fetches the newest points of a line from `/api/v1`, as far back as a window; undefined if the answer has none of a line. */
export async function fetchOldLine(
  dataUrl: string,
  window: ShownWindow,
  nowMs: number,
): Promise<LineData | undefined> {
  let data: unknown;
  const newest = await fetchNewest(lengthOf(window, nowMs), async (maxElements) => {
    data = await getJson(`${dataUrl}?maxElements=${maxElements}`);
    return { points: parseLine(data) ?? noPoints, entryCount: listOf(data).length };
  });
  if (parseLine(data) === undefined) return undefined;
  const { timestamps, values } = newest.points;
  const span = { first: timestamps[0] ?? 0, last: timestamps.at(-1) ?? 0 };
  const loaded = { from: span.first, to: span.last + 1 };
  return { points: newest.points, span, latestValue: values.at(-1) ?? Number.NaN, loaded, newest };
}

/** True if a line has all that a window shows, in the resolution that it is shown in. */
export function hasLineWindow(
  { loaded, span, summaries, newest }: LineData,
  { window, width }: WantedLine,
): boolean {
  if (newest !== undefined) return coversLength(newest, lengthOf(window, Date.now()));
  const wanted = windowEnds(window, span);
  const isWithin = wanted.from >= loaded.from && wanted.to <= loaded.to;
  return isWithin && summaries?.stepMs === stepForWindow(wanted, width)?.ms;
}

/** The time that a window reaches back from the newest point, or from now. */
function lengthOf(window: ShownWindow, nowMs: number): number {
  const { from, to } = windowEnds(window, { first: Number.NEGATIVE_INFINITY, last: nowMs });
  return 'range' in window ? to - 1 - from : Math.max(0, nowMs - from);
}

/** The first series of an answer. */
function seriesOf(answer: unknown): Points {
  const times = listOf(memberOf(answer, 'times'));
  const values = listOf(memberOf(listOf(memberOf(answer, 'series'))[0], 'values'));
  const entries = times.map((time, index): [unknown, unknown] => [time, values[index]]);
  return pointsOf(
    entries.filter((entry): entry is [number, number] => entry.every((each) => typeof each === 'number')),
  );
}
