/** A line reduced to what a picture can show: either its points by column, or its means by step. */
import type { DataWindow } from '../../model/window.ts';
import { coordinate } from '../svg.ts';
import type { Ink, Paint } from '../theme.ts';
import type { IndexRange, TimeStep } from '../time-step.ts';

/** A line within a window. */
export interface LineShape {
  readonly window: DataWindow;
  /** Number of points in the window. */
  readonly pointCount: number;
  /** Lowest and highest value; infinite without points. */
  readonly low: number;
  readonly high: number;
  /** Highest value of each column or step that has points. */
  readonly highs: Float64Array;
  /** Time and value of the newest point; `-Infinity` and `NaN` without points. */
  readonly latestTimestamp: number;
  readonly latestValue: number;
  /**
   * Value that becomes 100 on an indexed line: the mean of the day that begins with the first nonzero value,
   * or the first nonzero mean. Undefined for a line of zeros.
   */
  readonly indexBase: number | undefined;
  /** Value at the right end of the drawn line. */
  readonly endValue: number;
  /**
   * Only for a line of means: the step, the lowest and highest mean, all means, and the range of means that
   * are drawn.
   */
  readonly means?: IndexRange & {
    readonly step: TimeStep;
    readonly low: number;
    readonly high: number;
    readonly highs: Float64Array;
  };
  /** The line of the previous period, drawn pale. */
  readonly previous?: LineShape;
  draw(look: LineLook, drawing: LineDrawing): string;
}

/** Returns the window that contains the windows of several lines. */
export function windowAround(shapes: readonly LineShape[]): DataWindow {
  return {
    from: Math.min(...shapes.map(({ window }) => window.from)),
    to: Math.max(...shapes.map(({ window }) => window.to)),
  };
}

/** Style of a line in a picture. */
export interface LineLook {
  readonly ink: Ink;
  readonly hasArea: boolean;
  /** False to omit the band of a line of means. */
  readonly hasBand?: boolean;
  /** True if a label stands at its end. */
  readonly isLabelled?: boolean;
  /** True to omit the dot at its end. */
  readonly isPast?: boolean;
  /** Returns the y coordinate of a value of this line. */
  readonly yAt: (value: number) => number;
}

/** Properties common to all lines in a picture. */
export interface LineDrawing {
  /** Returns the x coordinate of a time. */
  readonly xAt: (timestamp: number) => number;
  /** Line width in pixels. */
  readonly width: number;
  readonly paint: Paint;
}

/** Returns attributes for the width, joins and caps of a line. */
export function lineJoints({ width }: LineDrawing): string {
  return ` stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"`;
}

/** Draws a dot at the newest point or, if a label stands there, at the end of the line. */
export function drawEnd(
  { latestTimestamp, latestValue, endValue }: LineShape,
  { ink, yAt, isLabelled, isPast }: LineLook,
  { xAt, width, paint }: LineDrawing,
): string {
  if (isPast === true) return '';
  const y = coordinate(yAt(isLabelled === true ? endValue : latestValue));
  return `<circle cx="${coordinate(xAt(latestTimestamp))}" cy="${y}" r="${width * 1.75}"${paint.fill(ink)}/>`;
}
