/** The chart that a view shows, and its calls when a reader chooses something. */

import type { Period } from '../../../model/window.ts';
import type { ChartState } from '../../state/page-state.ts';
import type { ShareFilter } from '../../state/share-filter.ts';
import type { LoadedChart } from './fetch-chart.ts';
import type { WantedChart } from './line-data.ts';

/** Calls from the view to its element. */
export interface ViewActions {
  readonly chooseWindow: (window: Period) => void;
  readonly chooseState: (change: Partial<Omit<ChartState, 'window'>>) => void;
  /** Goes back to the range before a window; returns false if there is none. */
  readonly zoomOut: () => boolean;
  readonly chooseShares: (filter: ShareFilter | undefined) => void;
  readonly retry: () => void;
  /** Shows what went wrong, in place of the chart. */
  readonly fail: (error: unknown) => void;
}

/** The chart that is shown. */
export interface ShownChart {
  readonly loaded: LoadedChart;
  readonly wanted: WantedChart;
  readonly title: string | undefined;
  readonly filter: ShareFilter | undefined;
}
