/** A chart that has been drawn in the page. */
import type { ChartContent } from '../../../draw/chart-content.ts';
import type { Period } from '../../../model/window.ts';
import type { MarkedPlot } from './event-links.ts';
import type { LineReading } from './line-data.ts';
import type { ReadableChart } from './time-cursor.ts';
import type { TipWords } from './tip.ts';

/** The size, and the window of a line. */
export interface DrawingOptions {
  readonly width: number;
  readonly height: number;
  readonly window: Period;
  /** Tells if a share is shown; `undefined` is "Other". */
  readonly isShown: (name: string | undefined) => boolean;
}

/** A chart in the page. */
export interface Drawing {
  readonly content: ChartContent;
  /** The content in a sentence. */
  readonly description: string;
  /** Undefined for a table, and where there is nothing to draw. */
  readonly svg?: SVGSVGElement;
  /** A chart over time, for the cursor. */
  readonly readable?: ReadableChart;
  /** The events on a chart over time. */
  readonly marks?: MarkedPlot | undefined;
  readonly reading?: LineReading | undefined;
  /** The names of slices or areas, with their values, by their index in the drawing. */
  readonly words?: readonly TipWords[];
}

/** The colours are in the style sheet of the element, which also knows dark ones; marks are as far apart as their links. */
export const inPage = { theme: 'auto', hasStyle: false, leastMarkDistance: 24 } as const;
