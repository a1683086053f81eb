/** A line in the page: its points over a window, or over a long window their means by step, its drawing, and its values point by point. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import { chartSubject, formatDateTime, formatDay, formatExact, formatMean } from '../../../draw/format.ts';
import { layoutLine, lineInWords } from '../../../draw/line/line.ts';
import type { bandOf } from '../../../draw/line/line-band.ts';
import { columnCountFor, columnsOf } from '../../../draw/line/line-columns.ts';
import { noPointsIn } from '../../../draw/message.ts';
import { lineStep, timeStep } from '../../../draw/time-step.ts';
import { type Columns, noPoints, pointsOf, sliceColumns, valuesOf } from '../../../model/columns.ts';
import {
  type DataWindow,
  dayMs,
  firstFrom,
  isSamePeriod,
  type Period,
  type Span,
  type StepName,
  steps,
  windowOver,
} from '../../../model/window.ts';
import {
  type Drawing,
  type DrawingPlace,
  inPage,
  type LineReading,
  type LoadedChart,
  type TipWords,
  type WantedChart,
} from './drawing.ts';
import {
  fetchSeries,
  type KnownChart,
  loadMarks,
  loadPart,
  NoSuchChart,
  type SeriesAnswer,
  windowOfCharts,
} from './fetch.ts';

/** A line over the window that has been fetched. */
export interface LineData {
  /** The span of the chart, and its latest value. */
  readonly span: Span;
  readonly latestValue: number;
  /** The window that has been fetched. */
  readonly loaded: DataWindow;
  /** For means, if the window ends before the last point: its last points as they are stored. */
  readonly lastPoints?: Columns;
  /** Ascending points as they are stored, or over a long window the means of steps at their beginnings. */
  readonly points: Columns;
  /** For means: their step, the lowest and the highest value of each, and the part of the script that draws them. */
  readonly band?: {
    readonly step: StepName;
    readonly lows: Float64Array;
    readonly highs: Float64Array;
    readonly bandOf: typeof bandOf;
  };
}

/** The window of a drawing, and its width in pixels. */
interface WantedLine {
  readonly window: Period;
  readonly width: number;
}

/** Loads a chart with a line. */
export async function loadLine(known: KnownChart, loaded: WantedChart): Promise<LoadedChart> {
  const ends = windowOfCharts([known], loaded.window);
  const before = { from: 2 * ends.from - ends.to, to: ends.from };
  const hasPast = loaded.previous === 'true' && before.from > 0;
  const [[line], [past], marksIn] = await Promise.all([
    fetchLines([known], loaded),
    hasPast ? fetchLines([known], { ...loaded, window: before }) : [],
    loadMarks(known),
  ]);
  if (line === undefined) throw new NoSuchChart();
  return {
    title: known.chart.title,
    hasAll: ({ window, width, previous }) =>
      previous === loaded.previous &&
      (hasPast
        ? isSamePeriod(window, loaded.window)
        : hasWindow(line, { window: windowOfCharts([known], window), width })),
    draw: (wanted, place) => {
      const chart = { ...known.chart, title: place.title };
      const { width } = place;
      const now = readLine(line, { window: windowOfCharts([known], wanted.window), width });
      const previous = past && readLine(past, { window: before, width }).shape;
      const reading = previous?.pointCount ? { ...now, shape: { ...now.shape, previous } } : now;
      if (reading.shape.pointCount > 0)
        return drawLine(chart, reading, { ...place, range: wanted.window, events: known.events, marksIn });
      const end = known.span && { timestamp: reading.shape.to, nowMs: Date.now() };
      const sentence = noPointsIn(wanted.window, end);
      return { description: `${chartSubject(chart)}: ${sentence}`, sentence };
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
    Pick<KnownChart, 'events'> & {
      readonly range: Period;
      readonly marksIn: Awaited<ReturnType<typeof loadMarks>>;
    },
): Drawing {
  const { shape, points, band } = reading;
  const subject = chartSubject(chart);
  const nowMs = Date.now();
  const marks = marksIn({ from: shape.from, to: shape.to, width: size.width });
  const picture = { title, subject, shape, range, events: marks?.columns };
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
    connect: (_, actions) => marks?.linksOn(layout, actions),
    async table() {
      const { lineTable, tableElement } = await loadPart('table', () => import('./table.ts'));
      return tableElement(lineTable(title, { ...reading, events }));
    },
  };
}

/** A point in words: its value and its time; of a step its mean, its day or days, its lowest and its highest value. */
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

/** The name of the line as a unit: ` players`; '' for an identifier, and for a name that is too long to hear each time. */
function unitOf(settings: unknown): string {
  if (typeof settings !== 'object' || settings === null || !('lineName' in settings)) return '';
  const { lineName } = settings;
  const isWords = typeof lineName === 'string' && /^\p{L}[\p{L} ]{0,29}$/u.test(lineName);
  return isWords ? ` ${lineName.toLowerCase()}` : '';
}

/** Fetches the points or the steps of lines in one window. */
export async function fetchLines(
  charts: readonly KnownChart[],
  { window, width }: WantedLine,
): Promise<readonly LineData[]> {
  const loaded = windowOfCharts(charts, window);
  const step = stepOver(loaded, width);
  const isEarlier = step !== undefined && charts.some(({ span }) => span && span.last >= loaded.to);
  const end = { from: Math.max(loaded.from, loaded.to - 2 * steps[step ?? '1d']), to: loaded.to };
  const [part, answer, lasts] = await Promise.all([
    step && loadPart('band', () => import('../../../draw/line/line-band.ts')),
    fetchSeries(charts, loaded, step && `&step=${step}&band=true`),
    isEarlier ? fetchSeries(charts, end).then((found) => linesOf(found)) : [],
  ]);
  const lines = linesOf(answer);
  const [lows, highs] = [linesOf(answer, 'lows'), linesOf(answer, 'highs')];
  return charts.map(({ span = { first: 0, last: 0 }, latestValue }, index) => {
    const points = lines[index] ?? noPoints;
    const about = { span, latestValue, loaded, points };
    if (step === undefined || part === undefined) return about;
    const columnOf = (all: readonly Columns[]) => valuesOf(all[index] ?? points);
    const lastPoints = lasts[index] ?? noPoints;
    return {
      ...about,
      lastPoints,
      band: { step, lows: columnOf(lows), highs: columnOf(highs), bandOf: part.bandOf },
    };
  });
}

/** The lines in an answer, or their lowest or highest values. */
export function linesOf(
  { times, series }: SeriesAnswer,
  of: 'values' | 'lows' | 'highs' = 'values',
): readonly Columns[] {
  return series.map(({ [of]: values }) =>
    pointsOf(
      times.flatMap((time, index) => {
        const value = values?.[index] ?? null;
        return value === null ? [] : [[time, value] as const];
      }),
    ),
  );
}

function stepOver({ from, to }: DataWindow, width: number): StepName | undefined {
  return lineStep(to - 1 - from, width);
}

/** True if a line has all that a window shows, in the resolution that it is shown in. */
function hasWindow({ loaded, span, band }: LineData, { window, width }: WantedLine): boolean {
  const wanted = windowOver(window, span);
  const isWithin = wanted.from >= loaded.from && wanted.to <= loaded.to;
  const hasEnd = band === undefined || wanted.to === loaded.to || wanted.to > span.last;
  return isWithin && hasEnd && band?.step === stepOver(wanted, width);
}

/** Reads the data of a line for a drawing: the points of the window, or the steps that touch it. */
export function readLine(line: LineData, { window, width }: WantedLine): LineReading {
  const { span, points, band, latestValue, loaded, lastPoints = noPoints } = line;
  const ends = windowOver(window, span);
  const [from, to] = [ends.from, ends.to - 1];
  const start = firstFrom(points.times, band === undefined ? from : from - steps[band.step] + 1);
  const end = firstFrom(points.times, ends.to);
  const shown = sliceColumns(points, start, end);
  if (band === undefined) {
    const columnCount = columnCountFor(width);
    return { shape: columnsOf(points, { from, to, columnCount }), points: shown };
  }
  const { step } = band;
  const [starts, means] = [shown.times, valuesOf(shown)];
  const [lows, highs] = [band.lows.subarray(start, end), band.highs.subarray(start, end)];
  const newest = ends.to === loaded.to && lastPoints.times.length > 0 ? lastPoints : shown;
  const latest =
    to >= span.last
      ? { timestamp: span.last, value: latestValue }
      : { timestamp: newest.times.at(-1) ?? Number.NaN, value: valuesOf(newest).at(-1) ?? Number.NaN };
  const shape = band.bandOf({ from, to, step, latest }, { starts, means, lows, highs });
  return { shape, points: shown, band: { step: timeStep(step), lows, highs } };
}
