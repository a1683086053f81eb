/** Draws lines that have been placed. */
import { drawHeading, drawPicture } from '../picture.ts';
import { coordinate } from '../svg.ts';
import { Paint } from '../theme.ts';
import type { LinesLayout, PlacedLine } from './line-layout.ts';
import { linePath } from './line-path.ts';

/** The SVG document of a layout. */
export function renderLines(layout: LinesLayout): string {
  const { options, title, description, notes, lines } = layout;
  const paint = new Paint(options.theme);
  const heading = drawHeading(title, notes, { options, paint });
  const content =
    heading + drawAxes(layout, paint) + lines.map((line) => drawPlacedLine(line, { layout, paint })).join('');
  return drawPicture({ title, description, content, paint }, options);
}

function drawAxes({ box, time, axes, sizes }: LinesLayout, paint: Paint): string {
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

function drawPlacedLine(
  { columns, ink, dash, hasArea, yAt }: PlacedLine,
  { layout, paint }: { readonly layout: LinesLayout; readonly paint: Paint },
): string {
  const { xAt } = layout.time;
  const path = linePath(columns, { xAt, yAt, baseline: yAt(0) });
  const area =
    hasArea && path.area !== ''
      ? `<path d="${path.area}"${paint.fill(ink)} fill-opacity=".1" shape-rendering="crispEdges"/>`
      : '';
  const dashes = dash === undefined ? '' : ` stroke-dasharray="${dash}"`;
  const width = layout.sizes.isSmall ? 1.5 : 1.75;
  const stroke = `${paint.stroke(ink)} stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"${dashes}`;
  const end = `<circle cx="${coordinate(xAt(columns.latestTimestamp))}" cy="${coordinate(yAt(columns.latestValue))}" r="${width * 1.75}"${paint.fill(ink)}/>`;
  return `${area}<path d="${path.line}"${stroke}/>${end}`;
}
