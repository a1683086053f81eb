/** A chart that an element shows. Each kind of chart loads its data and draws them; the element knows no more of it than this. */

import { formatDateTime, formatDay, formatExact } from '../../../draw/format.ts';
import type { TimeStep } from '../../../draw/time-step.ts';
import type { DataForm } from '../../../model/chart-types.ts';
import { dayMs, type TimeWindow } from '../../../model/window.ts';
import type { ElementState } from '../../state/page-state.ts';
import type { ShareFilter } from '../../state/share-filter.ts';
import type { ChartTable } from './chart-table.ts';
import type { WantedLine } from './line-data.ts';
import type { ReadableChart } from './time-cursor.ts';
import type { Tip } from './tip.ts';

/** The slice of a drilldown pie that a reader has opened. */
export interface OpenSlice {
  /** Its place in the drawing. */
  readonly index: number;
  readonly name: string;
}

/** The state that a chart is to show. */
export interface WantedChart extends WantedLine, ElementState {
  readonly open?: OpenSlice | undefined;
}

/** A chart with its data. */
export interface LoadedChart {
  readonly form: DataForm;
  readonly title: string;
  /** The time between its first and its last value, if the server says it. */
  readonly lengthMs?: number | undefined;
  /** True if it has all that a state shows. */
  readonly hasAll: (wanted: WantedChart) => boolean;
  readonly draw: (wanted: WantedChart, place: DrawingPlace) => Drawing;
}

/** The place of a drawing in pixels, and its title. */
export interface DrawingPlace {
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

/** A chart that has been drawn. */
export interface Drawing {
  /** The content in a sentence. */
  readonly description: string;
  /** The label of the SVG, where it says more: how it is drawn, and its events. */
  readonly label?: string;
  /** Undefined where there is nothing to draw. */
  readonly svg?: string;
  /** The words in place of a drawing. */
  readonly sentence?: string;
  /** A chart over time, for the cursor. */
  readonly readable?: ReadableChart;
  /** True for a history, though there be nothing to read. */
  readonly isHistory?: boolean;
  /** True for the inner shares of a slice. */
  readonly isOpened?: boolean;
  /** Adds tooltips and keys to the drawing in the page. Returns the links of its events, to lie over it. */
  readonly connect?: (svg: SVGSVGElement, actions: DrawingActions) => HTMLElement | undefined;
  /** The content as a table. The functions that make rows come with the table. */
  readonly tableOf?: (rows: typeof import('./chart-table.ts')) => ChartTable | undefined;
}

/** Handlers of a drawing. */
export interface DrawingActions {
  readonly tip: Tip;
  readonly zoom: (window: TimeWindow) => void;
  readonly open: (slice: OpenSlice) => void;
  /** Shows or hides shares. */
  readonly choose: (filter: ShareFilter | undefined) => void;
}

/** The colours are in the style sheet of the element, which also knows dark ones; marks are as far apart as their links. */
export const inPage = { theme: 'auto', hasStyle: false, leastMarkDistance: 24 } as const;

/** A mean without decimals that say nothing. */
export function meanText(mean: number): string {
  return formatExact(Math.abs(mean) >= 100 ? Math.round(mean) : Math.round(mean * 10) / 10);
}

/** The time of a value, or the day on which its step begins. */
export function timeText(time = Number.NaN, step?: TimeStep): string {
  return step === undefined || step.ms < dayMs ? formatDateTime(time) : formatDay(time);
}
