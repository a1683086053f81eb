/** The content of a chart: its data, parsed by its form. Servers may send anything. */

import type { DataForm } from '../model/chart-types.ts';
import type { EventColumns } from './event-columns.ts';
import type { LineShape } from './line/line-shape.ts';
import type { sentences } from './message.ts';
import { parseBars, parseDrilldown, parseMap, parsePartNames, parsePie } from './shares/parse-shares.ts';
import type { Bar, Slice } from './shares/share.ts';

/** A chart with its data, as a server of the interface sends it. */
export interface ChartToDraw {
  readonly form: DataForm;
  readonly title: string;
  /** Parsed JSON. */
  readonly data: unknown;
  /** The time of `data` in Unix milliseconds; undefined if it is not known. */
  readonly timestamp?: number | undefined;
  /** A line instead of `data`, reduced for the width and the range of the picture. */
  readonly shape?: LineShape;
  /** Marks on the line. */
  readonly events?: EventColumns | undefined;
  /** The settings of the chart (`data` of a chart in the interface). */
  readonly settings?: unknown;
  /** The name of the plugin, and true if every plugin has this chart: both for the description. */
  readonly pluginName?: string;
  readonly isDefault?: boolean;
}

/**
 * The content of a chart: something to draw, no data yet (`none`), data of another form than that of its type (`broken`), or of a type that is not
 * known (`unknown`).
 */
export type ChartContent = Drawable | { readonly kind: keyof typeof sentences };

/** Data to draw; never empty. */
type Drawable =
  | { readonly kind: 'line'; readonly shape: LineShape }
  | { readonly kind: 'pie'; readonly slices: readonly Slice[] }
  | { readonly kind: 'bars'; readonly bars: readonly Bar[]; readonly partNames: readonly string[] };

/** Parses the data of a chart by its form. */
export function parseContent({ form, data, shape, settings }: ChartToDraw): ChartContent {
  switch (form) {
    case 'line':
      return shape === undefined || shape.pointCount === 0 ? { kind: 'none' } : { kind: 'line', shape };
    case 'pie':
      return contentOf(parsePie(data), (slices) => ({ kind: 'pie', slices }));
    case 'drilldown':
      return contentOf(parseDrilldown(data), (slices) => ({ kind: 'pie', slices }));
    case 'map':
      return contentOf(parseMap(data), (bars) => ({ kind: 'bars', bars, partNames: [] }));
    case 'bars': {
      const partNames = parsePartNames(data, settings);
      return contentOf(parseBars(data), (bars) => ({ kind: 'bars', bars, partNames }));
    }
    case 'other':
      return { kind: 'unknown' };
  }
}

function contentOf<Entry>(
  entries: readonly Entry[] | undefined,
  drawable: (entries: readonly Entry[]) => Drawable,
): ChartContent {
  if (entries === undefined) return { kind: 'broken' };
  return entries.length === 0 ? { kind: 'none' } : drawable(entries);
}
