/** Reads the data of a chart of any type, whatever a server sends. */

import { LineColumns } from './line/line-columns.ts';
import { columnsOf, readLine } from './line/read-line.ts';
import type { Range } from './range.ts';
import { readBars, readDrilldown, readMap, readPartNames, readPie } from './shares/read-shares.ts';
import type { Bar, Slice } from './shares/share.ts';

/** A chart with its data, as a server of the interface sends it. */
export interface ChartToDraw {
  readonly type: string;
  readonly title: string;
  /** Parsed JSON. Of a line also its columns, made for the width and the range of the picture. */
  readonly data: unknown;
  /** True if `data` is only the beginning of it. */
  readonly isCut?: boolean;
  /** The settings of the chart (`data` of a chart in the interface). */
  readonly settings?: unknown;
  /** For words: the name of the plugin, and whether every plugin has this chart. */
  readonly pluginName?: string;
  readonly isDefault?: boolean;
}

/** What can be drawn of a chart: something, nothing yet, or nothing at all. */
export type ChartReading = Drawable | { readonly kind: 'none' } | { readonly kind: 'broken' };

/** Data that can be drawn. It is not empty. */
export type Drawable =
  | { readonly kind: 'line'; readonly columns: LineColumns }
  | { readonly kind: 'pie'; readonly slices: readonly Slice[] }
  | { readonly kind: 'bars'; readonly bars: readonly Bar[]; readonly partNames: readonly string[] }
  | { readonly kind: 'table'; readonly data: object; readonly isCut: boolean };

/** What of a line is wanted; the other types have no use for it. */
export interface ReadingOptions {
  readonly range: Range;
  /** Of the picture, in pixels. */
  readonly width: number;
}

/** Reads the data by the type of the chart. */
export function readChart(
  { type, data, settings, isCut = false }: ChartToDraw,
  options: ReadingOptions,
): ChartReading {
  switch (type) {
    case 'single_linechart':
      return readColumns(data, options);
    case 'simple_pie':
    case 'advanced_pie':
      return readingOf(readPie(data), (slices) => ({ kind: 'pie', slices }));
    case 'drilldown_pie':
      return readingOf(readDrilldown(data), (slices) => ({ kind: 'pie', slices }));
    case 'simple_map':
    case 'advanced_map':
      return readingOf(readMap(data), (bars) => ({ kind: 'bars', bars, partNames: [] }));
    case 'simple_bar':
    case 'advanced_bar': {
      const partNames = readPartNames(data, settings);
      return readingOf(readBars(data), (bars) => ({ kind: 'bars', bars, partNames }));
    }
    default:
      if (typeof data !== 'object' || data === null) return { kind: 'broken' };
      return Object.keys(data).length === 0 ? { kind: 'none' } : { kind: 'table', data, isCut };
  }
}

function readColumns(data: unknown, options: ReadingOptions): ChartReading {
  if (data instanceof LineColumns) {
    return data.pointCount === 0 ? { kind: 'none' } : { kind: 'line', columns: data };
  }
  const points = readLine(data);
  if (points === undefined) return { kind: 'broken' };
  return points.timestamps.length === 0
    ? { kind: 'none' }
    : { kind: 'line', columns: columnsOf(points, options) };
}

function readingOf<Entry>(
  entries: readonly Entry[] | undefined,
  drawable: (entries: readonly Entry[]) => Drawable,
): ChartReading {
  if (entries === undefined) return { kind: 'broken' };
  return entries.length === 0 ? { kind: 'none' } : drawable(entries);
}
