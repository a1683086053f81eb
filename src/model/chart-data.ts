/** Chart data, the content of `/data`, in one of the two storages. */
import type { JsonText } from './json-text.ts';
import type { Points } from './points.ts';

/** The largest settings, and the largest data that are not points, in bytes of UTF-8. */
export const maxJsonBytes = 1024 * 1024;

/** The data of a chart: points in ascending order of time, or JSON text for every other type. */
export type ChartData =
  | { readonly storage: 'series'; readonly points: Points }
  | { readonly storage: 'snapshot'; readonly json: JsonText };

/** Chart data from a store: points come in ascending runs of bounded size, each decoded when it is taken. */
export type ReadChartData =
  | { readonly storage: 'series'; readonly pointCount: number; readonly runs: Iterable<Points> }
  | { readonly storage: 'snapshot'; readonly json: JsonText };
