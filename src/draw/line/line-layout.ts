/** The layout of a picture of lines, for the drawing and for what pointers and keys read from it. */
import type { Note, PictureOptions, Sizes } from '../picture.ts';
import type { Paint } from '../theme.ts';
import type { LegendEntry } from './legend.ts';
import type { LineLook, LineShape } from './line-shape.ts';
import type { PlotBox } from './plot-box.ts';
import type { TimeAxis } from './time-axis.ts';
import type { PlacedAxis } from './value-axis.ts';

/** Most lines in one picture. */
export const maxComparedLines = 10;

/** Kinds of vertical axes. A linear one is cut at outliers. */
export const axisKinds = ['linear', 'log'] as const;

/** One of {@link axisKinds}. */
export type AxisKind = (typeof axisKinds)[number];

/** A line with its position. */
export interface PlacedLine extends LineLook {
  readonly name: string;
  readonly shape: LineShape;
}

/** A picture of lines before it is drawn. */
export interface LinesLayout {
  readonly options: PictureOptions;
  readonly sizes: Sizes;
  readonly title: string;
  readonly description: string;
  readonly notes: readonly Note[];
  readonly box: PlotBox;
  readonly time: TimeAxis;
  readonly axes: readonly PlacedAxis[];
  readonly lines: readonly PlacedLine[];
  /** The names of several lines, unless the heading has them. */
  readonly legend?: { readonly entries: readonly LegendEntry[]; readonly draw: (paint: Paint) => string };
}

/** The index of the timestamp nearest to a time; -1 for an empty array. The timestamps ascend. */
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
