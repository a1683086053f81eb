/** Reported values: what one server adds to a chart in a slot. */
import type { ShareName } from './share-history.ts';

/** A contribution of one server to a chart: a number for a line, or numbers for shares. */
export type ReportedValue = number | readonly ReportedShare[];

/** A contribution of one server to a share: one number, or several for a bar that has several. */
export interface ReportedShare extends ShareName {
  readonly values: readonly number[];
}

/** A contribution with the id of its chart. */
export type ChartValue = readonly [chartId: string, value: ReportedValue];
