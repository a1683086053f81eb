/** A comparison in the page: lines or their sum, the values at each time, and the table. */
import { endOf, formatExact, formatMean } from '../../../draw/format.ts';
import { layoutHistory, nothingCounted } from '../../../draw/history/draw-history.ts';
import { totalOf } from '../../../draw/history/history-to-draw.ts';
import { indexFactor, layoutComparison } from '../../../draw/line/comparison.ts';
import { nearestIndex, type TimeLayout } from '../../../draw/line/line-layout.ts';
import { readLine } from '../../../draw/line/line-to-draw.ts';
import { sumToDraw } from '../../../draw/line/sum.ts';
import { noPointsIn } from '../../../draw/message.ts';
import { seriesInk } from '../../../draw/theme.ts';
import { gapLimitMs, historyStep, type TimeStep } from '../../../draw/time-step.ts';
import { type Columns, sliceColumns, valuesOf } from '../../../model/columns.ts';
import { type DataWindow, isSamePeriod, lastTimeOf, lengthOf } from '../../../model/window.ts';
import { loadLines } from '../../../query/load-lines.ts';
import { comparisonTitle, withNames } from '../../state/chart-words.ts';
import { shareTest } from '../../state/share-filter.ts';
import { element } from '../elements.ts';
import {
  type Drawing,
  type DrawingPlace,
  inPage,
  type LoadedChart,
  type TipWords,
  timeText,
  type WantedChart,
} from './drawing.ts';
import { type FetchedChart, sourceOf, windowOfCharts } from './fetch.ts';
import { fetchLines } from './line.ts';
import { NoSuchChart } from './server-source.ts';
import type { ChartTable } from './table.ts';

/** Loads lines in the window and mode of a state. */
export async function loadComparison(
  charts: readonly FetchedChart[],
  wanted: WantedChart,
): Promise<LoadedChart> {
  if (charts.some(({ chart }) => chart.form !== 'line')) throw new NoSuchChart();
  const named = charts.map(({ plugin, chartId, chart: { title }, name }) => ({
    plugin,
    chart: { chartId, title },
    key: name,
  }));
  const lines = withNames(named).map(({ name, key }, place) => ({ name, place, key }));
  const isSum = wanted.mode === 'sum';
  const layOut = await (isSum ? fetchSum : fetchToCompare)(charts, lines, wanted);
  return {
    title: comparisonTitle(named, wanted.mode),
    hasAll: ({ window, mode }) => isSamePeriod(window, wanted.window) && (mode === 'sum') === isSum,
    draw: (now, place) => {
      const isShown = shareTest(now.filter);
      const shown = lines.filter(({ key }) => isShown(key));
      const compared = shown.length === 0 ? 'All lines are hidden.' : layOut(now, place, shown);
      return typeof compared === 'string' ? { description: '', sentence: compared } : drawingOf(compared);
    },
  };
}

/** A compared line. */
interface ComparedLine {
  readonly name: string;
  /** Index among the lines, which determines its colour. */
  readonly place: number;
  /** Name of the chart in URLs: `1337:players`. */
  readonly key: string;
}

/** A line with a value for each time of the comparison. */
interface ComparedColumn extends Pick<ComparedLine, 'name' | 'place'> {
  /** NaN in a gap. */
  readonly values: Float64Array;
  /** y coordinate at each time. */
  readonly ys: Float64Array;
  /** Factor from values to the drawn index. */
  readonly factor?: number | undefined;
}

/** Lines after layout. */
interface Compared {
  readonly layout: TimeLayout;
  readonly times: Float64Array;
  /** The step over which values are averaged; undefined for stored values. */
  readonly step: TimeStep | undefined;
  readonly columns: readonly ComparedColumn[];
  readonly isSum: boolean;
}

/** Lays out the lines to show, or returns a sentence that explains why there is nothing to draw. */
type LayOut = (wanted: WantedChart, place: DrawingPlace, shown: readonly ComparedLine[]) => Compared | string;

async function fetchToCompare(
  charts: readonly FetchedChart[],
  _: readonly ComparedLine[],
  wanted: WantedChart,
): Promise<LayOut> {
  const { lines, drawBand } = await fetchLines(charts, wanted);
  return ({ window: range, mode, axis }, { title, ...size }, shown) => {
    const window = windowOfCharts(charts, range);
    const drawn = shown.flatMap(({ name, place }) => {
      const line = lines[place];
      const reading = line && readLine(line, { window, width: size.width }, drawBand);
      if (reading === undefined || reading.shape.pointCount === 0) return [];
      const { points, shape } = reading;
      // The cursor skips days that are only partly within the window.
      const { start = 0, end } = shape.means ?? {};
      return [{ ...reading, points: sliceColumns(points, start, end), place, name }];
    });
    const isIndexed = mode === 'indexed';
    const comparison = { title, lines: drawn, mode: isIndexed ? mode : 'absolute', axis, range } as const;
    const layout = layoutComparison(comparison, { ...size, nowMs: Date.now(), ...inPage });
    if (layout === undefined) return noPointsIn(range, endOfCharts(charts, window));
    const times = Float64Array.from(new Set(drawn.flatMap(({ points }) => [...points.times]))).sort();
    const columns = drawn.map(({ name, place, points, shape }, at) => {
      const values = valuesNear(points, times);
      const ys = values.map((value) => layout.lines[at]?.yAt(value) ?? 0);
      return { name, place, values, ys, factor: isIndexed ? indexFactor(shape) : undefined };
    });
    return { layout, times, step: drawn[0]?.band?.step, columns, isSum: false };
  };
}

/** Returns the value of a line nearest to each time. */
function valuesNear(points: Columns, times: Float64Array): Float64Array {
  const [timestamps, values] = [points.times, valuesOf(points)];
  return times.map((time) => {
    const near = nearestIndex(timestamps, time);
    const nearest = timestamps[near] ?? Number.NaN;
    const limit = nearest === time ? 0 : gapLimitMs(timestamps, nearest < time ? near + 1 : near);
    return Math.abs(nearest - time) <= limit / 2 ? (values[near] ?? 0) : Number.NaN;
  });
}

/** Returns the end of a window for messages; undefined if the charts never had a point. */
function endOfCharts(charts: readonly FetchedChart[], window: DataWindow) {
  return charts.some(({ span }) => span) ? endOf(window, Date.now()) : undefined;
}

async function fetchSum(
  charts: readonly FetchedChart[],
  lines: readonly ComparedLine[],
  { window: period, width }: WantedChart,
): Promise<LayOut> {
  const window = windowOfCharts(charts, period);
  const newest = Math.min(lastTimeOf(window), lastTimeOf(windowOfCharts(charts, 'all')));
  const step = historyStep(lengthOf(window), width);
  const added = await loadLines(sourceOf(charts), charts, { window, width, step });
  return ({ window: range }, { title, ...size }, shown) => {
    const summands = lines.flatMap((line) => {
      const points = added[line.place];
      return points === undefined ? [] : { ...points, name: line.name, isHidden: !shown.includes(line) };
    });
    const sum = sumToDraw(summands, { title, window, newest, step });
    const { times } = sum;
    if (times.length === 0) return noPointsIn(range, endOfCharts(charts, window));
    const nowMs = Date.now();
    const layout = layoutHistory(sum, { ...size, nowMs, ...inPage, range, unit: 'count', isSum: true });
    if (layout === undefined) return nothingCounted(range, endOf(window, nowMs));
    const stacked = shown.map(({ name, place }) => {
      return { name, place, values: sum.shares[place]?.values ?? times };
    });
    const columns = stacked.map((column, at) => {
      const topOf = (index: number) => totalOf(stacked.slice(at).map(({ values }) => values[index] ?? 0));
      return { ...column, ys: times.map((_, index) => layout.axes[0]?.yAt(topOf(index)) ?? 0) };
    });
    return { layout, times, step: sum.step, columns, isSum: true };
  };
}

/** A value of a line in words, with the y coordinate of its dot. */
interface ComparedValue extends Pick<ComparedLine, 'name' | 'place'> {
  readonly value: number;
  readonly words: string;
  readonly y: number;
}

/** Returns the values at a time, topmost first, without lines that have a gap there. */
function valuesAt({ columns, step }: Compared, index: number): readonly ComparedValue[] {
  const found = columns.flatMap(({ name, place, values, ys, factor }) => {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) return [];
    const exact = step === undefined ? formatExact(value) : formatMean(value);
    const words = factor === undefined ? exact : `${formatMean(value * factor)} (${exact})`;
    return [{ name, place, value, words, y: ys[index] ?? 0 }];
  });
  return found.sort((a, b) => a.y - b.y);
}

/** Returns the value nearest to the pointer, or the topmost if keys move the cursor. */
function nearestOf(values: readonly ComparedValue[], y = 0): ComparedValue | undefined {
  const distances = values.map((value) => Math.abs(value.y - y));
  return values[distances.indexOf(Math.min(...distances))];
}

/** Returns the sum in words; empty if the lines are not added up. */
function sumOf({ isSum }: Compared, values: readonly ComparedValue[]): readonly string[] {
  return isSum ? [formatMean(totalOf(values.map(({ value }) => value)))] : [];
}

function drawingOf(compared: Compared): Drawing {
  const { layout, times, step } = compared;
  return {
    description: layout.description,
    svg: layout.draw(),
    readable: {
      layout,
      times,
      stepMs: step?.ms ?? 0,
      yAt: (index, y) => nearestOf(valuesAt(compared, index), y)?.y,
      wordsAt: (index, y) => wordsAt(compared, index, y),
    },
    table: (part) => tableOf(compared, part),
  };
}

/** Returns the texts of the tooltip: all values at a time, with the nearest highlighted. */
function wordsAt(compared: Compared, index: number, y: number | undefined): TipWords {
  const { times, step, isSum } = compared;
  const values = valuesAt(compared, index);
  const nearest = nearestOf(values, y);
  const sum = sumOf(compared, values);
  const heading = [timeText(times[index], step), ...(step === undefined ? [] : [step.mean])].join(', ');
  const wordsOf = ({ name, words }: ComparedValue) => `${name} ${words}`;
  const others = values.filter((value) => value !== nearest).map(wordsOf);
  const rows = values.map((value) => {
    const key = element('i', { class: isSum ? 'area' : undefined });
    key.style.background = `var(--${seriesInk(value.place)})`;
    return rowOf([key, value.name, value.words], value === nearest ? 'near' : '');
  });
  return {
    strong: nearest === undefined ? 'no points' : wordsOf(nearest),
    rest: [heading, ...sum.map((words) => `sum ${words}`), ...others],
    shown: {
      heading,
      content: element('table', {}, ...rows, ...sum.map((words) => rowOf(['', 'Sum', words]))),
    },
  };
}

function rowOf(cells: ReadonlyArray<Node | string>, className = ''): HTMLElement {
  return element('tr', { class: className }, ...cells.map((cell) => element('td', { dir: 'auto' }, cell)));
}

/** Makes the table: one column per line, newest time first. */
function tableOf(compared: Compared, { maxRowCount, noteOf }: typeof import('./table.ts')): ChartTable {
  const { layout, times, step, columns, isSum } = compared;
  const count = Math.min(times.length, maxRowCount);
  const rows = Array.from({ length: count }, (_, row) => {
    const index = times.length - 1 - row;
    const values = valuesAt(compared, index);
    const words = columns.map(({ place }) => values.find((value) => value.place === place)?.words ?? '');
    return [timeText(times[index], step), ...words, ...sumOf(compared, values)];
  });
  const note = [noteOf('Newest', count, times.length), step?.mean ?? ''].filter(Boolean);
  const names = columns.map(({ name }) => name);
  return {
    title: layout.title,
    note: note.join(', '),
    columns: ['Time', ...names, ...(isSum ? ['Sum'] : [])],
    rows,
  };
}
