/** A line reduced to what a picture can show, in one of two ways: all of its points, or their means by step of time. */
import type { DataWindow } from '../../model/window.ts';
import { coordinate } from '../svg.ts';
import type { Ink, Paint } from '../theme.ts';
import type { IndexRange, TimeStep } from '../time-step.ts';

/** A line in a window. */
export interface LineShape {
  readonly window: DataWindow;
  /** The number of points in the window. */
  readonly pointCount: number;
  /** The lowest and the highest value; infinite while there is no point. */
  readonly low: number;
  readonly high: number;
  /** The highest value of each column or step that has points. */
  readonly highs: Float64Array;
  /** The time and the value of the newest point; `-Infinity` and `NaN` while there is none. */
  readonly latestTimestamp: number;
  readonly latestValue: number;
  /**
   * The value that is 100 on an indexed line: the mean of the day that begins with the first value that is not zero, or the first mean
   * that is not zero. Undefined for a line of zeros.
   */
  readonly indexBase: number | undefined;
  /** The value at the right end of the line as it is drawn. */
  readonly endValue: number;
  /** For a line of means: their step, the lowest and the highest mean, all means, and the range of those that are drawn. */
  readonly means?: IndexRange & {
    readonly step: TimeStep;
    readonly low: number;
    readonly high: number;
    readonly highs: Float64Array;
  };
  /** The same line in the period before, which is drawn pale. */
  readonly previous?: LineShape;
  draw(look: LineLook, drawing: LineDrawing): string;
}

/** The window of some lines in one picture. */
export function windowAround(shapes: readonly LineShape[]): DataWindow {
  return {
    from: Math.min(...shapes.map(({ window }) => window.from)),
    to: Math.max(...shapes.map(({ window }) => window.to)),
  };
}

/** The look of a line in a picture. */
export interface LineLook {
  readonly ink: Ink;
  readonly hasArea: boolean;
  /** False leaves out the band of a line of means. */
  readonly hasBand?: boolean;
  /** True if a label is beside its end. */
  readonly isLabelled?: boolean;
  /** True for a line without a dot at its end. */
  readonly isPast?: boolean;
  /** The y coordinate of a value of this line. */
  readonly yAt: (value: number) => number;
}

/** The scale, the width and the colours of all lines in a picture. */
export interface LineDrawing {
  /** The x coordinate of a time. */
  readonly xAt: (timestamp: number) => number;
  /** The width of lines in pixels. */
  readonly width: number;
  readonly paint: Paint;
}

/** The width, the joints and the ends of a line. */
export function lineJoints({ width }: LineDrawing): string {
  return ` stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"`;
}

/** Draws a dot at the newest point or, where a label is beside it, at the end of the line. */
export function drawEnd(
  { latestTimestamp, latestValue, endValue }: LineShape,
  { ink, yAt, isLabelled, isPast }: LineLook,
  { xAt, width, paint }: LineDrawing,
): string {
  if (isPast === true) return '';
  const y = coordinate(yAt(isLabelled === true ? endValue : latestValue));
  return `<circle cx="${coordinate(xAt(latestTimestamp))}" cy="${y}" r="${width * 1.75}"${paint.fill(ink)}/>`;
}
