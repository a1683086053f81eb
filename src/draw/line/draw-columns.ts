/** Draws the columns of a line: its points, with the area under them. */
import { coordinate } from '../svg.ts';
import { type ColumnPoints, lineRuns } from './line-path.ts';
import type { LineDrawing, LineLook, LineShape } from './line-shape.ts';

/** Draws a line, the area under it and a dot at its newest point. */
export function drawColumns(columns: LineShape & ColumnPoints, look: LineLook, drawing: LineDrawing): string {
  const { ink, dash, hasArea, yAt } = look;
  const { xAt, paint } = drawing;
  const colours = hasArea ? paint.fillAndStroke(ink) : paint.stroke(ink);
  // The line and the area under it are one path: two would be twice the bytes. A dash that ends where the line ends leaves out the outline along the
  // baseline.
  const paths = lineRuns(columns, { xAt, yAt }).map(({ path, length, startX }) => {
    if (length === 0) return `<path d="${path}" stroke-width="${dotSize}" stroke-linecap="round"/>`;
    const area = hasArea ? `V${coordinate(yAt(0))}H${coordinate(startX)}` : '';
    const dashes = hasArea ? `${coordinate(length)} 99999` : dash;
    return `<path d="${path}${area}"${dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`}/>`;
  });
  const rest = (hasArea ? ' fill-opacity=".1"' : '') + (dash === undefined ? ' stroke-linecap="round"' : '');
  return `<g${colours}${lineJoints(drawing)}${rest}>${paths.join('')}</g>${drawEnd(columns, look, drawing)}`;
}

/** The diameter of a single point between gaps, in pixels. */
const dotSize = 3;

/** The width and the joints of lines in a picture. */
export function lineJoints({ width }: LineDrawing): string {
  return ` stroke-width="${width}" stroke-linejoin="round"`;
}

/** Draws a dot at the newest point or, where a label is beside it, at the end of the line. */
export function drawEnd(
  { latestTimestamp, latestValue, endValue }: LineShape,
  { ink, yAt, isLabelled }: LineLook,
  { xAt, width, paint }: LineDrawing,
): string {
  const y = coordinate(yAt(isLabelled === true ? endValue : latestValue));
  return `<circle cx="${coordinate(xAt(latestTimestamp))}" cy="${y}" r="${width * 1.75}"${paint.fill(ink)}/>`;
}
