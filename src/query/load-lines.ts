/** Loads lines over one window: their points, or for a long window the mean, lowest and highest value of each step. */
import type { LineToDraw } from '../draw/line/line-to-draw.ts';
import { lineStep } from '../draw/time-step.ts';
import { type Columns, lineOf, noPoints, valuesOf } from '../model/columns.ts';
import type { SeriesAnswer, SeriesSource, SourceChart } from '../model/series-source.ts';
import { type DataWindow, lengthOf, steps, windowBefore } from '../model/window.ts';

/** A line with its newest point. */
export type KnownLine = Pick<SourceChart, 'pluginId' | 'chartId' | 'span' | 'latest'>;

/** A window, and the width of the chart in pixels. */
export interface PlaceInTime {
  readonly window: DataWindow;
  readonly width: number;
}

/** Members common to all queries for lines. */
export const ofLines = { top: 1, level: 1, isSum: false } as const;

/** Loads the lines to draw; with `hasPrevious` over the window before too. Rejects as the source does. */
export async function loadLines(
  source: SeriesSource,
  lines: readonly KnownLine[],
  { window, width, hasPrevious = false }: PlaceInTime & { readonly hasPrevious?: boolean | undefined },
): Promise<readonly LineToDraw[]> {
  const before = windowBefore(window);
  const [now, past = []] = await Promise.all([
    loadWindow(source, lines, { window, width }),
    hasPrevious && before.from > 0 ? loadWindow(source, lines, { window: before, width }) : [],
  ]);
  return now.map((line, index) => ({ ...line, previous: past[index] }));
}

async function loadWindow(
  source: SeriesSource,
  lines: readonly KnownLine[],
  { window, width }: PlaceInTime,
): Promise<readonly LineToDraw[]> {
  const step = lineStep(lengthOf(window), width) ?? null;
  const asked = { ...ofLines, charts: lines, aggregate: 'mean' } as const;
  const answer = await source.series({ ...asked, window, step, hasBand: step !== null });
  // If points were requested, the source may still answer with the shortest step.
  const stepNow = answer.step === null ? undefined : (step ?? '30m');
  return Promise.all(
    lines.map(async (line, index) => {
      const points = lineIn(answer, index);
      if (stepNow === undefined) return { window, points, newest: newestOf(points) };
      const [lows, highs] = [
        valuesOf(lineIn(answer, index, 'lows')),
        valuesOf(lineIn(answer, index, 'highs')),
      ];
      const begin = points.times.at(-1);
      let newest = begin === undefined ? nothing : pointOf(line.latest);
      if (begin !== undefined && !(newest.time < window.to)) {
        // A mean reveals neither the time nor the value of the newest point.
        const last = { from: Math.max(window.from, begin), to: Math.min(window.to, begin + steps[stepNow]) };
        const end = await source.series({ ...asked, charts: [line], window: last, step: null });
        newest = newestOf(lineIn(end, 0));
      }
      return { window, points, newest, band: { step: stepNow, lows, highs } };
    }),
  );
}

const nothing: LineToDraw['newest'] = { time: Number.NaN, value: Number.NaN };

function pointOf(latest: unknown): LineToDraw['newest'] {
  const [time = Number.NaN, value = Number.NaN]: number[] = Array.isArray(latest) ? latest : [];
  return { time, value };
}

function newestOf(points: Columns): LineToDraw['newest'] {
  return { time: points.times.at(-1) ?? Number.NaN, value: valuesOf(points).at(-1) ?? Number.NaN };
}

/** Extracts one line of a response, or its lowest or highest values, without the times at which it has no value. */
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
