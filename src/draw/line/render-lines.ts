/** Renders a layout of lines. */
import { drawHeading, drawPicture } from '../picture.ts';
import { coordinate } from '../svg.ts';
import { Paint } from '../theme.ts';
import type { LinesLayout, PlacedLine } from './line-layout.ts';
import { type LineRun, lineRuns } from './line-path.ts';

/** The SVG document of a layout. */
export function renderLines(layout: LinesLayout): string {
  const { options, title, description, notes, lines, legend } = layout;
  const paint = new Paint(options.theme);
  const content = [
    drawHeading(title, notes, { options, paint }),
    drawAxes(layout, paint),
    ...lines.map((line) => drawPlacedLine(line, { layout, paint })),
    legend?.draw(paint),
  ].join('');
  return drawPicture({ title, description, content, paint }, options);
}

/** Draws the grid, the base line and the labels of the axes. */
export function drawAxes(
  { box, time, axes, sizes }: Pick<LinesLayout, 'box' | 'time' | 'axes' | 'sizes'>,
  paint: Paint,
): string {
  const { left, right, bottom } = box;
  const [first] = axes;
  const gridLines = (first?.ticks ?? [])
    .filter(({ at }) => at < bottom - 1)
    .map(({ at }) => `M${coordinate(left)} ${coordinate(at)}H${coordinate(right)}`);
  const grid = gridLines.length === 0 ? '' : `<path d="${gridLines.join('')}"${paint.stroke('grid')}/>`;
  const base = `<path d="M${coordinate(left)} ${coordinate(bottom)}H${coordinate(right)}"${paint.stroke('axis')}/>`;
  const valueLabels = axes.map(({ ticks, side, ink }) => {
    const x = side === 'left' ? left - 8 : right + 8;
    const texts = ticks.map(
      ({ at, text }) => `<text x="${coordinate(x)}" y="${coordinate(at + sizes.text * 0.35)}">${text}</text>`,
    );
    return `<g font-size="${sizes.text}" text-anchor="${side === 'left' ? 'end' : 'start'}"${paint.fill(ink)}>${texts.join('')}</g>`;
  });
  const timeY = coordinate(bottom + sizes.text * 1.5);
  const timeLabels = time.ticks.map(
    ({ at, text }) => `<text x="${coordinate(at)}" y="${timeY}">${text}</text>`,
  );
  const times = `<g font-size="${sizes.text}" text-anchor="middle"${paint.fill('muted')}>${timeLabels.join('')}</g>`;
  return grid + base + valueLabels.join('') + times;
}

function drawPlacedLine(line: PlacedLine, { layout, paint }: Drawing): string {
  const { columns, ink, dash, hasArea, yAt } = line;
  const { xAt } = layout.time;
  const isInPieces = layout.options.isForPng === true && dash === undefined;
  const runs = lineRuns(columns, { xAt, yAt, ...(isInPieces ? { maxPointCount: pieceLength } : {}) });
  const width = layout.sizes.isSmall ? 1.5 : 1.75;
  const joints = ` stroke-width="${width}" stroke-linejoin="round"`;
  const baseline = hasArea ? yAt(0) : undefined;
  const stroke = paint.stroke(ink) + joints;
  let path: string;
  if (baseline === undefined) path = drawRuns(runs, stroke, { dash });
  else if (isInPieces) path = drawCrispArea(runs, baseline, paint.fill(ink)) + drawRuns(runs, stroke);
  else path = drawRuns(runs, paint.fillAndStroke(ink) + joints + areaOpacity, { baseline });
  const endX = coordinate(xAt(columns.latestTimestamp));
  const endY = coordinate(yAt(columns.latestValue));
  return `${path}<circle cx="${endX}" cy="${endY}" r="${width * 1.75}"${paint.fill(ink)}/>`;
}

interface Drawing {
  readonly layout: LinesLayout;
  readonly paint: Paint;
}

/** librsvg rasterizes a line of many short paths in two thirds of the time; from 10 to 40 points it is the same. */
const pieceLength = 30;

/** The look of a line beside its colour: an area down to a y coordinate, or a `stroke-dasharray`. */
interface LineLook {
  readonly baseline?: number | undefined;
  readonly dash?: string | undefined;
}

/**
 * Draws a line and the area under it as one path. Its dash ends where the line ends, so the outline along the baseline is not
 * drawn. Two paths would be twice the bytes.
 */
function drawRuns(runs: readonly LineRun[], attributes: string, { baseline, dash }: LineLook = {}): string {
  const paths = runs.map((run) => {
    const { path, length } = run;
    if (length === 0) return `<path d="${path}" stroke-width="${dotSize}" stroke-linecap="round"/>`;
    const isArea = baseline !== undefined;
    const dashes = isArea ? `${coordinate(length)} 99999` : dash;
    return `<path d="${isArea ? outlineOf(run, baseline) : path}"${dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`}/>`;
  });
  return `<g${attributes}${dash === undefined ? ' stroke-linecap="round"' : ''}>${paths.join('')}</g>`;
}

/** Draws an area for librsvg, which takes half as long without antialiasing. The line covers the edge. */
function drawCrispArea(runs: readonly LineRun[], baseline: number, fill: string): string {
  const outlines = runs.map((run) => outlineOf(run, baseline)).join('');
  return `<path d="${outlines}"${fill}${areaOpacity} shape-rendering="crispEdges"/>`;
}

const areaOpacity = ' fill-opacity=".1"';

function outlineOf({ path, startX }: LineRun, baseline: number): string {
  return `${path}V${coordinate(baseline)}H${coordinate(startX)}`;
}

/** The diameter of a single point between gaps, in pixels. */
const dotSize = 3;
