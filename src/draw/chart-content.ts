/** The content of a chart: its data by its form. */

import type { DataForm } from '../model/chart-types.ts';
import { sharesIn } from '../model/data-shares.ts';
import { groupShares } from '../model/minor-line.ts';
import { minorLine } from '../model/versions.ts';
import type { EventColumns } from './events.ts';
import { chartSubject, formatDateTime, formatShare, formatShort, listWords } from './format.ts';
import { type DescribedPeriod, lineInWords } from './line/line.ts';
import type { LineShape } from './line/line-shape.ts';
import { sentences } from './message.ts';
import type { PictureOptions } from './picture.ts';
import { pastDay } from './range.ts';
import {
  barsOf,
  countryName,
  partNamesOf,
  rankShares,
  type Share,
  type Slice,
  shareFilter,
  shownName,
  slicesOf,
} from './shares/slices.ts';

/** The way in which shares are added up before they are drawn: `minor` for those of each minor line. */
export type ShareGrouping = 'none' | 'minor';

/** A chart with its data. */
export interface ChartToDraw {
  readonly form: DataForm;
  readonly title: string;
  /** For a chart other than a line: its data as parsed JSON; undefined without data. */
  readonly data: unknown;
  /** The time of `data` in Unix milliseconds; undefined if it is not known. */
  readonly timestamp?: number | undefined;
  /** Given for data that may be empty now, but were not always. */
  readonly past?: ShownPast | undefined;
  /** Given to add up the shares of each minor line. */
  readonly group?: ShareGrouping | undefined;
  /** A line, reduced for the width and the range of the picture. */
  readonly shape?: LineShape;
  /** Marks on the line. */
  readonly events?: EventColumns | undefined;
  /** Names in the order in which they have colours, up to twelve; that of their values unless given. */
  readonly colours?: readonly string[] | undefined;
  /** The share that is the largest now, and since when it has been, in Unix milliseconds. */
  readonly mostUsed?: { readonly name: string; readonly since: number } | null | undefined;
  /** The settings of the chart (`data` of a chart in the interface). */
  readonly settings?: unknown;
  /** The name of the plugin, and true if every plugin has this chart: both for the description. */
  readonly pluginName?: string;
  readonly isDefault?: boolean;
}

/** Facts of the time before data that are empty. */
interface ShownPast {
  /** The time since which there is nothing, in Unix milliseconds. */
  readonly since: number;
  /** True if a history has what was before. */
  readonly isKept: boolean;
}

/** The content of a chart: something to draw, or a sentence where there is nothing. Lists are never empty. */
export type ChartContent =
  | { readonly kind: 'line'; readonly shape: LineShape }
  | { readonly kind: 'pie'; readonly shares: readonly Slice[]; readonly colours: readonly string[] }
  | { readonly kind: 'bars'; readonly shares: readonly Slice[]; readonly partNames: readonly string[] }
  | { readonly kind: 'none'; readonly sentence: string };

/** The names of a chart in the order in which they have colours, as they are shown. */
export function coloursOf(
  { colours = [], group }: Pick<ChartToDraw, 'colours' | 'group'>,
  nameOf: (name: string) => string,
): readonly string[] {
  return [...new Set(colours.map((name) => nameOf(group === 'minor' ? minorLine(name) : name)))];
}

/** Reads the data of a chart by its form. */
export function contentOf(chart: ChartToDraw): ChartContent {
  const { form, data, past, shape, settings, group, colours } = chart;
  if (form === 'other') return { kind: 'none', sentence: sentences.unknown };
  if (form === 'line')
    return shape === undefined || shape.pointCount === 0
      ? { kind: 'none', sentence: sentences.none }
      : { kind: 'line', shape };
  const single = data === undefined ? [] : sharesIn(form, data);
  const shares = group === 'minor' ? groupShares(single) : single;
  if (shares.length === 0) return { kind: 'none', sentence: sentenceOfNothing(past) };
  if (form === 'pie' || form === 'drilldown')
    return { kind: 'pie', shares: slicesOf(shares), colours: coloursOf({ colours, group }, shownName) };
  const bars = barsOf(shares, form === 'map' ? countryName : shownName);
  return { kind: 'bars', shares: bars, partNames: partNamesOf(bars, settings) };
}

function sentenceOfNothing(past: ShownPast | undefined): string {
  if (past === undefined) return sentences.none;
  const sentence = `Nothing reported since ${formatDateTime(past.since)}.`;
  return past.isKept ? `${sentence} “Over time” shows earlier data.` : sentence;
}

/** The message of a badge without data. */
export function nothingWords(past: ShownPast | undefined): string {
  return past === undefined ? 'no data' : `nothing since ${formatDateTime(past.since)}`;
}

/** The message of a badge: the latest value of a line in few characters, or the largest slice, country or bar; undefined without data. */
export function latestOf(chart: ChartToDraw): string | undefined {
  // Points of any age: the latest one is in every range.
  const content = contentOf(chart);
  if (content.kind === 'line') return formatShort(content.shape.latestValue);
  return 'shares' in content ? shareTexts(content.shares, 1)[0] : undefined;
}

/**
 * Describes a chart in one sentence: `Players on servers using X: 3,883 now, between 2,950 and 4,659 in the last 30 days`
 * (`on 30 Jun 2026` and `in the 30 days before` where that is older, and without a clock),
 * `Server Software of servers using X on 30 Jun 2026: Paper 61%, Spigot 22%, Purpur 9% and 4 more` (without a day where it is today, or not
 * known).
 */
export function describeContent(
  content: ChartContent,
  {
    chart,
    isShown,
    ...period
  }: DescribedPeriod & { readonly chart: ChartToDraw } & Pick<PictureOptions, 'isShown'>,
): string {
  const day = 'shares' in content ? dayOfData(chart, period) : undefined;
  return `${chartSubject(chart)}${day === undefined ? '' : ` on ${day}`}: ${wordsOf(content, { isShown, ...period })}`;
}

/** The day of shares; undefined if it is that of now, or not known. */
export function dayOfData(
  { timestamp }: Pick<ChartToDraw, 'timestamp'>,
  { nowMs }: Pick<DescribedPeriod, 'nowMs'>,
): string | undefined {
  return timestamp === undefined ? undefined : pastDay({ timestamp, nowMs });
}

function wordsOf(
  content: ChartContent,
  {
    isShown: isWanted,
    ...period
  }: DescribedPeriod & { readonly isShown: PictureOptions['isShown'] | undefined },
): string {
  if (content.kind === 'line') return lineInWords(content.shape, period);
  if (content.kind === 'none') return content.sentence;
  const { isShown } = shareFilter(content.shares, isWanted);
  const shares = content.shares.filter(({ name }) => isShown(name));
  // `a 50%, b 30% and c 20%`; of more than three `a, b, c and 4 more`.
  return listWords(shareTexts(shares, namedCount), shares.length - namedCount);
}

/** Number of shares that a sentence names. */
const namedCount = 3;

/** Names with shares, the largest first. */
function shareTexts(shares: readonly Share[], count: number): string[] {
  const largest = rankShares(shares).slice(0, count);
  return largest.map(({ entry, part }) => `${entry.name} ${formatShare(part)}`);
}
