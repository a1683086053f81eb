/** What charts say in words: descriptions, alternative texts, badges. */
import { type ChartReading, type ChartToDraw, readChart } from './chart-reading.ts';
import { formatExact, formatShare, formatShort } from './format.ts';
import { brokenDataSentence, noDataSentence } from './message.ts';
import { type Range, rangeWords } from './range.ts';
import { rankShares } from './shares/rank.ts';
import type { Share } from './shares/share.ts';

/**
 * A chart in one sentence: `Players on servers using X: 3,883 now, between 2,950 and 4,659 in the last 30 days`,
 * `Server Software of servers using X: Paper 61%, Spigot 22%, Purpur 9% and 4 more`.
 */
export function describeChart(chart: ChartToDraw, range: Range = '30d'): string {
  return describeReading(readChart(chart, { range, width: 1 }), { chart, range });
}

/** What a badge says: the latest value of a line, in few characters, the largest slice, country or bar; undefined where there is none. */
export function latestOf(chart: ChartToDraw): string | undefined {
  // Points of any age: the latest one is in every range.
  const reading = readChart(chart, { range: '1d', width: 1 });
  switch (reading.kind) {
    case 'line':
      return formatShort(reading.columns.latestValue);
    case 'pie':
      return shareTexts(reading.slices, 1)[0];
    case 'bars':
      return shareTexts(reading.bars, 1)[0];
    case 'table':
    case 'none':
    case 'broken':
      return undefined;
  }
}

/** The sentence of a chart that has been read. */
export function describeReading(
  reading: ChartReading,
  { chart, range }: { readonly chart: ChartToDraw; readonly range: Range },
): string {
  return `${subjectOf(chart)}: ${wordsOf(reading, range)}`;
}

/** The title, and the plugin where the title does not name it. */
function subjectOf({ title, pluginName, isDefault }: ChartToDraw): string {
  if (pluginName === undefined || title.includes(pluginName)) return title;
  return isDefault === true ? `${title} of servers using ${pluginName}` : `${title} (${pluginName})`;
}

function wordsOf(reading: ChartReading, range: Range): string {
  switch (reading.kind) {
    case 'line': {
      const { low, high, latestValue } = reading.columns;
      const between = `, between ${formatExact(low)} and ${formatExact(high)} ${rangeWords(range)}`;
      return `${formatExact(latestValue)} now${low === high ? '' : between}`;
    }
    case 'pie':
      return listWords(reading.slices);
    case 'bars':
      return listWords(reading.bars);
    case 'table': {
      const count = Object.keys(reading.data).length;
      return `a table of ${reading.isCut ? 'more than ' : ''}${formatExact(count)} ${count === 1 ? 'row' : 'rows'}`;
    }
    case 'none':
      return noDataSentence;
    case 'broken':
      return brokenDataSentence;
  }
}

/** Names with shares, the largest first; with values where some are negative, which have no share. */
function shareTexts(shares: readonly Share[], count: number): string[] {
  const hasShares = shares.every(({ value }) => value >= 0);
  const largest = rankShares(shares).slice(0, count);
  return largest.map(({ entry: { name, value }, part }) => {
    return `${name} ${hasShares ? formatShare(part) : formatExact(value)}`;
  });
}

/** How many shares a sentence names. */
const namedCount = 3;

/** `a 50%, b 30% and c 20%`; of more than three `a, b, c and 4 more`. */
function listWords(shares: readonly Share[]): string {
  const named = shareTexts(shares, namedCount);
  const rest = shares.length - named.length;
  const last = rest > 0 ? `${formatExact(rest)} more` : (named.pop() ?? '');
  return named.length === 0 ? last : `${named.join(', ')} and ${last}`;
}
