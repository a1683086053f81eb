/** Draws up to ten lines in one picture, as values or as indices. */
import type { Period } from '../../model/window.ts';
import { clamp } from '../clamp.ts';
import { endOf, formatExact, formatMean, formatShort, rangeWords, timeWords } from '../format.ts';
import { drawEntry, entryWidth, type LegendEntry, legendLines } from '../legend.ts';
import { drawMessage, noPointsIn } from '../message.ts';
import { type PictureOptions, sizesOf } from '../picture.ts';
import { coordinate } from '../svg.ts';
import { seriesInk } from '../theme.ts';
import { type LineLegend, layoutLines } from './layout-lines.ts';
import { type AxisKind, type LinesLayout, maxComparedLines } from './line-layout.ts';
import { type LineShape, windowAround } from './line-shape.ts';

/** A line. */
interface ComparedLine {
  readonly name: string;
  /** Determines its colour; by default its index among the lines. */
  readonly place?: number;
  readonly shape: LineShape;
}

/** A comparison of lines. */
interface Comparison {
  readonly title: string;
  readonly lines: readonly ComparedLine[];
  /** `indexed`: the mean of the first day of each line becomes 100; leading zeros are skipped. */
  readonly mode: 'absolute' | 'indexed';
  /**
   * `linear` by default, cut at outliers. A logarithmic axis falls back to linear if no value is above zero.
   */
  readonly axis?: AxisKind;
  readonly range: Period;
}

/** Draws the lines, or a sentence if no line has a point. */
export function drawComparison(comparison: Comparison, options: PictureOptions): string {
  const layout = layoutComparison(comparison, options);
  if (layout !== undefined) return layout.draw();
  return drawMessage(noPointsIn(comparison.range), { ...options, title: options.title ?? comparison.title });
}

/** Lays out the lines that have points; undefined if none has. */
export function layoutComparison(comparison: Comparison, options: PictureOptions): LinesLayout | undefined {
  const { axis, range } = comparison;
  const isIndexed = comparison.mode === 'indexed';
  const lines = comparison.lines.slice(0, maxComparedLines).flatMap(({ place, ...line }, index) => {
    if (line.shape.pointCount === 0) return [];
    const at = place ?? index;
    const factor = isIndexed ? indexFactor(line.shape) : 1;
    return [{ ...line, colour: at, ink: seriesInk(at), factor }];
  });
  if (lines.length === 0) return undefined;
  const title = options.title ?? comparison.title;
  const { nowMs } = options;
  const newest = { timestamp: Math.max(...lines.map(({ shape }) => shape.latestTimestamp)), nowMs };
  const period = rangeWords(range, endOf(windowAround(lines.map(({ shape }) => shape)), nowMs));
  // Each label shows the value at the end of its line: a mean, or the latest value, which depends on the time
  // of day.
  const means = lines.find(({ shape }) => shape.means !== undefined)?.shape.means;
  const ends = lines.map(({ shape, factor }) => clamp(shape.endValue * factor));
  const texts = ends.map(isIndexed || means !== undefined ? formatMean : formatExact);
  const at = means === undefined ? timeWords(newest) : `in the last ${means.step.mean}`;
  const entries = lines.map(({ name, colour }, at): LegendEntry => {
    const text = texts[at] ?? '';
    const value = text.length <= 7 ? text : formatShort(ends[at] ?? 0);
    return { name, value, key: 'line', colour };
  });
  const index = means === undefined ? 'mean of the first day' : 'first mean';
  const isLog = axis === 'log';
  const note = `${isIndexed ? `${index.replace(/^./, (letter) => letter.toUpperCase())} = 100, ` : ''}${isLog ? 'logarithmic axis, ' : ''}${period}`;
  const listed = lines.map(({ name }, at) => `${name} ${texts[at]}`).join(', ');
  const how = `${isIndexed ? `, where the ${index} of each is 100` : ''}${isLog ? ', on a logarithmic axis' : ''}`;
  return layoutLines(
    {
      title,
      lines,
      description: `${title}, ${period}: ${listed} ${at}${how}`,
      notes: [[{ text: note, ink: 'muted' }]],
      legendBelow: (top) => lineLegend(entries, options, top),
      isLog,
    },
    options,
  );
}

/** Returns the factor that converts the values of a line to indices. */
export function indexFactor({ indexBase }: LineShape): number {
  // A line of zeros stays at zero.
  return clamp(100 / (indexBase ?? 1));
}

/** Distance from the end of a line to its name, and length of the connector between them, in pixels. */
const labelOffset = 14;
const connectorWidth = 10;

/** Distance between the names at the ends of lines, in text heights. */
const labelHeight = 1.35;

/**
 * Places the names of the lines: at their ends if there is room, otherwise above them, where the last entry
 * may tell how many are omitted.
 */
function lineLegend(entries: readonly LegendEntry[], options: PictureOptions, top: number): LineLegend {
  const { padding, text: size } = sizesOf(options);
  const room = options.height - top - padding - size * 2;
  if (options.width < 560 || room < entries.length * size * labelHeight) {
    const entriesOf = (count: number): readonly LegendEntry[] => {
      const name = `+${entries.length - count} more`;
      return [
        ...entries.slice(0, count),
        ...(count < entries.length ? [{ name, value: '', key: 'none' } as const] : []),
      ];
    };
    return { ...legendLines(entries.length, entriesOf, { options, top }), rightMargin: 0 };
  }
  const maxWidth = Math.min(260, options.width * 0.3) - labelOffset;
  const labels = entries.map((entry) => {
    const maxNameWidth = maxWidth - entryWidth(entry, 0, size);
    return { entry, maxNameWidth, width: entryWidth(entry, maxNameWidth, size) };
  });
  return {
    height: 0,
    rightMargin: labelOffset + Math.ceil(Math.max(...labels.map(({ width }) => width))),
    draw: (paint, endYs, { right, top, bottom }) => {
      const ys = spread(endYs, { top, bottom, distance: size * labelHeight });
      const x = right + labelOffset;
      const drawn = labels.map(({ entry, maxNameWidth }, index) => {
        const y = ys[index] ?? top;
        const end = endYs[index] ?? y;
        const d = `M${coordinate(x - connectorWidth)} ${coordinate(end)}l${connectorWidth} ${coordinate(y - end)}`;
        const connector = `<path d="${d}"${paint.stroke(seriesInk(entry.colour ?? 0))} stroke-opacity=".5"/>`;
        return connector + drawEntry(entry, { x, y, size, maxNameWidth }, paint);
      });
      return drawn.join('');
    },
  };
}

/**
 * Moves positions apart until neighbours are at least `distance` apart, between `top` and `bottom` if they
 * fit.
 */
function spread(
  wanted: readonly number[],
  { top, bottom, distance }: { readonly top: number; readonly bottom: number; readonly distance: number },
): number[] {
  const order = [...wanted.keys()].sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  const placed = new Array<number>(wanted.length).fill(0);
  let least = top;
  for (const index of order) {
    placed[index] = Math.max(wanted[index] ?? 0, least);
    least = (placed[index] ?? 0) + distance;
  }
  let most = bottom;
  for (const index of order.reverse()) {
    placed[index] = Math.min(placed[index] ?? 0, most);
    most = (placed[index] ?? 0) - distance;
  }
  return placed;
}
