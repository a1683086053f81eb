/** The history of a chart of shares, as a picture shows it: the largest shares, and the others as one. */
import type { ChartToDraw } from '../chart-content.ts';
import { sumOf } from '../shares/share.ts';
import type { TimeStep } from '../time-step.ts';

/** The unit of a history: percent of the sum at each time, or values as they are. */
export type HistoryUnit = 'percent' | 'count';

/** The most shares with an area of their own. */
export const maxHistoryShares = 12;

/** A share over time. */
export interface HistoryShare {
  readonly name: string;
  /** A value for each time of the history; negative ones are drawn as 0. */
  readonly values: Float64Array;
  /** The value at the last time that is stored, which a mean of a step may hide. */
  readonly last: number;
  /** True for a share that the reader has hidden: it has no values, and keeps its place. */
  readonly isHidden?: boolean;
}

/** The sum of shares that have no area of their own. */
interface OtherShares extends Omit<HistoryShare, 'name'> {
  /** Undefined if it is not known. */
  readonly shareCount: number | undefined;
  /** The name of the share if there is only one; undefined for several. */
  readonly name?: string | undefined;
}

/** A history with the words of its chart. */
export interface HistoryToDraw extends Pick<ChartToDraw, 'title' | 'pluginName' | 'isDefault' | 'events'> {
  /** The first and the last time that is stored, in Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Ascending: the beginnings of steps. */
  readonly times: Float64Array;
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
}: Pick<HistoryToDraw, 'shares' | 'other'>): readonly HistoryShare[] {
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
 * Adds the smallest shares to the others, so that at most `maxRowCount` areas are left; at least one. Of the others, those that are hidden are left
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
