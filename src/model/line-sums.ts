/** Sums of a line: its points by day or by week. */
import type { Points } from './points.ts';

/** A step of sums, in UTC; weeks begin on Monday. */
export type SumStep = 'day' | 'week';

/** The points of a line by step: element i of each column is of one step that has points. Every value is an integer. */
export interface LineSums {
  /** Beginnings of the steps in Unix milliseconds, strictly ascending. */
  readonly times: Float64Array;
  /** Number of points. */
  readonly counts: Float64Array;
  /** Sum of the values. All of them together are at most 2^53, so that any of them can be added up exactly. */
  readonly sums: Float64Array;
  /** The lowest and the highest value of each week; undefined for days. */
  readonly extremes?: { readonly lowest: Float64Array; readonly highest: Float64Array };
}

/** A part of a line. */
export type LinePart =
  | { readonly kind: 'points'; readonly points: Points }
  | { readonly kind: 'sums'; readonly sums: LineSums };
