/** Several lines in the page: drawn as lines or as their sum, their values time by time, and their table. */
import { formatExact, formatShort } from '../../../draw/format.ts';
import { layoutHistory, nothingCounted } from '../../../draw/history/draw-history.ts';
import { totalOf } from '../../../draw/history/history-words.ts';
import { dashOf, indexFactor, layoutComparison } from '../../../draw/line/comparison.ts';
import { gapLimitMs } from '../../../draw/line/line-columns.ts';
import { nearestIndex, type TimeLayout } from '../../../draw/line/line-layout.ts';
import { sumToDraw } from '../../../draw/line/sum.ts';
import { noPointsIn } from '../../../draw/message.ts';
import { Paint, seriesInk } from '../../../draw/theme.ts';
import { historyStep, type TimeStep } from '../../../draw/time-step.ts';
import { noPoints, type Points } from '../../../model/points.ts';
import { isSamePeriod } from '../../../model/window.ts';
import { comparisonTitle, namesOf } from '../../state/comparison-words.ts';
import { shareTest } from '../../state/share-filter.ts';
import { element } from '../elements.ts';
import { type ChartTable, maxRowCount, noteOf } from './chart-table.ts';
import {
  type Drawing,
  type DrawingPlace,
  inPage,
  type LoadedChart,
  meanText,
  timeText,
  type WantedChart,
} from './drawing.ts';
import { type ChartsToFetch, fetchLines, fetchSeries, readLine, windowOfCharts } from './fetch-line.ts';
import type { KnownPlugin } from './known-plugin.ts';
import { svgElement } from './svg-elements.ts';
import type { TipWords } from './tip.ts';

/** Lines of a server with their plugins. */
interface LinesToCompare extends ChartsToFetch {
  readonly charts: ReadonlyArray<
    ChartsToFetch['charts'][number] & { readonly chartId: string } & Pick<KnownPlugin, 'plugin'>
  >;
}

/** Loads lines in the window and the mode of a state. */
export async function loadComparison(source: LinesToCompare, wanted: WantedChart): Promise<LoadedChart> {
  const named = source.charts.map(({ plugin, chartId, known }) => {
    return { plugin, chart: { chartId, title: known.chart.title } };
  });
  const names = namesOf(named);
  const isSum = wanted.mode === 'sum';
  const compare = await (isSum ? fetchSum : fetchToCompare)(source, wanted, names);
  const whole = windowOfCharts(source, 'all');
  return {
    form: 'line',
    title: comparisonTitle(named, wanted.mode),
    lengthMs: whole.to - 1 - whole.from,
    hasAll: ({ window, mode }) => isSamePeriod(window, wanted.window) && (mode === 'sum') === isSum,
    draw: (now, place) => {
      // Lines are shown by their names in addresses: `1337:players`.
      const isShown = shareTest(now.filter);
      const isAnyShown = source.charts.some(({ name }) => isShown(name));
      const compared = isAnyShown ? compare(now, { ...place, isShown }) : 'All lines are hidden.';
      return typeof compared === 'string' ? { description: '', sentence: compared } : drawingOf(compared);
    },
  };
}

/** A line over the times of a comparison. */
interface ComparedColumn {
  readonly name: string;
  /** Its place among the lines, which gives its colour. */
  readonly place: number;
  /** NaN in a gap. */
  readonly values: Float64Array;
  /** The y coordinate at each time. */
  readonly ys: Float64Array;
  /** From a value to the index that is drawn of it. */
  readonly factor?: number | undefined;
}

/** Lines that have been laid out. */
interface Compared {
  readonly layout: TimeLayout;
  readonly times: Float64Array;
  /** The step of which the values are the mean; undefined for values as they are stored. */
  readonly step: TimeStep | undefined;
  readonly columns: readonly ComparedColumn[];
  readonly isSum: boolean;
}

/** Lays out a comparison, or says in a sentence why there is nothing to draw. */
type Compare = (
  wanted: WantedChart,
  place: DrawingPlace & { readonly isShown: (name: string | undefined) => boolean },
) => Compared | string;

async function fetchToCompare(
  source: LinesToCompare,
  wanted: WantedChart,
  names: readonly string[],
): Promise<Compare> {
  const lines = await fetchLines(source, wanted);
  return ({ window: range, mode, axis }, { title, isShown, ...size }) => {
    const window = windowOfCharts(source, range);
    const shown = lines.flatMap((line, place) => {
      if (!isShown(source.charts[place]?.name)) return [];
      const reading = readLine(line, { window, width: size.width });
      return reading.shape.pointCount === 0 ? [] : [{ ...reading, place, name: names[place] ?? '' }];
    });
    const isIndexed = mode === 'indexed';
    const drawn = { title, lines: shown, mode: isIndexed ? mode : 'absolute', axis, range } as const;
    const layout = layoutComparison(drawn, { ...size, nowMs: Date.now(), ...inPage });
    if (layout === undefined) return noPointsIn(range);
    const times = Float64Array.from(new Set(shown.flatMap(({ points }) => [...points.timestamps]))).sort();
    const columns = shown.map(({ name, place, points, shape }, at) => {
      const values = valuesNear(points, times);
      const ys = values.map((value) => layout.lines[at]?.yAt(value) ?? 0);
      return { name, place, values, ys, factor: isIndexed ? indexFactor(shape) : undefined };
    });
    return { layout, times, step: shown[0]?.band?.step, columns, isSum: false };
  };
}

/** The values of a line that are nearest to some times. */
function valuesNear({ timestamps, values }: Points, times: Float64Array): Float64Array {
  const maxDistanceMs = gapLimitMs(timestamps) / 2;
  return times.map((time) => {
    const near = nearestIndex(timestamps, time);
    const isNear = Math.abs((timestamps[near] ?? Number.NaN) - time) <= maxDistanceMs;
    return isNear ? (values[near] ?? 0) : Number.NaN;
  });
}

async function fetchSum(
  source: LinesToCompare,
  wanted: WantedChart,
  names: readonly string[],
): Promise<Compare> {
  const window = windowOfCharts(source, wanted.window);
  const ends = { from: window.from, to: window.to - 1 };
  const step = historyStep(ends.to - ends.from, wanted.width);
  const [means, lasts] = await Promise.all([
    fetchSeries(source, window, { step, aggregate: 'mean' }),
    fetchSeries(source, window, { step, aggregate: 'last' }),
  ]);
  return ({ window: range }, { title, isShown, ...size }) => {
    const lines = source.charts.map(({ name }, place) => ({
      name: names[place] ?? '',
      means: means[place] ?? noPoints,
      lasts: lasts[place] ?? noPoints,
      isHidden: !isShown(name),
    }));
    const sum = sumToDraw(lines, { title, ...ends, step });
    const { times } = sum;
    if (times.length === 0) return noPointsIn(range);
    const options = { ...size, nowMs: Date.now(), ...inPage };
    const layout = layoutHistory(sum, { ...options, range, unit: 'count', isSum: true });
    if (layout === undefined) return nothingCounted(range, { timestamp: ends.to, nowMs: options.nowMs });
    const shown = sum.shares.flatMap(({ name, values, isHidden }, place) =>
      isHidden === true ? [] : [{ name, place, values }],
    );
    const columns = shown.map((column, at) => {
      const topOf = (index: number) => totalOf(shown.slice(at).map(({ values }) => values[index] ?? 0));
      return { ...column, ys: times.map((_, index) => layout.axes[0]?.yAt(topOf(index)) ?? 0) };
    });
    return { layout, times, step: sum.step, columns, isSum: true };
  };
}

/** A value of a line in words, and the y coordinate of its dot. */
interface ComparedValue extends Pick<ComparedColumn, 'name' | 'place'> {
  readonly value: number;
  readonly words: string;
  readonly y: number;
}

/** The values at a time, the uppermost first; a line in a gap is left out. */
function valuesAt({ columns, step }: Compared, index: number): readonly ComparedValue[] {
  const found = columns.flatMap(({ name, place, values, ys, factor }) => {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) return [];
    const exact = step === undefined ? formatExact(value) : meanText(value);
    const words = factor === undefined ? exact : `${formatShort(value * factor)} (${exact})`;
    return [{ name, place, value, words, y: ys[index] ?? 0 }];
  });
  return found.sort((a, b) => a.y - b.y);
}

/** The sum in words; none of lines that are not added. */
function sumOf({ isSum }: Compared, values: readonly ComparedValue[]): readonly string[] {
  return isSum ? [meanText(totalOf(values.map(({ value }) => value)))] : [];
}

function drawingOf(compared: Compared): Drawing {
  const { layout, times, step } = compared;
  // That of the pointer; the uppermost if keys move the cursor.
  const nearestOf = (values: readonly ComparedValue[], y = Number.NEGATIVE_INFINITY) =>
    values.reduce<ComparedValue | undefined>(
      (near, value) => (near && Math.abs(near.y - y) <= Math.abs(value.y - y) ? near : value),
      undefined,
    );
  return {
    description: layout.description,
    svg: layout.draw(),
    readable: {
      layout,
      times,
      stepMs: step?.ms ?? 0,
      yAt: (index, y) => nearestOf(valuesAt(compared, index), y)?.y,
      wordsAt: (index, y) => {
        const values = valuesAt(compared, index);
        return wordsOf(compared, { index, values, nearest: nearestOf(values, y) });
      },
    },
    tableOf: () => tableOf(compared),
  };
}

/** All values at a time, of which the nearest is marked. */
function wordsOf(
  compared: Compared,
  {
    index,
    values,
    nearest,
  }: {
    readonly index: number;
    readonly values: readonly ComparedValue[];
    readonly nearest: ComparedValue | undefined;
  },
): TipWords {
  const { times, step, isSum } = compared;
  const wordsOfLine = ({ name, words }: ComparedValue) => `${name} ${words}`;
  const others = values.filter((value) => value !== nearest).map(wordsOfLine);
  const sum = sumOf(compared, values);
  const time = [timeText(times[index], step), ...(step === undefined ? [] : [step.mean])].join(', ');
  const rows = values.map((value) =>
    rowOf(keyOf(value, isSum), value.name, value.words, value === nearest ? 'near' : ''),
  );
  return {
    strong: nearest === undefined ? 'no points' : wordsOfLine(nearest),
    rest: [time, ...sum.map((words) => `sum ${words}`), ...others],
    shown: {
      heading: time,
      content: element('table', {}, ...rows, ...sum.map((words) => rowOf('', 'Sum', words))),
    },
  };
}

function rowOf(key: Node | string, name: string, words: string, className = ''): HTMLElement {
  const cells = [key, name, words].map((content) => element('td', { dir: 'auto' }, content));
  return element('tr', { class: className }, ...cells);
}

/** The piece of line, or of area, that the drawing has. */
function keyOf({ place }: ComparedValue, isSum: boolean): SVGElement {
  const paint = new Paint('auto');
  const ink = seriesInk(place);
  const dash = dashOf(place);
  const drawn = isSum
    ? `<rect width="20" height="10" rx="2"${paint.fill(ink)}/>`
    : `<path d="M0 5h20"${paint.stroke(ink)} stroke-width="2.5"${dash === undefined ? '' : ` stroke-dasharray="${dash}"`}/>`;
  return svgElement(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20" height="10">${drawn}</svg>`,
  );
}

/** The table: a column for each line, the newest time first. */
function tableOf(compared: Compared): ChartTable {
  const { layout, times, step, columns, isSum } = compared;
  const count = Math.min(times.length, maxRowCount);
  const rows = Array.from({ length: count }, (_, row) => {
    const index = times.length - 1 - row;
    const values = valuesAt(compared, index);
    const words = columns.map(({ name }) => values.find((value) => value.name === name)?.words ?? '');
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
