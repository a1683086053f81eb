/** Content of a chart: its data by form. */

import { sharesIn } from '../model/chart-forms.ts';
import type { DataForm } from '../model/chart-types.ts';
import { groupShares, minorLine } from '../model/versions.ts';
import { clamp } from './clamp.ts';
import type { GatheredEvents } from './events.ts';
import {
  chartSubject,
  formatDateTime,
  formatShare,
  formatShort,
  listWords,
  type NewestTime,
  pastDay,
} from './format.ts';
import type { LineToDraw } from './line/line-to-draw.ts';
import { sentences } from './message.ts';
import type { PictureOptions } from './picture.ts';
import {
  barsOf,
  partNamesOf,
  rankShares,
  type Share,
  type Slice,
  shareFilter,
  shareNames,
  shownName,
  slicesOf,
} from './shares/slices.ts';

/** Grouping of shares before drawing; `minor` adds up the versions of each minor line. */
export type ShareGrouping = 'none' | 'minor';

/** A chart with its data. */
export interface ChartToDraw {
  readonly form: DataForm;
  readonly title: string;
  /** Parsed JSON data of a chart that is not a line; undefined without data. */
  readonly data: unknown;
  /** Time of `data` in Unix milliseconds; undefined if unknown. */
  readonly timestamp?: number | undefined;
  /** Set if the data may be empty now but was not always. */
  readonly past?: ShownPast | undefined;
  /** Set to `minor` to add up the shares of each minor line. */
  readonly group?: ShareGrouping | undefined;
  readonly line?: LineToDraw | undefined;
  /** Events on the line. */
  readonly events?: GatheredEvents | undefined;
  /** Up to twelve names, in the order in which they get colours; by default ordered by value. */
  readonly colours?: readonly string[] | undefined;
  /** The largest share, and since when it has been the largest, in Unix milliseconds. */
  readonly mostUsed?: { readonly name: string; readonly since: number } | null | undefined;
  /** Settings of the chart (`data` of a chart in the interface). */
  readonly settings?: unknown;
  /** Name of the plugin, and true if every plugin has this chart; both are for the description. */
  readonly pluginName?: string;
  readonly isDefault?: boolean;
}

/** Facts about the time before the data became empty. */
interface ShownPast {
  /** Time since which the data has been empty, in Unix milliseconds. */
  readonly since: number;
  /** True if the earlier data is kept in a history. */
  readonly isKept: boolean;
}

/** Content of a chart other than a line: something to draw, or a sentence. Lists are never empty. */
export type ChartContent =
  | { readonly kind: 'pie'; readonly shares: readonly Slice[]; readonly colours: readonly string[] }
  | { readonly kind: 'bars'; readonly shares: readonly Slice[]; readonly partNames: readonly string[] }
  | { readonly kind: 'none'; readonly sentence: string };

/** Returns the displayed names of a chart in the order in which they get colours. */
export function coloursOf(
  { colours = [], group }: Pick<ChartToDraw, 'colours' | 'group'>,
  nameOf: (name: string) => string,
): readonly string[] {
  return [...new Set(colours.map((name) => nameOf(group === 'minor' ? minorLine(name) : name)))];
}

/** Reads the data of a chart by its form. */
export function contentOf(chart: ChartToDraw): ChartContent {
  const { form, data, past, settings, group, colours } = chart;
  if (form === 'other') return { kind: 'none', sentence: sentences.unknown };
  const single = data === undefined ? [] : sharesIn(form, data);
  const shares = group === 'minor' ? groupShares(single) : single;
  if (shares.length === 0) return { kind: 'none', sentence: sentenceOfNothing(past) };
  if (form === 'pie' || form === 'drilldown')
    return { kind: 'pie', shares: slicesOf(shares), colours: coloursOf({ colours, group }, shownName) };
  const bars = barsOf(shares, shareNames(form));
  return { kind: 'bars', shares: bars, partNames: partNamesOf(bars, settings) };
}

/**
 * Returns the pie that a slice of a drilldown pie opens. `index` is the `data-index` of the slice in the
 * picture. Undefined for "Other", for a slice without parts, and for charts of other forms.
 */
export function openSlice(chart: ChartToDraw, index: number): ChartToDraw | undefined {
  const content = contentOf(chart);
  if (content.kind !== 'pie') return undefined;
  const slice = rankShares(content.shares)[index]?.entry;
  if (slice === undefined || slice.parts.length === 0) return undefined;
  // The colours are for the outer shares; inner shares have other names.
  const { colours: _, ...about } = chart;
  return {
    ...about,
    form: 'pie',
    title: `${chart.title} › ${slice.name}`,
    data: slice.parts.map(({ name, value }) => ({ name, y: value })),
  };
}

/** Returns the past of charts that are added up: that of the one whose data ended last. */
export function joinPast(pasts: readonly ChartToDraw['past'][]): ChartToDraw['past'] {
  return pasts.reduce((one, other) => ((other?.since ?? 0) > (one?.since ?? 0) ? other : one), undefined);
}

function sentenceOfNothing(past: ShownPast | undefined): string {
  if (past === undefined) return sentences.none;
  const sentence = `Nothing reported since ${formatDateTime(past.since)}.`;
  return past.isKept ? `${sentence} “Over time” shows earlier data.` : sentence;
}

/** Returns the message of a badge without data. */
export function nothingWords(past: ShownPast | undefined): string {
  return past === undefined ? 'no data' : `nothing since ${formatDateTime(past.since)}`;
}

/**
 * Returns the message of a badge: the latest value of a line in few characters, or the largest slice, country
 * or bar; undefined without data.
 */
export function latestOf(chart: ChartToDraw): string | undefined {
  const { line } = chart;
  // The age of the points does not matter: the latest point lies in every range.
  if (line !== undefined)
    return line.points.times.length === 0 ? undefined : formatShort(clamp(line.newest.value));
  const content = contentOf(chart);
  return 'shares' in content ? shareTexts(content.shares, 1)[0] : undefined;
}

/**
 * Describes a chart of shares in one sentence: `Server Software of servers using X on 30 Jun 2026: Paper 61%,
 * Spigot 22%, Purpur 9% and 4 more`; shares of today, or of an unknown day, have no date.
 */
export function describeContent(
  content: ChartContent,
  { chart, isShown, nowMs }: { readonly chart: ChartToDraw } & Pick<PictureOptions, 'isShown' | 'nowMs'>,
): string {
  const day = 'shares' in content ? dayOfData(chart, { nowMs }) : undefined;
  return `${chartSubject(chart)}${day === undefined ? '' : ` on ${day}`}: ${wordsOf(content, isShown)}`;
}

/** Returns the day of shares; undefined for today, or if unknown. */
export function dayOfData(
  { timestamp }: Pick<ChartToDraw, 'timestamp'>,
  { nowMs }: Pick<NewestTime, 'nowMs'>,
): string | undefined {
  return timestamp === undefined ? undefined : pastDay({ timestamp, nowMs });
}

function wordsOf(content: ChartContent, isWanted: PictureOptions['isShown']): string {
  if (content.kind === 'none') return content.sentence;
  const { isShown } = shareFilter(content.shares, isWanted);
  const shares = content.shares.filter(({ name }) => isShown(name));
  // For example `a 50%, b 30% and c 20%`, or with more than three names `a, b, c and 4 more`.
  return listWords(shareTexts(shares, namedCount), shares.length - namedCount);
}

/** Number of shares named in a sentence. */
const namedCount = 3;

/** Renders names with their parts, largest first. */
function shareTexts(shares: readonly Share[], count: number): string[] {
  const largest = rankShares(shares).slice(0, count);
  return largest.map(({ entry, part }) => `${entry.name} ${formatShare(part)}`);
}
