/** Insights of a chart of versions: the current and earlier shares of its minor lines. */

import { linesIn, sharesByLine, type VersionDays } from '../model/versions.ts';
import { ratio } from './line-days.ts';
import { roundMean } from './number-text.ts';

/** Adds up the values of a share from `start` to `end`, exclusive. */
export function sumBetween(values: Float64Array, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at++) sum += values[at] ?? 0;
  return sum;
}

/** Insights of a chart of versions. A share is null if the total is 0. */
export interface VersionInsights {
  readonly chartId: string;
  readonly at: number | null;
  readonly total: number;
  /** Newest first. */
  readonly lines: readonly VersionLine[];
  readonly other: { readonly value: number; readonly share: number | null };
}

interface VersionLine extends LineShare {
  readonly name: string;
  readonly value: number;
  readonly before: ({ readonly at: number | null } & LineShare) | null;
}

interface LineShare {
  readonly share: number | null;
  /** Share of this line and all newer ones. */
  readonly atLeast: number | null;
}

/** Computes the insights of a chart of versions. */
export function versionInsights(chartId: string, { now, before }: VersionDays): VersionInsights {
  const { total, other, lines } = linesIn(now);
  const mean = (sum: number) => roundMean(sum / now.timeCount);
  const sharesBefore = before && roundedShares(linesIn(before));
  const shares = roundedShares({ total, lines });
  return {
    chartId,
    at: now.at,
    total: mean(total),
    lines: lines.map(([name, sum]) => ({
      name,
      value: mean(sum),
      ...shares(name),
      before: sharesBefore && before ? { at: before.at, ...sharesBefore(name) } : null,
    })),
    other: { value: mean(other), share: ratio(other / total) },
  };
}

function roundedShares(lines: Parameters<typeof sharesByLine>[0]): (name: string) => LineShare {
  const sharesOf = sharesByLine(lines);
  return (name) => {
    const { share, atLeast } = sharesOf(name);
    return { share: ratio(share), atLeast: ratio(atLeast) };
  };
}
