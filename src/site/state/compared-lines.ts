/** The lines and the plot of a comparison as its page has them in attributes, for the values under the pointer. */
import type { StepName } from '../../model/window.ts';

/** A line that is drawn. */
export interface ComparedLineState {
  /** `1337:players`. */
  readonly chart: string;
  readonly name: string;
  /** Gives its colour. */
  readonly place: number;
  /** From its values to those on the axis: its index is 100 times a share of its first day. */
  readonly factor: number;
}

/** The lines of a comparison, in `data-lines`. */
export interface ComparedLinesState {
  readonly mode: 'absolute' | 'indexed' | 'sum';
  /** The step of the pictures; null for points as they are stored. */
  readonly step: StepName | null;
  readonly lines: readonly ComparedLineState[];
}

/** The plot of one picture, in `data-plot`. Lengths are pixels of the picture. */
export interface PlotState {
  readonly width: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** The times at its left and right end, in Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The values at its bottom and at its top. */
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
}
