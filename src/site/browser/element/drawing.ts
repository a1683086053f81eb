/** A chart that has been drawn in the page. */
import type { Period } from '../../../model/window.ts';
import type { LinkActions } from './event-links.ts';
import type { SliceActions } from './slice-cursor.ts';
import type { ReadableChart } from './time-cursor.ts';

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
  /** The content in a sentence. */
  readonly description: string;
  /** Undefined where there is nothing to draw. */
  readonly svg?: SVGSVGElement;
  /** The words in place of a drawing. */
  readonly sentence?: string;
  /** A chart over time, for the cursor. */
  readonly readable?: ReadableChart;
  /** Makes the links of the events on a chart over time. */
  readonly makeLinks?: ((actions: LinkActions) => HTMLElement | undefined) | undefined;
  /** Adds tooltips and keys to slices and areas. */
  readonly addSliceCursor?: (actions: SliceActions) => void;
  readonly loadTable?: () => Promise<HTMLElement | undefined>;
}

/** The colours are in the style sheet of the element, which also knows dark ones; marks are as far apart as their links. */
export const inPage = { theme: 'auto', hasStyle: false, leastMarkDistance: 24 } as const;
