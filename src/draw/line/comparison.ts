/** Up to ten lines in one picture, as values or as indices. */
import type { Period } from '../../model/window.ts';
import { clamp } from '../clamp.ts';
import { formatExact, formatShort } from '../format.ts';
import { drawMessage, noPointsIn } from '../message.ts';
import type { PictureOptions } from '../picture.ts';
import { rangeWords, timeWords } from '../range.ts';
import { seriesInk } from '../theme.ts';
import { layoutLines } from './layout-lines.ts';
import { lineLegend } from './legend.ts';
import { type AxisKind, type LinesLayout, maxComparedLines } from './line-layout.ts';
import type { LineShape } from './line-shape.ts';
import { renderLines } from './render-lines.ts';

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

/** Draws the lines, or a sentence if none has a point. */
export function drawComparison(comparison: Comparison, options: PictureOptions): string {
  const layout = layoutComparison(comparison, options);
  if (layout !== undefined) return renderLines(layout);
  return drawMessage(noPointsIn(comparison.range), { ...options, title: options.title ?? comparison.title });
}

/** Places the lines that have points; undefined if none has. */
export function layoutComparison(comparison: Comparison, options: PictureOptions): LinesLayout | undefined {
  const { axis, range } = comparison;
  const isIndexed = comparison.mode === 'indexed';
  const lines = comparison.lines.slice(0, maxComparedLines).flatMap(({ place, ...line }, index) => {
    if (line.shape.pointCount === 0) return [];
    const at = place ?? index;
    const factor = isIndexed ? indexFactor(line.shape) : 1;
    return [{ ...line, ink: seriesInk(at), dash: dashOf(at), factor }];
  });
  if (lines.length === 0) return undefined;
  const title = options.title ?? comparison.title;
  const timestamp = Math.max(...lines.map(({ shape }) => shape.latestTimestamp));
  const newest = { timestamp, nowMs: options.nowMs };
  const period = rangeWords(range, newest);
  const latest = lines.map(({ shape, factor }) => clamp(shape.latestValue * factor));
  const texts = latest.map(isIndexed ? formatShort : formatExact);
  const named = lines.map((line, at) => {
    const text = texts[at] ?? '';
    return { ...line, value: text.length <= 7 ? text : formatShort(latest[at] ?? 0) };
  });
  const hasMeans = lines.some(({ shape }) => shape.means !== undefined);
  const index = hasMeans ? 'first mean' : 'mean of the first day';
  const isLog = axis === 'log';
  const note = `${isIndexed ? `${index.replace(/^./, (letter) => letter.toUpperCase())} = 100, ` : ''}${isLog ? 'logarithmic axis, ' : ''}${period}`;
  const listed = lines.map(({ name }, at) => `${name} ${texts[at]}`).join(', ');
  const how = `${isIndexed ? `, where the ${index} of each is 100` : ''}${isLog ? ', on a logarithmic axis' : ''}`;
  return layoutLines(
    {
      title,
      lines,
      description: `${title}, ${period}: ${listed} ${timeWords(newest)}${how}`,
      notes: [[{ text: note, ink: 'muted' }]],
      legendBelow: (top) => lineLegend(named, options, top),
      isLog,
    },
    options,
  );
}

/** The factor from the values of a line to its indices. */
export function indexFactor({ indexBase }: LineShape): number {
  // A line of zeros stays at zero.
  return clamp(100 / (indexBase ?? 1));
}
