/** The history of a chart of shares as a picture shows it: the largest shares, and all others as one. */
import type { DataWindow, Period } from '../../model/window.ts';
import type { ChartToDraw } from '../chart-content.ts';
import { clamp } from '../clamp.ts';
import {
  chartSubject,
  endOf,
  formatDay,
  formatExact,
  formatShare,
  listWords,
  type NewestTime,
  rangeWords,
} from '../format.ts';
import { shownName, sumOf } from '../shares/slices.ts';
import type { TimeStep } from '../time-step.ts';

/** Unit of a history: percent of the sum at each time, or the values themselves. */
export type HistoryUnit = 'percent' | 'count';

/** Maximum number of shares that get their own area. */
export const maxHistoryShares = 12;

/** A share over time. */
export interface HistoryShare {
  readonly name: string;
  /** Index of its colour. */
  readonly colour: number;
  /** One value per time of the history; negative values are drawn as 0. */
  readonly values: Float64Array;
  /** Value at the last stored time, which the mean of a step does not show. */
  readonly last: number;
  /** True if the reader has hidden the share: it has no values, but keeps its place. */
  readonly isHidden?: boolean;
}

/** Sum of the shares that have no area of their own. */
interface OtherShares extends Omit<HistoryShare, 'name' | 'colour'> {
  /** Undefined if unknown. */
  readonly shareCount: number | undefined;
  /** Name of the share if there is only one; undefined for several. */
  readonly name?: string | undefined;
}

/** A history with the texts of its chart. */
export interface HistoryToDraw
  extends Pick<ChartToDraw, 'title' | 'pluginName' | 'isDefault' | 'events' | 'mostUsed'> {
  readonly window: DataWindow;
  /** Newest stored time within the window, in Unix milliseconds. */
  readonly newest: number;
  /** Starts of the steps, ascending. */
  readonly times: Float64Array;
  /** Times at which gaps end; by default computed from the intervals. */
  readonly gapEnds?: ReadonlySet<number>;
  /** The step over which values are averaged. */
  readonly step: TimeStep;
  /** Largest first. */
  readonly shares: readonly HistoryShare[];
  /** Sum of the shares that are not in {@link HistoryToDraw.shares}. */
  readonly other: OtherShares | undefined;
}

/** Returns the shares of a history, with all others as one at the end. */
export function allShares({
  shares,
  other,
}: Pick<HistoryToDraw, 'shares' | 'other'>): ReadonlyArray<Omit<HistoryShare, 'colour'>> {
  return other === undefined ? shares : [...shares, { ...other, name: other.name ?? 'Other' }];
}

/** Hides shares: they lose their values, but keep their places. */
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
 * Adds the smallest shares to the others until at most `maxRowCount` areas are left, at least one. Hidden
 * shares are dropped instead of added.
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

/** Adds up the numbers of shares; undefined if one of them is unknown. */
function countOf(rest: readonly { readonly shareCount: number | undefined }[]): number | undefined {
  return rest.reduce<number | undefined>((count, { shareCount }) => {
    return count === undefined || shareCount === undefined ? undefined : count + shareCount;
  }, 0);
}

/** A share at one time. */
interface ShareAt {
  readonly value: number;
  /** Part of the whole, 0 … 1; 0 for a negative value. */
  readonly part: number;
}

/** Returns the shares of a history at its first or last time, in order, with the others at the end. */
export function sharesAt(history: HistoryToDraw, end: 'first' | 'last'): readonly ShareAt[] {
  const values = allShares(history).map(({ values: [first = 0], last }) =>
    clamp(end === 'last' ? last : wholeOf(first)),
  );
  const total = totalOf(values);
  return values.map((value) => ({ value, part: total === 0 ? 0 : Math.max(0, value) / total }));
}

/** Rounds a mean of counts to a meaningful number of decimals. */
export function wholeOf(mean: number): number {
  return Math.abs(mean) >= 10 ? Math.round(mean) : Math.round(mean * 10) / 10;
}

/** Adds up shares; negative values count as 0. */
export function totalOf(values: readonly number[]): number {
  return sumOf(values.map((value) => Math.max(0, value)));
}

/** Number of shares named in a description. */
const namedCount = 3;

/**
 * Describes a history: `Server Software of servers using X over time, in the last 30 days: Paper from 50% to
 * 61% and 4 more`.
 */
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

/**
 * Tells since when a version has been the most used one; undefined for charts that are not about versions.
 */
export function leaderPhrase({
  title,
  mostUsed,
}: Pick<HistoryToDraw, 'title' | 'mostUsed'>): string | undefined {
  if (!mostUsed || !/version/i.test(title)) return undefined;
  return `most used: ${shownName(mostUsed.name)} since ${formatDay(mostUsed.since)}`;
}
