/** Charts in words: descriptions, alternative texts, messages of badges. */
import { type ChartContent, type ChartToDraw, contentOf } from './chart-content.ts';
import { formatExact, formatShare, formatShort, listWords } from './format.ts';
import { type DescribedPeriod, lineInWords } from './line/line.ts';
import { sentences } from './message.ts';
import type { PictureOptions } from './picture.ts';
import { pastDay } from './range.ts';
import { rankShares, shareFilter } from './shares/rank.ts';
import type { Share, Slice } from './shares/share.ts';
import { chartSubject } from './subject.ts';

/**
 * The message of a badge: the latest value of a line in few characters, or the largest slice, country or bar; undefined without
 * data.
 */
export function latestOf(chart: ChartToDraw): string | undefined {
  // Points of any age: the latest one is in every range.
  const content = contentOf(chart);
  switch (content.kind) {
    case 'line':
      return formatShort(content.shape.latestValue);
    case 'pie':
      return shareTexts(content.slices, 1)[0];
    case 'bars':
      return shareTexts(content.bars, 1)[0];
    default:
      return undefined;
  }
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
  const day = content.kind === 'pie' || content.kind === 'bars' ? dayOfData(chart, period) : undefined;
  const shown = content.kind === 'pie' ? { ...content, slices: shownOf(content.slices, isShown) } : content;
  return `${chartSubject(chart)}${day === undefined ? '' : ` on ${day}`}: ${wordsOf(shown, period)}`;
}

/** The slices whose names are in the description. */
function shownOf(slices: readonly Slice[], isWanted: PictureOptions['isShown']): readonly Slice[] {
  const { isShown } = shareFilter(slices, isWanted);
  return slices.filter(({ name }) => isShown(name));
}

/** The day of shares; undefined if it is that of now, or not known. */
export function dayOfData(
  { timestamp }: Pick<ChartToDraw, 'timestamp'>,
  { nowMs }: Pick<DescribedPeriod, 'nowMs'>,
): string | undefined {
  return timestamp === undefined ? undefined : pastDay({ timestamp, nowMs });
}

function wordsOf(content: ChartContent, period: DescribedPeriod): string {
  switch (content.kind) {
    case 'line':
      return lineInWords(content.shape, period);
    case 'pie':
      return sharesInWords(content.slices);
    case 'bars':
      return sharesInWords(content.bars);
    default:
      return sentences[content.kind];
  }
}

/** Names with shares, the largest first. Where some values are negative there are no shares, so the values are given. */
function shareTexts(shares: readonly Share[], count: number): string[] {
  const hasShares = shares.every(({ value }) => value >= 0);
  const largest = rankShares(shares).slice(0, count);
  return largest.map(({ entry: { name, value }, part }) => {
    return `${name} ${hasShares ? formatShare(part) : formatExact(value)}`;
  });
}

/** Number of shares that a sentence names. */
const namedCount = 3;

/** `a 50%, b 30% and c 20%`; of more than three `a, b, c and 4 more`. */
function sharesInWords(shares: readonly Share[]): string {
  return listWords(shareTexts(shares, namedCount), shares.length - namedCount);
}
