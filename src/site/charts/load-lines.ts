/** Loads the lines of pictures: every point of a short range, and bands of a long one. */

import { bandStep, LineBand, longestRangeOfPoints, type StepSummaries } from '../../draw/line/line-band.ts';
import { type Period, periodMs, rangeMs } from '../../draw/range.ts';
import type { ChartName } from '../../model/chart.ts';
import type { ChartSpan } from '../../model/chart-data.ts';
import type { LinePart, LineSums } from '../../model/line-sums.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../model/next-turn.ts';
import type { MakeRoom } from '../../model/room.ts';
import { LentRoom } from '../../series/lent-room.ts';
import { Pace } from '../../series/pace.ts';
import { steps } from '../../series/series-query.ts';
import { type LoadedLine, loadLine } from './load-line.ts';

/** A line chart. */
interface WantedLine extends ChartName {
  readonly uid: number;
}

/** A picture of lines. */
export interface PictureOfLines {
  /** In pixels. */
  readonly width: number;
  readonly isForPng?: boolean;
}

/** The part of the lines that is shown, and the pictures that show it. */
interface LinesRequest {
  readonly range: Period;
  readonly pictures: readonly PictureOfLines[];
  /** True if every point is needed, however many there are. */
  readonly needsPoints?: boolean;
}

/** A range of time in Unix milliseconds, with both ends included. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Lines over one range of time: a window, or counted back from the newest point of all, but not before the first. */
export interface LoadedLines extends TimeRange {
  /** Points, or a band for each picture; undefined for a line without points. */
  readonly lines: readonly (LoadedLine | readonly LineBand[] | undefined)[];
}

/** Loads lines; rejects as the view does. */
export async function loadLines(
  view: MetricsView,
  charts: readonly WantedLine[],
  { range, pictures, needsPoints = false }: LinesRequest,
): Promise<LoadedLines> {
  if (!needsPoints && periodMs(range) > longestRangeOfPoints) {
    const spans = await view.findSpans(charts.map(({ uid }) => uid));
    const window = windowOf(
      Array.from(spans.values(), ({ first, last }) => ({ from: first, to: last })),
      range,
    );
    if (window.to - window.from > longestRangeOfPoints) {
      const lines: LoadedLines['lines'][number][] = [];
      for (const chart of charts) {
        const bands = await loadBands(view, { uid: chart.uid, span: spans.get(chart.uid), window, pictures });
        // Few points are drawn as they are.
        const isSparse = bands?.some((band) => band.isSparse) === true;
        lines.push(isSparse ? await loadLine(view, { ...chart, range }) : bands);
      }
      return { ...window, lines };
    }
  }
  const lines: (LoadedLine | undefined)[] = [];
  for (const chart of charts) {
    if (lines.length > 0) await nextTurn();
    lines.push(await loadLine(view, { ...chart, range }));
  }
  const known = lines.filter((line) => line !== undefined);
  return { ...windowOf(known, range), lines };
}

function windowOf(lines: readonly TimeRange[], range: Period): TimeRange {
  if (typeof range !== 'string') return { from: range.from, to: range.to - 1 };
  if (lines.length === 0) return { from: 0, to: 0 };
  const to = Math.max(...lines.map((line) => line.to));
  return { from: Math.max(Math.min(...lines.map(({ from }) => from)), to - rangeMs(range)), to };
}

interface BandsRequest {
  readonly uid: number;
  readonly span: ChartSpan | undefined;
  readonly window: TimeRange;
  readonly pictures: readonly PictureOfLines[];
}

/** Loads the bands of a line, one for each picture; undefined if it has no point in the range. */
async function loadBands(
  view: MetricsView,
  { uid, span, window: { from, to }, pictures }: BandsRequest,
): Promise<readonly LineBand[] | undefined> {
  if (span === undefined || span.last < from || span.first > to) return undefined;
  const bands = pictures.map(({ width }) => new LineBand({ from, to, step: bandStep(to - from, width) }));
  const window = { from, to: to + 1 };
  const pace = new Pace();
  const areWeeks = bands.every(({ step }) => step.ms >= steps['7d']);
  using room = new LentRoom();
  const parts = areWeeks
    ? view.readSums(uid, window, 'week', room.make)
    : pointParts(view, uid, window, room.make);
  for await (const part of parts) {
    for (const band of bands)
      if (part.kind === 'points') band.add(part.points);
      else band.addSummaries(summariesOf(part.sums));
    const { length } = part.kind === 'points' ? part.points.timestamps : part.sums.times;
    if (pace.isOver(length)) await nextTurn();
  }
  const newest = span.last <= to ? { time: span.last, value: span.lastValue } : undefined;
  const latest = newest ?? (areWeeks ? await findLatest(view, uid, { from, to }) : undefined);
  // Points that were read by day have set it.
  if (latest !== undefined) for (const band of bands) band.setLatest(latest.time, latest.value);
  return bands;
}

/** Finds the newest point of a window that ends before the newest point of its chart; undefined if the window has none. */
async function findLatest(view: MetricsView, uid: number, { from, to }: TimeRange) {
  // The last weeks are enough, unless the line has a gap there.
  for (const start of [Math.max(from, to - 2 * steps['7d']), from]) {
    let latest: { readonly time: number; readonly value: number } | undefined;
    for await (const { timestamps, values } of view.readPoints(uid, { from: start, to: to + 1 })) {
      const index = timestamps.findLastIndex((time) => time <= to);
      if (index >= 0 && (timestamps[index] ?? 0) >= start)
        latest = { time: timestamps[index] ?? 0, value: values[index] ?? 0 };
    }
    if (latest !== undefined) return latest;
  }
  return undefined;
}

async function* pointParts(
  view: MetricsView,
  uid: number,
  window: TimeRange,
  makeRoom: MakeRoom,
): AsyncGenerator<LinePart> {
  for await (const points of view.readPoints(uid, window, makeRoom)) yield { kind: 'points', points };
}

function summariesOf({ times, counts, sums, extremes }: LineSums): StepSummaries {
  return { times, counts, sums, lows: extremes?.lowest ?? sums, highs: extremes?.highest ?? sums };
}
