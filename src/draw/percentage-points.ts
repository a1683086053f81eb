/** Percentage points, which the tables of shares have. */

/** Formats a difference of fractions in percentage points: +0.6 pp, −17.9 pp, ±0. */
export function formatPoints(difference: number): string {
  const tenths = Math.round(Math.abs(difference) * 1000);
  return tenths === 0 ? '±0' : `${difference < 0 ? '−' : '+'}${(tenths / 10).toFixed(1)} pp`;
}
