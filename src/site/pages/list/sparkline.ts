/** A line of a few points in a table, without axes: its shape alone. */
import { html } from 'ghtml';

/** Size in the units of its picture; a day is ten wide. */
const stepWidth = 10;
const height = 40;

/** The least height of the values, as a share of the highest: small changes stay small. */
const minSpan = 0.2;

/** Renders values at even distances as SVG; null is a gap. Empty without values. */
export function renderSparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '';
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  // Halves, because the difference of two large numbers may not be a number.
  const span =
    Math.max(highest / 2 - lowest / 2, (minSpan / 2) * Math.max(Math.abs(lowest), Math.abs(highest))) || 1;
  const middle = highest / 2 + lowest / 2;
  let path = '';
  let isDrawing = false;
  for (const [index, value] of values.entries()) {
    // A point alone is a dot.
    if (value !== null)
      path += isDrawing ? `L${index * stepWidth} ${y(value)}` : `M${index * stepWidth} ${y(value)}h0`;
    isDrawing = value !== null;
  }
  const width = (values.length - 1) * stepWidth;
  return html`<svg class="spark" viewBox="-2 -2 ${width + 4} ${height + 4}" preserveAspectRatio="none" aria-hidden="true"><path d="${path}"/></svg>`;

  function y(value: number): number {
    const at = Math.round((height / 2) * (1 - (value - middle) / span));
    // The halves of the smallest numbers are rounded.
    return Math.min(height, Math.max(0, at));
  }
}
