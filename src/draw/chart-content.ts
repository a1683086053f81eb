/** The content of a chart: its data by its form. */

import { sharesIn } from '../model/chart-forms.ts';
import type { DataForm } from '../model/chart-types.ts';
import { groupShares } from '../model/minor-line.ts';
import { minorLine } from '../model/versions.ts';
import { clamp } from './clamp.ts';
import type { GatheredEvents } from './events.ts';
import { chartSubject, formatDateTime, formatShare, formatShort, listWords } from './format.ts';
import type { LineToDraw } from './line/line-to-draw.ts';
import { sentences } from './message.ts';
import type { PictureOptions } from './picture.ts';
import { type NewestTime, pastDay } from './range.ts';
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
  readonly line?: LineToDraw | undefined;
  /** Events on the line. */
  readonly events?: GatheredEvents | undefined;
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

/** The content of a chart other than a line: something to draw, or a sentence where there is nothing. Lists are never empty. */
export type ChartContent =
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
 * The pie that a slice of a drilldown pie opens into. `index` is the `data-index` of the slice in the picture. Undefined for
 * "Other", for a slice without parts, and for charts of other forms.
 */
export function openSlice(chart: ChartToDraw, index: number): ChartToDraw | undefined {
  const content = contentOf(chart);
  if (content.kind !== 'pie') return undefined;
  const slice = rankShares(content.shares)[index]?.entry;
  if (slice === undefined || slice.parts.length === 0) return undefined;
  // The inner shares have other names.
  const { colours: _, ...about } = chart;
  return {
    ...about,
    form: 'pie',
    title: `${chart.title} › ${slice.name}`,
    data: slice.parts.map(({ name, value }) => ({ name, y: value })),
  };
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
  const { line } = chart;
  // Points of any age: the latest one is in every range.
  if (line !== undefined)
    return line.points.times.length === 0 ? undefined : formatShort(clamp(line.newest.value));
  const content = contentOf(chart);
  return 'shares' in content ? shareTexts(content.shares, 1)[0] : undefined;
}

/**
 * Describes a chart of shares in one sentence: `Server Software of servers using X on 30 Jun 2026: Paper 61%, Spigot 22%, Purpur 9% and 4 more`
 * (without a day where it is today, or not known).
 */
export function describeContent(
  content: ChartContent,
  { chart, isShown, nowMs }: { readonly chart: ChartToDraw } & Pick<PictureOptions, 'isShown' | 'nowMs'>,
): string {
  const day = 'shares' in content ? dayOfData(chart, { nowMs }) : undefined;
  return `${chartSubject(chart)}${day === undefined ? '' : ` on ${day}`}: ${wordsOf(content, isShown)}`;
}

/** The day of shares; undefined if it is that of now, or not known. */
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
