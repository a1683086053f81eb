/** Columns for librsvg, which makes PNGs: they look the same, take twice the bytes and are faster to rasterize. */
import { areaOpacity, areaOutline, drawEnd, drawRuns, lineJoints } from './draw-columns.ts';
import { LineColumns } from './line-columns.ts';
import { lineRuns } from './line-path.ts';
import type { LineDrawing, LineLook } from './line-shape.ts';

/** librsvg rasterizes a line of many short paths in two thirds of the time; from 10 to 40 points it is the same. */
const pieceLength = 30;

/** The columns of a line in a PNG. */
export class PngColumns extends LineColumns {
  override draw(look: LineLook, drawing: LineDrawing): string {
    const { ink, dash, hasArea, yAt } = look;
    // A dash would begin again in each piece.
    if (dash !== undefined) return super.draw(look, drawing);
    const { xAt, paint } = drawing;
    const runs = lineRuns(this, { xAt, yAt, maxPointCount: pieceLength });
    const outlines = hasArea ? runs.map((run) => areaOutline(run, yAt(0))).join('') : '';
    // An area without antialiasing takes half as long. The line covers the edge.
    const area = `<path d="${outlines}"${paint.fill(ink)}${areaOpacity} shape-rendering="crispEdges"/>`;
    const line = drawRuns(runs, paint.stroke(ink) + lineJoints(drawing));
    return (hasArea ? area : '') + line + drawEnd(this, look, drawing);
  }
}
