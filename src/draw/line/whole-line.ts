/** Shape of a line over its whole window. */
import { bandOf } from './line-band.ts';
import type { LineShape } from './line-shape.ts';
import { type LineToDraw, readLine } from './line-to-draw.ts';

/** Reduces a line to what a picture of the given width in pixels can show. */
export function lineShapeOf(line: LineToDraw, width: number): LineShape {
  return readLine(line, { window: line.window, width }, bandOf).shape;
}
