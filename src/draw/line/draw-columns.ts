/** Draws the columns of a line: its points, with the area under them. */
import { coordinate } from '../svg.ts';
import { type ColumnPoints, type LineRun, lineRuns } from './line-path.ts';
import type { LineDrawing, LineLook, LineShape } from './line-shape.ts';

/** Draws a line, the area under it and a dot at its newest point. */
export function drawColumns(columns: LineShape & ColumnPoints, look: LineLook, drawing: LineDrawing): string {
  const { ink, dash, hasArea, yAt } = look;
  const { xAt, paint } = drawing;
  const baseline = hasArea ? yAt(0) : undefined;
  const colours = hasArea ? paint.fillAndStroke(ink) : paint.stroke(ink);
  const attributes = colours + lineJoints(drawing) + (hasArea ? areaOpacity : '');
  const runs = lineRuns(columns, { xAt, yAt });
  return drawRuns(runs, attributes, { baseline, dash }) + drawEnd(columns, look, drawing);
}

/** The opacity of the area under a line. */
export const areaOpacity = ' fill-opacity=".1"';

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

/** The form of a line: an area down to a y coordinate, or a `stroke-dasharray`. */
interface RunForm {
  readonly baseline?: number | undefined;
  readonly dash?: string | undefined;
}

/**
 * Draws a line and the area under it as one path. Its dash ends where the line ends, so the outline along the baseline is not
 * drawn. Two paths would be twice the bytes.
 */
export function drawRuns(
  runs: readonly LineRun[],
  attributes: string,
  { baseline, dash }: RunForm = {},
): string {
  const paths = runs.map((run) => {
    const { path, length } = run;
    if (length === 0) return `<path d="${path}" stroke-width="${dotSize}" stroke-linecap="round"/>`;
    const isArea = baseline !== undefined;
    const dashes = isArea ? `${coordinate(length)} 99999` : dash;
    return `<path d="${isArea ? areaOutline(run, baseline) : path}"${dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`}/>`;
  });
  return `<g${attributes}${dash === undefined ? ' stroke-linecap="round"' : ''}>${paths.join('')}</g>`;
}

/** The path of a run with the area between it and a y coordinate. */
export function areaOutline({ path, startX }: LineRun, baseline: number): string {
  return `${path}V${coordinate(baseline)}H${coordinate(startX)}`;
}

/** The diameter of a single point between gaps, in pixels. */
const dotSize = 3;
