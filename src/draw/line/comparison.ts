/** Up to ten lines in one picture, as values or as indices. */
import type { Period } from '../../model/window.ts';
import { clamp } from '../clamp.ts';
import { formatExact, formatShort } from '../format.ts';
import { drawMessage, noPointsIn } from '../message.ts';
import { headingHeight, type PictureOptions, sizesOf } from '../picture.ts';
import { rangeWords, timeWords } from '../range.ts';
import { seriesInk } from '../theme.ts';
import {
  drawLineLegend,
  endLabelHeight,
  endLabelsWidth,
  type NamedLine,
  placeEndLabels,
  placeRows,
} from './legend.ts';
import { type AxisKind, type LinesLayout, maxComparedLines } from './line-layout.ts';
import type { LineShape } from './line-shape.ts';
import { logAxis } from './log-axis.ts';
import { meansPhrases, placeMeansWords } from './means-words.ts';
import { type AxisBounds, axisBounds, withCutWords } from './outliers.ts';
import { plotBox } from './plot-box.ts';
import { renderLines } from './render-lines.ts';
import { timeAxis } from './time-axis.ts';
import { leastSize, valueAxis } from './value-axis.ts';

/** A line. */
interface ComparedLine {
  readonly name: string;
  /** Gives its colour and its dashes; its index among the lines unless given. */
  readonly place?: number;
  readonly shape: LineShape;
}

/** A comparison of lines. */
interface Comparison {
  readonly title: string;
  readonly lines: readonly ComparedLine[];
  /** `indexed`: the mean of the first day of each line is 100; zeros before its first other value are left out of that. */
  readonly mode: 'absolute' | 'indexed';
  /** `linear` unless given: cut at outliers. Without a value above zero, a logarithmic axis is linear. */
  readonly axis?: AxisKind;
  readonly range: Period;
}

// Dashes tell lines apart where colours do not: in print, and for people who are colour-blind.
const dashes = [
  undefined,
  '12 3',
  '3 3',
  '12 3 3 3',
  '7 3',
  '20 3',
  '7 3 2 3',
  '12 3 6 3',
  '2 2',
  '12 3 2 3 2 3',
] as const;

/** The dashes of the line with this index, as `stroke-dasharray` has them; undefined for a solid line. */
export function dashOf(index: number): string | undefined {
  return dashes[index];
}

/** Bands of more lines would hide each other; then the lines are their means alone. */
const maxBandCount = 2;

/** Draws the lines, or a sentence if none has a point. */
export function drawComparison(comparison: Comparison, options: PictureOptions): string {
  const layout = layoutComparison(comparison, options);
  if (layout !== undefined) return renderLines(layout);
  return drawMessage(noPointsIn(comparison.range), { ...options, title: options.title ?? comparison.title });
}

/** Places the lines that have points; undefined if none has. */
export function layoutComparison(comparison: Comparison, options: PictureOptions): LinesLayout | undefined {
  const { mode, axis, range } = comparison;
  const lines = comparison.lines.slice(0, maxComparedLines).flatMap((line, index) => {
    if (line.shape.pointCount === 0) return [];
    const { place = index } = line;
    const factor = mode === 'indexed' ? indexFactor(line.shape) : 1;
    const scaled = (value: number) => clamp(value * factor);
    const latest = scaled(line.shape.latestValue);
    const value = mode === 'indexed' ? formatShort(latest) : formatExact(latest);
    return [{ ...line, ink: seriesInk(place), dash: dashOf(place), scaled, value }];
  });
  if (lines.length === 0) return undefined;
  const title = options.title ?? comparison.title;
  const sizes = sizesOf(options);
  const { padding, text: textSize } = sizes;
  const hasBands = lines.length <= maxBandCount;
  const bounds = axisBounds(
    lines.map(({ shape, scaled }) => ({ values: hasBands ? shape : (shape.means ?? shape), scaled })),
    axis === 'log',
  );
  const { low, high } = bounds;
  const timestamp = Math.max(...lines.map(({ shape }) => shape.latestTimestamp));
  const newest = { timestamp, nowMs: options.nowMs };
  const { words, endWords } = wordsOf(comparison, {
    period: rangeWords(range, newest),
    shapes: lines.map(({ shape }) => shape),
    hasBands,
    bounds,
    options,
  });
  const named = lines.map(
    (line): NamedLine => ({
      ...line,
      value: line.value.length <= 7 ? line.value : formatShort(line.scaled(line.shape.latestValue)),
    }),
  );

  const headingEnd = headingHeight(options, true) + words.rowHeight;
  const plotHeight = options.height - headingEnd - padding - textSize * 2;
  const hasEndLabels = options.width >= 560 && plotHeight >= lines.length * endLabelHeight(textSize);
  const maxWidth = Math.min(260, options.width * 0.3);
  const rows = hasEndLabels
    ? { entries: [], height: 0 }
    : placeRows(named, {
        left: padding,
        right: options.width - padding,
        top: headingEnd,
        maxRowCount: Math.floor((plotHeight * 0.45) / (textSize * 1.6)),
        textSize,
      });
  const { box, axes } = plotBox({
    options,
    hasNotes: true,
    rowsHeight: words.rowHeight + rows.height,
    rightMargin: hasEndLabels ? endLabelsWidth(named, { maxWidth, textSize }) : 0,
    axesFor: (place) => {
      const made =
        axis === 'log' && high >= leastSize ? logAxis(low, high, place) : valueAxis(low, high, place);
      return [{ ...made, side: 'left', ink: 'muted' }];
    },
  });
  const axisYAt = axes[0]?.yAt ?? (() => box.bottom);
  const placed = lines.map(({ name, shape, ink, dash, scaled }) => ({
    name,
    shape,
    ink,
    dash,
    hasArea: false,
    hasBand: hasBands,
    isLabelled: true,
    yAt: (value: number) => axisYAt(scaled(value)),
  }));
  const endYs = placed.map(({ shape, yAt }) => yAt(shape.endValue));
  const from = Math.min(...lines.map(({ shape }) => shape.from));
  const to = Math.max(...lines.map(({ shape }) => shape.to));
  const entries = hasEndLabels ? placeEndLabels(named, endYs, { box, maxWidth, textSize }) : rows.entries;
  const time = timeAxis(from, to, { ...box, labelEnd: options.width - sizes.padding, textSize });
  return {
    options,
    sizes,
    title,
    description: `${title}, ${rangeWords(range, newest)}: ${lines.map(({ name, value }) => `${name} ${value}`).join(', ')} ${timeWords(newest)}${endWords}`,
    notes: words.notes,
    box,
    time,
    axes,
    lines: placed,
    legend: {
      entries,
      draw: (paint) => words.drawRow(paint) + drawLineLegend(entries, { textSize, paint }),
    },
  };
}

interface WordsOptions {
  readonly period: string;
  readonly shapes: readonly LineShape[];
  readonly hasBands: boolean;
  readonly bounds: AxisBounds;
  readonly options: PictureOptions;
}

/** Says below the heading and at the end of the description how the lines are drawn. */
function wordsOf({ mode, axis }: Comparison, { period, shapes, hasBands, bounds, options }: WordsOptions) {
  const phrases = shapes.map((shape) => meansPhrases(shape, hasBands)).find(({ length }) => length > 0) ?? [];
  const allPhrases = withCutWords(phrases, [bounds]);
  const [all] = allPhrases;
  const [phrase] = phrases;
  const first = phrase === undefined ? 'the mean of the first day' : 'the first mean';
  const isIndexed = mode === 'indexed';
  const isLog = axis === 'log';
  const note = `${isIndexed ? `${phrase === undefined ? 'Mean of the first day' : 'First mean'} = 100, ` : ''}${isLog ? 'logarithmic axis, ' : ''}${period}`;
  return {
    words: placeMeansWords({ words: allPhrases, notes: [{ text: note, ink: 'muted' }], options }),
    endWords: `${isIndexed ? `, where ${first} of each is 100` : ''}${isLog ? ', on a logarithmic axis' : ''}${all === undefined ? '' : `; ${all}`}`,
  };
}

/** The factor from the values of a line to its indices. */
export function indexFactor({ indexBase }: LineShape): number {
  // A line of zeros stays at zero.
  return clamp(100 / (indexBase ?? 1));
}
