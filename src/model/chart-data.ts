/** Chart data: what `/data` answers, in one of the two storage shapes. */
import { AppError, quote } from './app-error.ts';
import { chartTypeOf, type Storage } from './chart-types.ts';
import type { JsonText } from './json-text.ts';
import type { Points } from './points.ts';

/** The largest data of one chart that is no line, in bytes of UTF-8. */
export const maxSnapshotBytes = 1024 * 1024;

/** Points in ascending order of time, or the JSON text of everything else. */
export type ChartData =
  | { readonly storage: 'series'; readonly points: Points }
  | { readonly storage: 'snapshot'; readonly json: JsonText };

/** What a store already holds of a chart that an incoming chart would replace. */
export interface StoredChart {
  readonly uid: number;
  readonly type: string;
  readonly hasData: boolean;
}

/** Refuses to change what must stay: the uid of a chart, and its type once it has data. */
export function checkChartReplacement(
  stored: StoredChart,
  incoming: { readonly chartId: string; readonly uid: number; readonly type: string },
): void {
  if (stored.uid !== incoming.uid) {
    throw new AppError(
      'conflict',
      `the uid of a chart cannot change: ${quote(incoming.chartId)} has the uid ${stored.uid}, got ${incoming.uid}`,
    );
  }
  if (stored.type !== incoming.type && stored.hasData) {
    throw new AppError(
      'conflict',
      `the type of a chart that has data cannot change: ${quote(incoming.chartId)} is a ${stored.type}, got ${incoming.type}`,
    );
  }
}

/** The storage of a chart type, by name. */
export function storageOf(typeName: string): Storage {
  return chartTypeOf(typeName).storage;
}
