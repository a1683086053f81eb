/** A line that is drawn over the whole window that it is loaded in. */
import { bandOf } from './line-band.ts';
import type { LineShape } from './line-shape.ts';
import { type LineToDraw, readLine } from './line-to-draw.ts';

/** Reduces a line to what a picture of this width in pixels shows. */
export function lineShapeOf(line: LineToDraw, width: number): LineShape {
  return readLine(line, { window: line.window, width }, bandOf).shape;
}
