/**
 * A line in the page: its points or, over a long window, the means of steps; its drawing; and its values at
 * each time.
 */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import {
  chartSubject,
  endOf,
  formatDateTime,
  formatDay,
  formatExact,
  formatMean,
} from '../../../draw/format.ts';
import { layoutLine, lineInWords } from '../../../draw/line/line.ts';
import type { bandOf } from '../../../draw/line/line-band.ts';
import { type LineReading, type LineToDraw, readLine } from '../../../draw/line/line-to-draw.ts';
import { noPointsIn } from '../../../draw/message.ts';
import { lineStep } from '../../../draw/time-step.ts';
import { valuesOf } from '../../../model/columns.ts';
import { dayMs, isSamePeriod, lengthOf, type Period } from '../../../model/window.ts';
import { loadLines, type PlaceInTime } from '../../../query/load-lines.ts';
import {
  type Drawing,
  type DrawingPlace,
  inPage,
  type LoadedChart,
  type TipWords,
  type WantedChart,
} from './drawing.ts';
import { type FetchedChart, loadMarks, loadPart, sourceOf, windowOfCharts } from './fetch.ts';
import { NoSuchChart } from './server-source.ts';

/** Window and width in pixels of a drawing. */
interface WantedLine {
  readonly window: Period;
  readonly width: number;
  readonly hasPrevious?: boolean | undefined;
}

/** Loads a chart with a line. */
export async function loadLine(known: FetchedChart, loaded: WantedChart): Promise<LoadedChart> {
  const hasPrevious = loaded.previous === 'true';
  const [{ lines, drawBand }, marksIn] = await Promise.all([
    fetchLines([known], { ...loaded, hasPrevious }),
    loadMarks(known),
  ]);
  const [line] = lines;
  if (line === undefined) throw new NoSuchChart();
  return {
    title: known.chart.title,
    hasAll: ({ window, width, previous }) =>
      previous === loaded.previous &&
      (line.previous
        ? isSamePeriod(window, loaded.window)
        : hasWindow(line, { window: windowOfCharts([known], window), width })),
    draw: (wanted, place) => {
      const { width } = place;
      const reading = readLine(line, { window: windowOfCharts([known], wanted.window), width }, drawBand);
      if (reading.shape.pointCount > 0)
        return drawLine(known.chart, reading, {
          ...place,
          range: wanted.window,
          events: known.events,
          marksIn,
        });
      const end = known.span && endOf(reading.shape.window, Date.now());
      const sentence = noPointsIn(wanted.window, end);
      return { description: `${chartSubject(known.chart)}: ${sentence}`, sentence };
    },
  };
}

function drawLine(
  chart: ChartToDraw,
  reading: LineReading,
  {
    range,
    events,
    marksIn,
    title,
    ...size
  }: DrawingPlace &
    Pick<FetchedChart, 'events'> & {
      readonly range: Period;
      readonly marksIn: Awaited<ReturnType<typeof loadMarks>>;
    },
): Drawing {
  const { shape, points, band } = reading;
  const subject = chartSubject(chart);
  const nowMs = Date.now();
  const { marks, linksOn } = marksIn({ window: shape.window, width: size.width }) ?? {};
  const picture = { title, subject, shape, range, marks };
  const layout = layoutLine(picture, { ...size, nowMs, ...inPage });
  return {
    description: `${subject}: ${lineInWords(shape, { range, nowMs })}`,
    label: layout.description,
    svg: layout.draw(),
    readable: {
      layout,
      times: points.times,
      stepMs: band?.step.ms ?? 0,
      yAt: (index) => layout.lines[0]?.yAt(valuesOf(points)[index] ?? 0),
      wordsAt: (index) => wordsAt(reading, chart.settings, index),
    },
    connect: (_, actions) => linksOn?.(layout, actions),
    table: ({ lineTable }) => lineTable(title, { ...reading, events }),
  };
}

/** Describes a point by its value and time, or a step by its mean, period, lowest and highest value. */
function wordsAt({ points, band }: LineReading, settings: unknown, index: number): TipWords {
  const timestamp = points.times[index] ?? 0;
  const value = valuesOf(points)[index] ?? 0;
  if (band === undefined)
    return { strong: formatExact(value) + unitOf(settings), rest: [formatDateTime(timestamp)] };
  const { step, lows, highs } = band;
  const days = formatDay(timestamp) + (step.ms > dayMs ? ` to ${formatDay(timestamp + step.ms - 1)}` : '');
  const between = `${formatExact(lows[index] ?? 0)} to ${formatExact(highs[index] ?? 0)}`;
  return { strong: formatMean(value) + unitOf(settings), rest: [days, `${step.mean}, ${between}`] };
}

/**
 * Returns the name of the line as a unit, such as ` players`; '' if the name is an identifier or too long for
 * a screen reader to repeat.
 */
function unitOf(settings: unknown): string {
  if (typeof settings !== 'object' || settings === null || !('lineName' in settings)) return '';
  const { lineName } = settings;
  const isWords = typeof lineName === 'string' && /^\p{L}[\p{L} ]{0,29}$/u.test(lineName);
  return isWords ? ` ${lineName.toLowerCase()}` : '';
}

/** Loaded lines, and the part of the script that draws bands. */
export interface FetchedLines {
  readonly lines: readonly LineToDraw[];
  readonly drawBand: typeof bandOf | undefined;
}

/** Fetches lines in one window. */
export async function fetchLines(
  charts: readonly FetchedChart[],
  { window, width, hasPrevious }: WantedLine,
): Promise<FetchedLines> {
  const loaded = windowOfCharts(charts, window);
  const hasBand = lineStep(lengthOf(loaded), width) !== undefined;
  const [lines, part] = await Promise.all([
    loadLines(sourceOf(charts), charts, { window: loaded, width, hasPrevious }),
    hasBand ? loadPart('band', () => import('../../../draw/line/line-band.ts')) : undefined,
  ]);
  return { lines, drawBand: part?.bandOf };
}

/** True if a loaded line covers a window in the right resolution. */
function hasWindow({ window: loaded, newest, band }: LineToDraw, { window, width }: PlaceInTime): boolean {
  const isWithin = window.from >= loaded.from && window.to <= loaded.to;
  const hasEnd = band === undefined || !(newest.time >= window.to);
  return isWithin && hasEnd && band?.step === lineStep(lengthOf(window), width);
}
