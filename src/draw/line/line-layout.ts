/** Layout of a picture of lines, used for drawing and for pointer and keyboard input. */
import { type PictureOptions, type Sizes, sizesOf } from '../picture.ts';
import type { PlotBox } from '../plot-box.ts';
import { coordinate, measureText } from '../svg.ts';
import type { Paint } from '../theme.ts';
import type { LineLook, LineShape } from './line-shape.ts';
import type { TimeAxis } from './time-axis.ts';
import type { AxisPlace, PlacedAxis } from './value-axis.ts';

/** Maximum number of lines in a picture. */
export const maxComparedLines = 10;

/** Kinds of vertical axes. */
export const axisKinds = ['linear', 'log'] as const;

/** One of {@link axisKinds}. */
export type AxisKind = (typeof axisKinds)[number];

/** A line with its position. */
export interface PlacedLine extends LineLook {
  readonly name: string;
  readonly shape: LineShape;
}

/** Layout of a picture over time, with its axes. */
export interface TimeLayout {
  readonly title: string;
  readonly description: string;
  readonly box: PlotBox;
  readonly time: TimeAxis;
  readonly axes: readonly PlacedAxis[];
  /** Draws the SVG document. */
  readonly draw: () => string;
}

/** Layout of a picture of lines. */
export interface LinesLayout extends TimeLayout {
  readonly lines: readonly PlacedLine[];
}

/** Options of {@link plotBox}. */
interface PlotBoxOptions {
  readonly options: PictureOptions;
  /** Bottom edge of the content above the box. */
  readonly top: number;
  /** Makes the vertical axes, once their top and bottom are known. */
  readonly axesFor: (place: AxisPlace) => readonly PlacedAxis[];
  /** Room reserved on the right for labels at the ends of lines. */
  readonly rightMargin?: number;
}

/** Lays out the plot box and its axes in the room left by the heading and the axis labels. */
export function plotBox({ options, axesFor, top: end, rightMargin = 0 }: PlotBoxOptions): {
  readonly box: PlotBox;
  readonly axes: readonly PlacedAxis[];
} {
  const { padding, text: textSize } = sizesOf(options);
  const top = end + textSize * 0.5;
  const bottom = Math.max(top + 10, options.height - padding - textSize * 1.3);
  const axes = axesFor({ top, bottom, textSize });
  const roomFor = (side: 'left' | 'right') => {
    const texts = axes.flatMap((axis) => (axis.side === side ? axis.ticks.map(({ text }) => text) : []));
    return texts.length === 0 ? 0 : Math.max(...texts.map((text) => measureText(text, textSize))) + 8;
  };
  const left = padding + roomFor('left');
  const right = Math.max(left + 10, options.width - padding - Math.max(roomFor('right'), rightMargin));
  return { box: { left, top, right, bottom }, axes };
}

/** Draws the grid, the base line and the axis labels. */
export function drawAxes(
  { box, time, axes, sizes }: Pick<TimeLayout, 'box' | 'time' | 'axes'> & { readonly sizes: Sizes },
  paint: Paint,
): string {
  const { left, right, bottom } = box;
  const grid = drawGrid({ box, axes }, paint.stroke('grid'));
  const base = `<path d="M${coordinate(left)} ${coordinate(bottom)}H${coordinate(right)}"${paint.stroke('axis')}/>`;
  const valueLabels = axes.map(({ ticks, side, ink }) => {
    const x = side === 'left' ? left - 8 : right + 8;
    const texts = ticks.map(
      ({ at, text }) => `<text x="${coordinate(x)}" y="${coordinate(at + sizes.text * 0.35)}">${text}</text>`,
    );
    return `<g font-size="${sizes.text}" text-anchor="${side === 'left' ? 'end' : 'start'}"${paint.fill(ink)}>${texts.join('')}</g>`;
  });
  const timeY = coordinate(bottom + sizes.text * 1.5);
  const timeLabels = time.ticks.map(
    ({ at, text }) => `<text x="${coordinate(at)}" y="${timeY}">${text}</text>`,
  );
  const times = `<g font-size="${sizes.text}" text-anchor="middle"${paint.fill('muted')}>${timeLabels.join('')}</g>`;
  return grid + base + valueLabels.join('') + times;
}

/** Draws the grid lines of the first axis, except the one on the base line. */
export function drawGrid({ box, axes }: Pick<TimeLayout, 'box' | 'axes'>, look: string): string {
  const { left, right, bottom } = box;
  const rules = (axes[0]?.ticks ?? [])
    .filter(({ at }) => at < bottom - 1)
    .map(({ at }) => `M${coordinate(left)} ${coordinate(at)}H${coordinate(right)}`);
  return rules.length === 0 ? '' : `<path d="${rules.join('')}"${look}/>`;
}

/** Returns the index of the timestamp nearest to a time; -1 if there are none. Timestamps must ascend. */
export function nearestIndex(timestamps: Float64Array, timestamp: number): number {
  let start = 0;
  let end = timestamps.length - 1;
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((timestamps[middle] ?? 0) < timestamp) start = middle + 1;
    else end = middle;
  }
  const before = timestamps[start - 1] ?? Number.NEGATIVE_INFINITY;
  return start > 0 && timestamp - before < (timestamps[start] ?? 0) - timestamp
    ? start - 1
    : Math.min(start, end);
}
