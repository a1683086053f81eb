/** Insights of a chart of versions: the current and earlier shares of its minor lines. */

import type { ShareValue } from '../model/data-shares.ts';
import { isAtLeast, isVersion, minorLine, newestFirst } from '../model/versions.ts';
import { dayMs } from '../model/window.ts';
import { ratio } from './line-days.ts';
import { roundMean } from './number-text.ts';

/** Sums of the outer shares over a day, or at one time. */
export interface ShareDay {
  /** Start of the day, or the time. */
  readonly at: number | null;
  /** Number of times in the day. */
  readonly timeCount: number;
  readonly sums: ReadonlyMap<string, number>;
}

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

/** Number of days between the two compared days. */
const daysBefore = 90;

/** Returns the start of the earlier day that a day is compared with. */
export function dayBefore(day: number): number {
  return day - daysBefore * dayMs;
}

/** Minimum total of a chart of versions, and minimum share of versions in it. */
const least = { total: 10, share: 0.8 };

/** Two days of a chart of versions; `before`, 90 days earlier, is undefined if it has no times. */
export interface VersionDays {
  readonly now: ShareDay;
  readonly before: ShareDay | undefined;
}

/** Computes the insights of a chart of versions. @param lineOf returns the minor line of a version. */
export function versionInsights(
  chartId: string,
  { now, before }: VersionDays,
  lineOf = minorLine,
): VersionInsights {
  const { total, other, lines } = linesIn(now, lineOf);
  const mean = (sum: number) => roundMean(sum / now.timeCount);
  const sharesBefore = before && sharesByLine(linesIn(before, lineOf));
  const shares = sharesByLine({ total, lines });
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

/** True if the shares of a chart are versions. */
export function areVersions(day: ShareDay): boolean {
  const { total, other } = linesIn(day);
  return total >= least.total * day.timeCount && (total - other) / total >= least.share;
}

/** Adds up the outer shares of data. */
export function shareDayOf(shares: readonly ShareValue[], at: number | null): ShareDay {
  const sums = new Map<string, number>();
  for (const [{ group, name }, value] of shares)
    sums.set(group ?? name, (sums.get(group ?? name) ?? 0) + value);
  return { at, timeCount: 1, sums };
}

/** Returns the share of a version and all newer ones. */
export function shareAtLeast({ sums }: ShareDay, least: string): number {
  let [total, newer] = [0, 0];
  for (const [name, sum] of sums) {
    total += sum;
    if (isAtLeast(name, least)) newer += sum;
  }
  return newer / total;
}

interface Lines {
  readonly total: number;
  /** Minor lines with their sums, newest first. */
  readonly lines: ReadonlyArray<readonly [name: string, sum: number]>;
}

/** @returns the minor lines, and the sum of all names that are not versions. */
function linesIn({ sums }: ShareDay, lineOf = minorLine): Lines & { readonly other: number } {
  let [total, other] = [0, 0];
  const lines = new Map<string, number>();
  for (const [name, sum] of sums) {
    total += sum;
    if (isVersion(name)) lines.set(lineOf(name), (lines.get(lineOf(name)) ?? 0) + sum);
    else other += sum;
  }
  const some = [...lines].filter(([, sum]) => sum !== 0);
  return { total, other, lines: some.sort(([a], [b]) => newestFirst(a, b)) };
}

/** Returns a function that finds the shares of minor lines; it must be called with the lines in order, newest first. */
function sharesByLine({ lines, total }: Lines): (name: string) => LineShare {
  let [index, newer] = [0, 0];
  return (name) => {
    let own = 0;
    for (; index < lines.length; index++) {
      const [line, sum] = lines[index] ?? ['', 0];
      if (newestFirst(line, name) > 0) break;
      newer += sum;
      if (line === name) own = sum;
    }
    return { share: ratio(own / total), atLeast: ratio(newer / total) };
  };
}
