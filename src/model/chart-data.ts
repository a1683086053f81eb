/** Chart data: what `/data` returns, in one of the two storage shapes. */
import type { JsonText } from './json-text.ts';
import type { Points } from './points.ts';

/** The most that the settings of a chart, or its data where they are not points, may have in bytes of UTF-8. */
export const maxJsonBytes = 1024 * 1024;

/** Points in ascending order of time, or the JSON text of everything else. */
export type ChartData =
  | { readonly storage: 'series'; readonly points: Points }
  | { readonly storage: 'snapshot'; readonly json: JsonText };

/** Chart data as a reader gives it: points in ascending runs of bounded size, decoded as they are taken. */
export type ReadChartData =
  | { readonly storage: 'series'; readonly pointCount: number; readonly runs: Iterable<Points> }
  | { readonly storage: 'snapshot'; readonly json: JsonText };
