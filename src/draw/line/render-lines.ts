/** Renders a layout of lines. */
import { drawPicture } from '../picture.ts';
import { coordinate } from '../svg.ts';
import { Paint } from '../theme.ts';
import type { LinesLayout } from './line-layout.ts';

/** The SVG document of a layout. */
export function renderLines(layout: LinesLayout): string {
  const { options, sizes, box, time, title, description, heading, lines, drawLegend, events } = layout;
  const paint = new Paint(options.theme);
  const drawing = { xAt: time.xAt, width: sizes.isSmall ? 1.5 : 1.75, paint };
  const content = [
    heading.draw(paint),
    drawAxes(layout, paint),
    ...lines.map((line) => line.shape.draw(line, drawing)),
    events?.draw({ box, xAt: time.xAt, options }, paint),
    drawLegend?.(paint),
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
