/** A history in words: its first and last parts, for the description and the legend. */
import type { Period } from '../../model/window.ts';
import { clamp } from '../clamp.ts';
import { formatDay, formatExact, formatShare, listWords } from '../format.ts';
import { type NewestTime, rangeWords } from '../range.ts';
import { sumOf } from '../shares/share.ts';
import { chartSubject } from '../subject.ts';
import { allShares, type HistoryToDraw, type HistoryUnit } from './history-to-draw.ts';

/** A share at one time: its value, and its part of the whole. */
interface ShareAt {
  readonly value: number;
  /** 0 … 1; 0 for a negative value. */
  readonly part: number;
}

/** The shares of a history at its first or last time, in its order and with the others at the end. */
export function sharesAt(history: HistoryToDraw, end: 'first' | 'last'): readonly ShareAt[] {
  const values = allShares(history).map(({ values: [first = 0], last }) =>
    clamp(end === 'last' ? last : wholeOf(first)),
  );
  const total = totalOf(values);
  return values.map((value) => ({ value, part: total === 0 ? 0 : Math.max(0, value) / total }));
}

/** A mean of counts without decimals that say nothing. */
export function wholeOf(mean: number): number {
  return Math.abs(mean) >= 10 ? Math.round(mean) : Math.round(mean * 10) / 10;
}

/** The sum of shares without negative ones. */
export function totalOf(values: readonly number[]): number {
  return sumOf(values.map((value) => Math.max(0, value)));
}

/** The number of shares that a description names. */
const namedCount = 3;

/** Describes a history: `Server Software of servers using X over time, in the last 30 days: Paper from 50% to 61% and 4 more`. */
export function historyWords(
  history: HistoryToDraw,
  { unit, range, nowMs }: Pick<NewestTime, 'nowMs'> & { readonly unit: HistoryUnit; readonly range: Period },
): string {
  const { shares, other, to: timestamp } = history;
  const [before, after] = [sharesAt(history, 'first'), sharesAt(history, 'last')];
  const format = ({ value, part }: ShareAt) => (unit === 'percent' ? formatShare(part) : formatExact(value));
  const none: ShareAt = { value: 0, part: 0 };
  const shown = shares.flatMap(({ name, isHidden = false }, rank) => {
    const [from, to] = [format(before[rank] ?? none), format(after[rank] ?? none)];
    return isHidden ? [] : [`${name} ${from === to ? to : `from ${from} to ${to}`}`];
  });
  const named = shown.slice(0, namedCount);
  const isOtherShown = other !== undefined && other.isHidden !== true;
  const otherCount = isOtherShown ? other.shareCount : 0;
  const list = listWords(
    named,
    otherCount === undefined ? undefined : shown.length - named.length + otherCount,
  );
  const total = totalOf(after.map(({ value }) => value));
  const events = history.events?.words ?? '';
  const words = `${chartSubject(history)} over time, ${rangeWords(range, { timestamp, nowMs })}: ${list}; ${formatExact(total)} in total at the end`;
  return events === '' ? words : `${words}; ${events}`;
}

/**
 * Tells of a chart of versions since when the latest one has been the most used. Nothing of other charts, nor of times at which a share that is gathered
 * may have led.
 */
export function leaderPhrase({
  title,
  shares,
  other,
  times,
}: Pick<HistoryToDraw, 'title' | 'shares' | 'other' | 'times'>): string | undefined {
  if (!/version/i.test(title)) return undefined;
  let leader: string | undefined;
  let since = 0;
  for (let index = times.length - 1; index >= 0; index--) {
    let name = '';
    let most = 0;
    for (const share of shares) {
      const value = share.values[index] ?? 0;
      if (value > most) [name, most] = [share.name, value];
    }
    if ((other?.values[index] ?? 0) > most) return undefined;
    // Nothing counted changes nothing.
    if (most === 0) continue;
    leader ??= name;
    if (name !== leader) return `most used: ${leader} since ${formatDay(since)}`;
    since = times[index] ?? 0;
  }
  return leader && `most used: ${leader} all the time`;
}
