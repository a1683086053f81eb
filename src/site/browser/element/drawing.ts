/** Types of charts in the element: a loaded chart, and its drawing. */
import { formatDateTime, formatDay } from '../../../draw/format.ts';
import type { TimeLayout } from '../../../draw/line/line-layout.ts';
import type { TimeStep } from '../../../draw/time-step.ts';
import { type DataWindow, dayMs } from '../../../model/window.ts';
import type { ElementState } from '../../state/chart-state.ts';
import type { ShareFilter } from '../../state/share-filter.ts';
import type { ChartTable } from './table.ts';

/** The slice of a drilldown pie that a reader has opened. */
export interface OpenSlice {
  /** Index in the drawing. */
  readonly index: number;
  readonly name: string;
}

/** The state that a chart should show. */
export interface WantedChart extends ElementState {
  readonly width: number;
  readonly open?: OpenSlice | undefined;
}

/** A chart with its data. */
export interface LoadedChart {
  readonly title: string;
  /** True for a chart of versions, which has a ladder. */
  readonly hasLadder?: boolean;
  /** Returns true if no more data is needed to show a state. */
  readonly hasAll: (wanted: WantedChart) => boolean;
  readonly draw: (wanted: WantedChart, place: DrawingPlace) => Drawing;
}

/** Size of a drawing in pixels, and its title. */
export interface DrawingPlace {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** True in a card of a page. */
  readonly isInCard: boolean;
}

/** A drawn chart. */
export interface Drawing {
  /** Description in one sentence. */
  readonly description: string;
  /** Label of the SVG, if longer than the description: also tells how the chart is drawn, and its events. */
  readonly label?: string;
  /** Undefined if there is nothing to draw. */
  readonly svg?: string;
  /** Sentence shown instead of a drawing. */
  readonly sentence?: string;
  /** True if there is nothing to show now, but a history has earlier data. */
  readonly hasPast?: boolean;
  /** Set for a chart over time, for the cursor. */
  readonly readable?: ReadableChart;
  /** True for a history, even if there are no values to read. */
  readonly isHistory?: boolean;
  /** True for the inner shares of a slice. */
  readonly isOpened?: boolean;
  /**
   * Adds tooltips and keyboard control to the drawing. Returns the links of its events, to be placed over it.
   */
  readonly connect?: (svg: SVGSVGElement, actions: DrawingActions) => HTMLElement | undefined;
  /** Returns the table of the content; the part that makes tables is loaded when one is asked for. */
  readonly table?: (part: typeof import('./table.ts')) => ChartTable;
}

/** A drawn chart whose values can be read at each time. */
export interface ReadableChart {
  readonly layout: Pick<TimeLayout, 'title' | 'box' | 'time'>;
  /** Ascending: starts of steps, or stored times. */
  readonly times: Float64Array;
  /** Length of a step in milliseconds; 0 for stored times. */
  readonly stepMs: number;
  /**
   * Returns the y coordinate of the dot; undefined for none. `y` is that of the pointer, or undefined if keys
   * move the cursor.
   */
  readonly yAt: (index: number, y: number | undefined) => number | undefined;
  readonly wordsAt: (index: number, y: number | undefined) => TipWords;
}

/** Texts of a tooltip: a bold line, and the lines below. */
export interface TipWords {
  readonly strong: string;
  /** One entry per line. */
  readonly rest: readonly string[];
  /** Shown instead of these texts. */
  readonly shown?: { readonly heading: string; readonly content: HTMLElement };
}

/** Handlers of a drawing. */
export interface DrawingActions {
  /** Shows a tooltip near a point; hides it if there are no words. */
  readonly tip: (words?: TipWords, x?: number, y?: number) => void;
  readonly zoom: (window: DataWindow) => void;
  readonly open: (slice: OpenSlice) => void;
  /** Shows or hides shares. */
  readonly choose: (filter: ShareFilter | undefined) => void;
}

/** Handlers of a cursor. */
export interface CursorActions extends Pick<DrawingActions, 'tip' | 'zoom'> {
  /** Called by Escape when nothing is selected; returns false if there is no way back. */
  readonly zoomOut: () => boolean;
}

/**
 * Options for drawings in pages. The colours, including dark ones, come from the style sheet of the element.
 * Event marks are 24 pixels apart, because their links are that large.
 */
export const inPage = { theme: 'auto', hasStyle: false, leastMarkDistance: 24 } as const;

/** Formats the time of a value, or the day on which its step begins. */
export function timeText(time = Number.NaN, step?: TimeStep): string {
  return step === undefined || step.ms < dayMs ? formatDateTime(time) : formatDay(time);
}
