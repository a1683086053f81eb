/** The kinds of charts as the element knows them: a chart that is loaded, and a drawing of it. */
import { formatDateTime, formatDay } from '../../../draw/format.ts';
import type { TimeLayout } from '../../../draw/line/line-layout.ts';
import type { TimeStep } from '../../../draw/time-step.ts';
import { type DataWindow, dayMs } from '../../../model/window.ts';
import type { ElementState } from '../../state/chart-state.ts';
import type { ShareFilter } from '../../state/share-filter.ts';

/** The slice of a drilldown pie that a reader has opened. */
export interface OpenSlice {
  /** Its place in the drawing. */
  readonly index: number;
  readonly name: string;
}

/** The state that a chart is to show. */
export interface WantedChart extends ElementState {
  readonly width: number;
  readonly open?: OpenSlice | undefined;
}

/** A chart with its data. */
export interface LoadedChart {
  readonly title: string;
  /** True for a chart of versions, which has a ladder. */
  readonly hasLadder?: boolean;
  /** True if it has all that a state shows. */
  readonly hasAll: (wanted: WantedChart) => boolean;
  readonly draw: (wanted: WantedChart, place: DrawingPlace) => Drawing;
}

/** The place of a drawing in pixels, and its title. */
export interface DrawingPlace {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** True in a card of a page. */
  readonly isInCard: boolean;
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
  /** True where the words are about now alone, and a history has what was before. */
  readonly hasPast?: boolean;
  /** A chart over time, for the cursor. */
  readonly readable?: ReadableChart;
  /** True for a history, though there be nothing to read. */
  readonly isHistory?: boolean;
  /** True for the inner shares of a slice. */
  readonly isOpened?: boolean;
  /** Adds tooltips and keys to the drawing in the page. Returns the links of its events, to lie over it. */
  readonly connect?: (svg: SVGSVGElement, actions: DrawingActions) => HTMLElement | undefined;
  /** Makes the content as a table. */
  readonly table?: () => HTMLElement | Promise<HTMLElement>;
}

/** A drawn chart that is read time by time. */
export interface ReadableChart {
  readonly layout: Pick<TimeLayout, 'title' | 'box' | 'time'>;
  /** Ascending: the beginnings of steps, or stored times. */
  readonly times: Float64Array;
  /** The length of a step in milliseconds; 0 for stored times. */
  readonly stepMs: number;
  /** The y coordinate of the dot; undefined for none. `y` is that of the pointer; undefined if keys move the cursor. */
  readonly yAt: (index: number, y: number | undefined) => number | undefined;
  readonly wordsAt: (index: number, y: number | undefined) => TipWords;
  /** The cursor that reads it, which is a part of the script. */
  readonly Cursor: new (
    chart: ReadableChart,
    actions: CursorActions,
  ) => ChartCursor;
}

/** A cursor over the plot. */
interface ChartCursor {
  readonly element: HTMLElement;
  /** Covers this chart from now on. */
  show(chart: ReadableChart): void;
  hide(): void;
}

/** The words of a tooltip: bold ones, and those below. */
export interface TipWords {
  readonly strong: string;
  /** A line each. */
  readonly rest: readonly string[];
  /** Shown in place of these words. */
  readonly shown?: { readonly heading: string; readonly content: HTMLElement };
}

/** Handlers of a drawing. */
export interface DrawingActions {
  /** Shows words beside a point of the stage; hides them without any. */
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

/** The colours are in the style sheet of the element, which also knows dark ones; marks are as far apart as their links. */
export const inPage = { theme: 'auto', hasStyle: false, leastMarkDistance: 24 } as const;

/** The time of a value, or the day on which its step begins. */
export function timeText(time = Number.NaN, step?: TimeStep): string {
  return step === undefined || step.ms < dayMs ? formatDateTime(time) : formatDay(time);
}
