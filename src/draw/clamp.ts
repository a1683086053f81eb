/** The numbers that are drawn. */

/** The largest number in a picture. */
const largest = 1e290;

/** A number as it is drawn. Stores take any double; sums and differences of these are numbers too. */
export function clamp(value: number): number {
  return Math.max(-largest, Math.min(value, largest));
}
