/** The history of a chart of shares, as a picture shows it: the largest shares, and the others as one. */
import type { DataWindow, Period } from '../../model/window.ts';
import type { ChartToDraw } from '../chart-content.ts';
import { clamp } from '../clamp.ts';
import { chartSubject, formatDay, formatExact, formatShare, listWords } from '../format.ts';
import { endOf, type NewestTime, rangeWords } from '../range.ts';
import { shownName, sumOf } from '../shares/slices.ts';
import type { TimeStep } from '../time-step.ts';

/** The unit of a history: percent of the sum at each time, or values as they are. */
export type HistoryUnit = 'percent' | 'count';

/** The most shares with an area of their own. */
export const maxHistoryShares = 12;

/** A share over time. */
export interface HistoryShare {
  readonly name: string;
  /** The number of its colour. */
  readonly colour: number;
  /** A value for each time of the history; negative ones are drawn as 0. */
  readonly values: Float64Array;
  /** The value at the last time that is stored, which a mean of a step may hide. */
  readonly last: number;
  /** True for a share that the reader has hidden: it has no values, and keeps its place. */
  readonly isHidden?: boolean;
}

/** The sum of shares that have no area of their own. */
interface OtherShares extends Omit<HistoryShare, 'name' | 'colour'> {
  /** Undefined if it is not known. */
  readonly shareCount: number | undefined;
  /** The name of the share if there is only one; undefined for several. */
  readonly name?: string | undefined;
}

/** A history with the words of its chart. */
export interface HistoryToDraw
  extends Pick<ChartToDraw, 'title' | 'pluginName' | 'isDefault' | 'events' | 'mostUsed'> {
  readonly window: DataWindow;
  /** The newest time in the window that is stored, in Unix milliseconds. */
  readonly newest: number;
  /** Ascending: the beginnings of steps. */
  readonly times: Float64Array;
  /** The times at which a gap ends; they follow from the intervals unless given. */
  readonly gapEnds?: ReadonlySet<number>;
  /** The step of which the values are the mean. */
  readonly step: TimeStep;
  /** The largest first. */
  readonly shares: readonly HistoryShare[];
  /** The sum of the shares that are not among {@link HistoryToDraw.shares}. */
  readonly other: OtherShares | undefined;
}

/** The shares of a history, and the others as one at the end. */
export function allShares({
  shares,
  other,
}: Pick<HistoryToDraw, 'shares' | 'other'>): ReadonlyArray<Omit<HistoryShare, 'colour'>> {
  return other === undefined ? shares : [...shares, { ...other, name: other.name ?? 'Other' }];
}

/** Hides shares: they have no values, and keep their places. */
export function hideInHistory(
  history: HistoryToDraw,
  isShown: (name: string | undefined) => boolean,
): HistoryToDraw {
  const { shares, other } = history;
  const hidden = { values: new Float64Array(history.times.length), last: 0, isHidden: true };
  return {
    ...history,
    shares: shares.map((share) => (isShown(share.name) ? share : { ...share, ...hidden })),
    other: other && (isShown(undefined) ? other : { ...other, ...hidden }),
  };
}

/**
 * Adds the smallest shares to the others, so that at most `maxRowCount` areas are left; at least one. Hidden shares among the others are left
 * out.
 */
export function gatherHistory(history: HistoryToDraw, maxRowCount: number): HistoryToDraw {
  const { shares, other } = history;
  if (shares.length + (other === undefined ? 0 : 1) <= maxRowCount) return history;
  const kept = shares.slice(0, Math.max(0, maxRowCount - 1));
  const gathered = [
    ...shares.slice(kept.length).map((share) => ({ ...share, shareCount: 1 })),
    ...(other === undefined ? [] : [other]),
  ];
  const shown = gathered.filter(({ isHidden }) => isHidden !== true);
  const rest = shown.length === 0 ? gathered : shown;
  const values = new Float64Array(history.times.length);
  for (const share of rest)
    for (const [at, value] of share.values.entries()) values[at] = sumOf([values[at] ?? 0, value]);
  const gatheredOther = {
    values,
    last: sumOf(rest.map(({ last }) => last)),
    shareCount: countOf(rest),
    name: rest.length === 1 ? rest[0]?.name : undefined,
    isHidden: shown.length === 0,
  };
  return { ...history, shares: kept, other: gatheredOther };
}

/** The number of shares; undefined if that of some is not known. */
function countOf(rest: readonly { readonly shareCount: number | undefined }[]): number | undefined {
  return rest.reduce<number | undefined>((count, { shareCount }) => {
    return count === undefined || shareCount === undefined ? undefined : count + shareCount;
  }, 0);
}

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
  const { shares, other, window } = history;
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
  return `${chartSubject(history)} over time, ${rangeWords(range, endOf(window, nowMs))}: ${list}; ${formatExact(total)} in total at the end`;
}

/** Tells of a chart of versions since when the latest one has been the most used; nothing of other charts. */
export function leaderPhrase({
  title,
  mostUsed,
}: Pick<HistoryToDraw, 'title' | 'mostUsed'>): string | undefined {
  if (!mostUsed || !/version/i.test(title)) return undefined;
  return `most used: ${shownName(mostUsed.name)} since ${formatDay(mostUsed.since)}`;
}
