/** Limits numbers for drawing. */

/** Largest number in a picture. */
const largest = 1e290;

/**
 * Limits a number for drawing. Stores accept any double; sums and differences of limited numbers stay finite.
 */
export function clamp(value: number): number {
  return Math.max(-largest, Math.min(value, largest));
}
