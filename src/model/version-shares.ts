/** The shares of a chart of versions on a day: the days to compare, and the shares of its lines. */

import type { ShareValue } from './forms/share-values.ts';
import { isAtLeast, isVersion, minorLine, newestFirst } from './versions.ts';
import { dayMs } from './window.ts';

/** Outer shares over a day, or at one time, added up. */
export interface ShareDay {
  /** The beginning of the day, or the time. */
  readonly at: number | null;
  /** Number of its times. */
  readonly timeCount: number;
  readonly sums: ReadonlyMap<string, number>;
}

/** The days between the shares of now and those before. */
const daysBefore = 90;

/** The beginning of the day before with which a day is compared. */
export function dayBefore(day: number): number {
  return day - daysBefore * dayMs;
}

/** The least sum of a chart of versions, and the least share of versions in it. */
const least = { total: 10, share: 0.8 };

/** Days of a chart of versions, of which the one 90 days before may have no times. */
export interface VersionDays {
  readonly now: ShareDay;
  readonly before: ShareDay | undefined;
}

/** True for a chart whose shares are versions. */
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

/** The share of a version and all newer ones. */
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
  /** The minor lines with their sums, the newest first. */
  readonly lines: ReadonlyArray<readonly [name: string, sum: number]>;
}

/** @returns the sum of what is no version too. */
export function linesIn({ sums }: ShareDay, lineOf = minorLine): Lines & { readonly other: number } {
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

/** The share of a line, and that of this line and of all newer ones; NaN where there is nothing. */
export interface LineShare {
  readonly share: number;
  readonly atLeast: number;
}

/** Finds the shares of minor lines, which are asked for with the newest first. */
export function sharesByLine({ lines, total }: Lines): (name: string) => LineShare {
  let [index, newer] = [0, 0];
  return (name) => {
    let own = 0;
    for (; index < lines.length; index++) {
      const [line, sum] = lines[index] ?? ['', 0];
      if (newestFirst(line, name) > 0) break;
      newer += sum;
      if (line === name) own = sum;
    }
    return { share: own / total, atLeast: newer / total };
  };
}
