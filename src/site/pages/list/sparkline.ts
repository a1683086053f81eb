/** A line of a few points in a table, without axes: its shape alone. */
import { html } from 'ghtml';
import { clamp } from '../../../draw/clamp.ts';

/** Size in the units of its picture; a day is ten wide. */
const stepWidth = 10;
const height = 40;

/** The least height of the values, as a share of the highest: small changes stay small. */
const minSpan = 0.2;

/** Renders values at even distances as SVG; null is a gap. Empty without values. */
export function renderSparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null).map(clamp);
  if (known.length === 0) return '';
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  const span = Math.max(highest - lowest, minSpan * Math.max(Math.abs(lowest), Math.abs(highest))) || 1;
  const middle = (highest + lowest) / 2;
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
    return Math.round(height * (0.5 - (clamp(value) - middle) / span));
  }
}
