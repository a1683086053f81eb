/** The numbers that are drawn. */

/** The largest number in a picture. */
const largest = 1e15;

/** A number as it is drawn. Stores take any double; no plugin counts so many, and sums and differences of these are numbers. */
export function clamp(value: number): number {
  return Math.max(-largest, Math.min(value, largest));
}
