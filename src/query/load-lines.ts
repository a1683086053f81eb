/**
 * Loads lines over one window: their points, or for a long window the mean, lowest and highest value of each
 * step.
 */
import type { LineToDraw } from '../draw/line/line-to-draw.ts';
import { lineStep } from '../draw/time-step.ts';
import { type Columns, lineOf, noPoints, valuesOf } from '../model/columns.ts';
import type { SeriesAnswer, SeriesSource, SourceChart } from '../model/series-source.ts';
import { type DataWindow, lengthOf, type StepName, steps, windowBefore } from '../model/window.ts';

/** A line with its newest point. */
export type KnownLine = Pick<SourceChart, 'pluginId' | 'chartId' | 'span' | 'latest'>;

/** A window, and the width of the chart in pixels. */
export interface PlaceInTime {
  readonly window: DataWindow;
  readonly width: number;
}

/** Members common to all queries for lines. */
const ofLines = { top: 1, level: 1, isSum: false, aggregate: 'mean' } as const;

interface LinesRequest extends PlaceInTime {
  /** True to also load the previous window. */
  readonly hasPrevious?: boolean | undefined;
  /** Step of lines without bands, such as the lines of a sum; by default it follows from the window. */
  readonly step?: StepName;
}

/** Loads the lines to draw. Rejects as the source does. */
export async function loadLines(
  source: SeriesSource,
  lines: readonly KnownLine[],
  { window, hasPrevious = false, ...request }: LinesRequest,
): Promise<readonly LineToDraw[]> {
  const before = windowBefore(window);
  const [now, past = []] = await Promise.all([
    loadWindow(source, lines, { window, ...request }),
    hasPrevious && before.from > 0 ? loadWindow(source, lines, { window: before, ...request }) : [],
  ]);
  return now.map((line, index) => ({ ...line, previous: past[index] }));
}

async function loadWindow(
  source: SeriesSource,
  lines: readonly KnownLine[],
  { window, width, step: asked }: LinesRequest,
): Promise<readonly LineToDraw[]> {
  const step = asked ?? lineStep(lengthOf(window), width) ?? null;
  const hasBand = asked === undefined && step !== null;
  const answer = await source.series({ ...ofLines, charts: lines, window, step, hasBand });
  const found = lines.map((_, index) => lineIn(answer, index));
  if (answer.step === null) return found.map((points) => ({ window, points, newest: newestOf(points) }));
  // If points were requested, the source may still answer with the shortest step.
  const stepNow = step ?? '30m';
  const newest = found.map(({ times }, index) =>
    times.length === 0 ? nothing : pointOf(lines[index]?.latest),
  );
  // A mean reveals neither the time nor the value of the newest point.
  const later = [...found.keys()].filter(
    (index) => found[index]?.times.length !== 0 && !((newest[index]?.time ?? 0) < window.to),
  );
  for (const [begin, places] of Map.groupBy(later, (index) => found[index]?.times.at(-1) ?? 0)) {
    const last = { from: Math.max(window.from, begin), to: Math.min(window.to, begin + steps[stepNow]) };
    const charts = places.flatMap((index) => lines[index] ?? []);
    const end = await source.series({ ...ofLines, charts, window: last, step: null });
    for (const [at, index] of places.entries()) newest[index] = newestOf(lineIn(end, at));
  }
  return found.map((points, index) => ({
    window,
    points,
    newest: newest[index] ?? nothing,
    ...(asked === undefined && {
      band: {
        step: stepNow,
        lows: valuesOf(lineIn(answer, index, 'lows')),
        highs: valuesOf(lineIn(answer, index, 'highs')),
      },
    }),
  }));
}

const nothing: LineToDraw['newest'] = { time: Number.NaN, value: Number.NaN };

function pointOf(latest: unknown): LineToDraw['newest'] {
  const [time = Number.NaN, value = Number.NaN]: number[] = Array.isArray(latest) ? latest : [];
  return { time, value };
}

function newestOf(points: Columns): LineToDraw['newest'] {
  return { time: points.times.at(-1) ?? Number.NaN, value: valuesOf(points).at(-1) ?? Number.NaN };
}

/**
 * Extracts one line of a response, or its lowest or highest values, without the times at which it has no
 * value.
 */
function lineIn(
  { times, series }: SeriesAnswer,
  index: number,
  of: 'values' | 'lows' | 'highs' = 'values',
): Columns {
  const values = series[index]?.[of];
  if (values === undefined) return noPoints;
  if (!values.some(Number.isNaN)) return lineOf(times, values);
  const isThere = (_: number, at: number) => !Number.isNaN(values[at]);
  return lineOf(times.filter(isThere), values.filter(isThere));
}
