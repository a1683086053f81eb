/** The rectangles of bars. */
import { coordinate } from '../svg.ts';
import { type Paint, seriesInk } from '../theme.ts';
import { type Bar, sumOf } from './share.ts';

/** Scale from a value to an x coordinate. */
type BarScale = (value: number) => number;

/** Makes the scale that fits all bars and zero between two x coordinates. */
export function barScale(
  bars: readonly Bar[],
  { left, right }: { readonly left: number; readonly right: number },
): BarScale {
  let low = 0;
  let high = 0;
  for (const { parts } of bars) {
    low = Math.min(low, sumOf(parts.filter((part) => part < 0)));
    high = Math.max(high, sumOf(parts.filter((part) => part > 0)));
  }
  const span = high - low || 1;
  return (value) => left + ((value - low) / span) * Math.max(1, right - left);
}

interface PartsPlace {
  readonly scale: BarScale;
  readonly y: number;
  readonly height: number;
  readonly paint: Paint;
}

/** Draws the parts of one bar side by side; negative ones go to the left of zero. */
export function drawBarParts(parts: readonly number[], { scale, y, height, paint }: PartsPlace): string {
  let below = 0;
  let above = 0;
  const rectangles = parts.map((part, index) => {
    const start = part < 0 ? below : above;
    const end = start + part;
    if (part < 0) below = end;
    else above = end;
    if (part === 0) return '';
    const x = Math.min(scale(start), scale(end));
    // At least one pixel, so that no part disappears.
    const width = Math.max(1, Math.abs(scale(end) - scale(start)));
    return (
      `<rect x="${coordinate(x)}" y="${coordinate(y)}" width="${coordinate(width)}"` +
      ` height="${coordinate(height)}"${paint.fill(seriesInk(index))}/>`
    );
  });
  return rectangles.join('');
}
