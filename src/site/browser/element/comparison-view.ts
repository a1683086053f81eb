/** Several lines in the page: drawn as lines or as their sum, their values time by time, and their table. */
import { formatDateTime, formatDay, formatExact, formatShort } from '../../../draw/format.ts';
import { layoutHistory, nothingCounted } from '../../../draw/history/draw-history.ts';
import { dashOf, indexFactor, layoutComparison } from '../../../draw/line/comparison.ts';
import { gapLimitMs } from '../../../draw/line/line-columns.ts';
import { nearestIndex } from '../../../draw/line/line-layout.ts';
import { renderLines } from '../../../draw/line/render-lines.ts';
import { sumToDraw } from '../../../draw/line/sum.ts';
import { noPointsIn } from '../../../draw/message.ts';
import { Paint, seriesInk } from '../../../draw/theme.ts';
import { historyStep, type TimeStep } from '../../../draw/time-step.ts';
import { noPoints } from '../../../model/points.ts';
import { dayMs, isSamePeriod } from '../../../model/window.ts';
import { comparisonTitle, namesOf } from '../../state/comparison-words.ts';
import { shareTest } from '../../state/share-filter.ts';
import { element } from '../elements.ts';
import { type ChartTable, maxRowCount, noteOf } from './chart-table.ts';
import { type Drawing, type DrawingPlace, inPage, type LoadedChart, type WantedChart } from './drawing.ts';
import { type ChartsToFetch, fetchLines, fetchSeries, windowOfCharts } from './fetch-line.ts';
import type { KnownPlugin } from './known-plugin.ts';
import { readLine } from './line-reading.ts';
import { svgElement } from './svg-elements.ts';
import type { ReadableChart } from './time-cursor.ts';
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

/** Lines that have been laid out. */
interface Compared {
  readonly layout: ReadableChart['layout'] & { readonly description: string };
  readonly svg: string;
  readonly times: Float64Array;
  /** The step of which the values are the mean; undefined for values as they are stored. */
  readonly step: TimeStep | undefined;
  /** The names of the lines, in their order. */
  readonly names: readonly string[];
  readonly isSum: boolean;
  /** The values at a time, the uppermost first; a line in a gap is left out. */
  readonly valuesAt: (index: number) => readonly ComparedValue[];
}

/** A value of a line, with its place among the lines, its words, and the y coordinate of its dot. */
interface ComparedValue {
  readonly name: string;
  readonly place: number;
  readonly value: number;
  readonly words: string;
  readonly y: number;
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
    const step = shown[0]?.band?.step;
    const columns = shown.map(({ points, shape, ...line }, at) => ({
      ...line,
      ...points,
      factor: isIndexed ? indexFactor(shape) : undefined,
      maxDistanceMs: gapLimitMs(points.timestamps) / 2,
      yAt: layout.lines[at]?.yAt,
    }));
    const times = Float64Array.from(new Set(columns.flatMap(({ timestamps }) => [...timestamps]))).sort();
    return {
      layout,
      svg: renderLines(layout),
      times,
      step,
      names: shown.map(({ name }) => name),
      isSum: false,
      valuesAt: (index) => {
        const time = times[index] ?? Number.NaN;
        const values = columns.flatMap(
          ({ name, place, timestamps, values: all, factor, maxDistanceMs, yAt }) => {
            const near = nearestIndex(timestamps, time);
            if (!(Math.abs((timestamps[near] ?? Number.NaN) - time) <= maxDistanceMs)) return [];
            const value = all[near] ?? 0;
            const exact = formatExact(step === undefined ? value : rounded(value));
            const words = factor === undefined ? exact : `${formatShort(value * factor)} (${exact})`;
            return [{ name, place, value, words, y: yAt?.(value) ?? 0 }];
          },
        );
        return values.sort((a, b) => a.y - b.y);
      },
    };
  };
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
    if (sum.times.length === 0) return noPointsIn(range);
    const options = { ...size, nowMs: Date.now(), ...inPage };
    const layout = layoutHistory(sum, { ...options, range, unit: 'count', isSum: true });
    if (layout === undefined) return nothingCounted(range, { timestamp: ends.to, nowMs: options.nowMs });
    const shown = sum.shares.flatMap((share, place) =>
      share.isHidden === true ? [] : [{ ...share, place }],
    );
    return {
      layout,
      svg: layout.draw(),
      times: sum.times,
      step: sum.step,
      names: shown.map(({ name }) => name),
      isSum: true,
      valuesAt: (index) => {
        let rest = totalOf(shown.map(({ values }) => ({ value: values[index] ?? 0 })));
        return shown.map(({ name, place, values }) => {
          const value = values[index] ?? 0;
          const y = layout.axes[0]?.yAt(rest) ?? 0;
          rest -= Math.max(0, value);
          return { name, place, value, words: formatExact(rounded(value)), y };
        });
      },
    };
  };
}

function totalOf(values: ReadonlyArray<{ readonly value: number }>): number {
  return values.reduce((sum, { value }) => sum + Math.max(0, value), 0);
}

/** A mean without decimals that say nothing. */
function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
}

function drawingOf(compared: Compared): Drawing {
  const { layout, svg, times, step, valuesAt } = compared;
  const nearestOf = (values: readonly ComparedValue[], y = Number.NEGATIVE_INFINITY) =>
    values.reduce<ComparedValue | undefined>(
      (near, value) => (near && Math.abs(near.y - y) <= Math.abs(value.y - y) ? near : value),
      undefined,
    );
  return {
    description: layout.description,
    svg,
    readable: {
      layout,
      times,
      stepMs: step?.ms ?? 0,
      yAt: (index, y) => nearestOf(valuesAt(index), y)?.y,
      wordsAt: (index, y) => {
        const values = valuesAt(index);
        return wordsOf(compared, { values, nearest: nearestOf(values, y), when: timeOf(compared, index) });
      },
    },
    tableOf: () => tableOf(compared),
  };
}

function timeOf({ times, step }: Compared, index: number): string {
  const format = step === undefined || step.ms < dayMs ? formatDateTime : formatDay;
  return format(times[index] ?? 0);
}

interface Reading {
  readonly values: readonly ComparedValue[];
  /** The one nearest to the pointer; the uppermost if keys move the cursor. */
  readonly nearest: ComparedValue | undefined;
  readonly when: string;
}

/** All values at a time, of which the nearest is marked. */
function wordsOf({ step, isSum }: Compared, { values, nearest, when }: Reading): TipWords {
  const wordsOfLine = ({ name, words }: ComparedValue) => `${name} ${words}`;
  const others = values.filter((value) => value !== nearest).map(wordsOfLine);
  const sum = isSum ? [formatExact(rounded(totalOf(values)))] : [];
  const time = [when, ...(step === undefined ? [] : [step.mean])].join(', ');
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
  const { layout, times, step, names, isSum, valuesAt } = compared;
  const count = Math.min(times.length, maxRowCount);
  const rows = Array.from({ length: count }, (_, row) => {
    const index = times.length - 1 - row;
    const values = valuesAt(index);
    const words = new Map(values.map((value) => [value.name, value.words]));
    const sum = isSum ? [formatExact(rounded(totalOf(values)))] : [];
    return [timeOf(compared, index), ...names.map((name) => words.get(name) ?? ''), ...sum];
  });
  const note = [noteOf('Newest', count, times.length), step?.mean ?? ''].filter((words) => words !== '');
  const columns = ['Time', ...names, ...(isSum ? ['Sum'] : [])];
  return { title: layout.title, note: note.join(', '), columns, rows };
}
