/** Loads lines over one window: their points, and over a long window the mean, the lowest and the highest value of each step. */
import type { LineToDraw } from '../draw/line/line-to-draw.ts';
import { lineStep } from '../draw/time-step.ts';
import type { ChartName } from '../model/chart.ts';
import { type Columns, lineOf, noPoints, valuesOf } from '../model/columns.ts';
import type { ChartNow, SeriesAnswer, SeriesSource } from '../model/series-source.ts';
import { type DataWindow, steps } from '../model/window.ts';

/** A line with its newest point. */
export type KnownLine = Pick<ChartNow, 'pluginId' | 'chartId' | 'span' | 'latest'>;

/** A window, and the width of a picture in pixels. */
export interface PlaceInTime {
  readonly window: DataWindow;
  readonly width: number;
}

/** Common to all queries for lines. */
export const ofLines = { top: 1, level: 1, isSum: false } as const;

/** Loads lines, each as it is drawn. Rejects as the source does. */
export async function loadLines(
  source: SeriesSource,
  lines: readonly KnownLine[],
  { window, width }: PlaceInTime,
): Promise<readonly LineToDraw[]> {
  const step = lineStep(window.to - 1 - window.from, width) ?? null;
  const asked = { ...ofLines, charts: lines, aggregate: 'mean' } as const;
  const answer = await source.series({ ...asked, window, step, hasBand: step !== null });
  // A source may answer by the shortest step.
  const stepNow = answer.step === null ? undefined : (step ?? '30m');
  const loaded = lines.map(({ latest }, index) => ({
    window,
    points: lineIn(answer, index),
    latest: pointOf(latest),
    ...(stepNow && {
      band: {
        step: stepNow,
        lows: valuesOf(lineIn(answer, index, 'lows')),
        highs: valuesOf(lineIn(answer, index, 'highs')),
      },
    }),
  }));
  return Promise.all(
    loaded.map(async (line, index) => ({ ...line, newest: await newestIn(source, lines[index], line) })),
  );
}

/** Finds the newest point of a line in its window. Of means it is read, unless it is the newest of all: a mean says neither its time nor its value. */
async function newestIn(
  source: SeriesSource,
  chart: ChartName | undefined,
  { window, points, band, latest }: Omit<LineToDraw, 'newest'>,
): Promise<LineToDraw['newest']> {
  const begin = points.times.at(-1);
  if (band === undefined || begin === undefined || chart === undefined) return newestOf(points);
  if (latest.time < window.to) return latest;
  const last = { from: Math.max(window.from, begin), to: Math.min(window.to, begin + steps[band.step]) };
  const asked = { ...ofLines, charts: [chart], window: last, step: null, aggregate: 'mean' } as const;
  return newestOf(lineIn(await source.series(asked), 0));
}

function pointOf(latest: unknown): LineToDraw['latest'] {
  const [time = Number.NaN, value = Number.NaN]: number[] = Array.isArray(latest) ? latest : [];
  return { time, value };
}

function newestOf(points: Columns): LineToDraw['newest'] {
  return { time: points.times.at(-1) ?? Number.NaN, value: valuesOf(points).at(-1) ?? Number.NaN };
}

/** One of the lines in an answer, at the times that it has itself, or its lowest or highest values. */
export function lineIn(
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
