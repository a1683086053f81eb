/** The data of a line over a window, and the window that is wanted. */
import type { LineShape } from '../../../draw/line/line-shape.ts';
import type { TimeStep } from '../../../draw/time-step.ts';
import type { Points } from '../../../model/points.ts';
import type { Period, StepName, TimeWindow } from '../../../model/window.ts';
import type { ChartSpan } from './known-plugin.ts';

/** A line over a window. */
export interface LineData {
  /** The times of the first and the last point of the chart, in Unix milliseconds, and its latest value. */
  readonly span: ChartSpan;
  readonly latestValue: number;
  /** Ascending points as they are stored, or over a long window the means of steps at their beginnings. */
  readonly points: Points;
  /** Of means: their step, the lowest and the highest value of each, and how they are read. */
  readonly band?: {
    readonly step: StepName;
    readonly lows: Float64Array;
    readonly highs: Float64Array;
    readonly read: (line: LineData, ends: { readonly from: number; readonly to: number }) => LineReading;
  };
  /** The window that has been fetched. */
  readonly loaded: TimeWindow;
}

/** The window of a drawing, and its width in pixels. */
export interface WantedLine {
  readonly window: Period;
  readonly width: number;
}

/** A line in a window. */
export interface LineReading {
  readonly shape: LineShape;
  /** The points of the window, or the means of its steps at their beginnings. */
  readonly points: Points;
  /** Of means: their step, and the lowest and the highest value of each. */
  readonly band?: { readonly step: TimeStep; readonly lows: Float64Array; readonly highs: Float64Array };
}
