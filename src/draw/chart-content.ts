/** The content of a chart: its data by its form. */

import type { DataForm } from '../model/chart-types.ts';
import { sharesIn } from '../model/data-shares.ts';
import { groupShares } from '../model/minor-line.ts';
import type { EventColumns } from './events.ts';
import type { LineShape } from './line/line-shape.ts';
import { countryName } from './shares/country-name.ts';
import type { Bar, Slice } from './shares/share.ts';
import { barsOf, partNamesOf, shownName, slicesOf } from './shares/slices.ts';

/** The way in which shares are added up before they are drawn: `minor` for those of each minor line. */
export type ShareGrouping = 'minor';

/** A chart with its data. */
export interface ChartToDraw {
  readonly form: DataForm;
  readonly title: string;
  /** Of a chart that is no line: the JSON of its data, parsed; undefined if there are none. */
  readonly data: unknown;
  /** The time of `data` in Unix milliseconds; undefined if it is not known. */
  readonly timestamp?: number | undefined;
  /** Given to add up the shares of each minor line. */
  readonly group?: ShareGrouping | undefined;
  /** A line, reduced for the width and the range of the picture. */
  readonly shape?: LineShape;
  /** Marks on the line. */
  readonly events?: EventColumns | undefined;
  /** The settings of the chart (`data` of a chart in the interface). */
  readonly settings?: unknown;
  /** The name of the plugin, and true if every plugin has this chart: both for the description. */
  readonly pluginName?: string;
  readonly isDefault?: boolean;
}

/** The content of a chart: something to draw, no data yet (`none`), or a type that is not known. Lists are never empty. */
export type ChartContent =
  | { readonly kind: 'line'; readonly shape: LineShape }
  | { readonly kind: 'pie'; readonly slices: readonly Slice[] }
  | { readonly kind: 'bars'; readonly bars: readonly Bar[]; readonly partNames: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

/** Reads the data of a chart by its form. */
export function contentOf({ form, data, shape, settings, group }: ChartToDraw): ChartContent {
  if (form === 'other') return { kind: 'unknown' };
  if (form === 'line')
    return shape === undefined || shape.pointCount === 0 ? { kind: 'none' } : { kind: 'line', shape };
  const single = data === undefined ? [] : sharesIn(form, data);
  const shares = group === undefined ? single : groupShares(single);
  if (shares.length === 0) return { kind: 'none' };
  if (form === 'pie' || form === 'drilldown') return { kind: 'pie', slices: slicesOf(shares) };
  const isMap = form === 'map';
  const bars = barsOf(shares, isMap ? countryName : shownName);
  return { kind: 'bars', bars, partNames: isMap ? [] : partNamesOf(settings) };
}
