/** Loads the lines of a picture: every point of a short range, and values by step of a long one. */
import {
  bandStep,
  longestRangeOfPoints,
  type StepSummaries,
  sparsePointsPerStep,
} from '../../draw/line/line-band.ts';
import { type Range, rangeMs } from '../../draw/range.ts';
import type { Turns } from '../../http/turns.ts';
import type { ChartName } from '../../model/chart.ts';
import type { ChartSpan } from '../../model/chart-data.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { loadLineSteps } from '../../series/line-steps.ts';
import { steps } from '../../series/series-query.ts';
import { type LoadedLine, loadLine } from './load-line.ts';

/** A line chart. */
interface WantedLine extends ChartName {
  readonly uid: number;
}

/** The part of the lines that is shown. */
interface LinesRequest {
  readonly range: Range;
  /** The width of the widest picture in pixels. */
  readonly width: number;
  /** True if every point is needed, however many there are. */
  readonly needsPoints?: boolean;
}

/** A line by step, whole in its range. */
export interface SteppedLine {
  readonly isCut?: false;
  readonly summaries: StepSummaries;
  /** The newest point. */
  readonly latest: { readonly timestamp: number; readonly value: number };
}

/** A range of time in Unix milliseconds, with both ends included. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Lines over one range of time: counted back from the newest point of all, but not before the first. */
export interface LoadedLines extends TimeRange {
  /** Undefined for a line without points. */
  readonly lines: readonly (LoadedLine | SteppedLine | undefined)[];
}

/** Loads lines; rejects as the view does. */
export async function loadLines(
  view: MetricsView,
  charts: readonly WantedLine[],
  request: LinesRequest,
  turns: Turns,
): Promise<LoadedLines> {
  const lengthMs = rangeMs(request.range);
  if (request.needsPoints !== true && lengthMs > longestRangeOfPoints) {
    const spans = await view.findSpans(charts.map(({ uid }) => uid));
    const window = windowOf(
      Array.from(spans.values(), ({ first, last }) => ({ from: first, to: last })),
      lengthMs,
    );
    if (window.to - window.from > longestRangeOfPoints) {
      const loaded: LoadedLines['lines'][number][] = [];
      for (const chart of charts) {
        const line = await loadSummaries(
          view,
          { span: spans.get(chart.uid), uid: chart.uid, window, ...request },
          turns,
        );
        // Few points are drawn as they are.
        loaded.push(line === 'sparse' ? await loadLine(view, { ...chart, range: request.range }) : line);
      }
      return { ...window, lines: loaded };
    }
  }
  const lines: (LoadedLine | undefined)[] = [];
  for (const chart of charts) {
    if (lines.length > 0) await turns.next();
    lines.push(await loadLine(view, { ...chart, range: request.range }));
  }
  return {
    ...windowOf(
      lines.filter((line) => line !== undefined),
      lengthMs,
    ),
    lines,
  };
}

function windowOf(lines: readonly TimeRange[], lengthMs: number): TimeRange {
  if (lines.length === 0) return { from: 0, to: 0 };
  const to = Math.max(...lines.map((line) => line.to));
  return { from: Math.max(Math.min(...lines.map(({ from }) => from)), to - lengthMs), to };
}

interface SummariesRequest extends LinesRequest {
  readonly uid: number;
  readonly span: ChartSpan | undefined;
  readonly window: TimeRange;
}

/** Loads a line by day, or by week for a range of years; `sparse` if most steps have a single point. */
async function loadSummaries(
  view: MetricsView,
  { uid, span, window: { from, to }, width }: SummariesRequest,
  turns: Turns,
): Promise<SteppedLine | 'sparse' | undefined> {
  if (span === undefined || span.last < from) return undefined;
  const step = bandStep(to - from, width).ms < steps['7d'] ? steps['1d'] : steps['7d'];
  const window = { uid, from, to: to + 1, step, aggregates };
  for await (const line of loadLineSteps(view, window)) {
    await turns.next();
    if (line === undefined) continue;
    const [counts = noValues, means = noValues, lows = noValues, highs = noValues] = line.columns;
    const pointCount = counts.reduce((sum, count) => sum + count, 0);
    if (pointCount <= sparsePointsPerStep * counts.length) return 'sparse';
    return {
      summaries: { times: line.times, counts, means, lows, highs },
      latest: { timestamp: span.last, value: span.lastValue },
    };
  }
  return undefined;
}

const aggregates = ['count', 'mean', 'min', 'max'] as const;
const noValues = new Float64Array(0);
