/** The latest point of a line chart. */

/** A point that has no later one in its chart. */
export interface LatestPoint {
  readonly pluginId: number;
  readonly chartId: string;
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly value: number;
}
