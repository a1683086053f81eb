/** Loads the lines of pictures: every point of a short range, and bands of a long one. */

import { LineBand } from '../../draw/line/line-band.ts';
import { bandStep, longestRangeOfPoints } from '../../draw/time-step.ts';
import type { ChartName } from '../../model/chart.ts';
import type { ChartSpan } from '../../model/chart-data.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../model/next-turn.ts';
import { type Period, periodMs, ranges } from '../../model/window.ts';
import { type LoadedLine, loadLine } from './load-line.ts';

/** A line chart. */
interface WantedLine extends ChartName {
  readonly uid: number;
}

/** A picture of lines. */
export interface PictureOfLines {
  /** In pixels. */
  readonly width: number;
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
  return { from: Math.max(Math.min(...lines.map(({ from }) => from)), to - ranges[range]), to };
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
  for await (const points of view.readPoints(uid, { from, to: to + 1 })) {
    for (const band of bands) band.add(points);
    await nextTurn();
  }
  return bands;
}
