/** Loads two days of a chart of versions: its newest whole day, and the one 90 days before. */
import type { ChartName } from '../model/catalogue.ts';
import type { ShareValue } from '../model/forms/share-values.ts';
import type { SeriesSource } from '../model/series-source.ts';
import { areVersions, dayBefore, type ShareDay, shareDayOf, type VersionDays } from '../model/versions.ts';
import { dayMs, dayStart, type Span, startOfDays } from '../model/window.ts';
import { maxNamedShares } from './load-shares.ts';

/** The days in which the newest one with a time is looked for: the last one, then more. */
const lookedFor = [1, 32, Number.POSITIVE_INFINITY];

/** A chart of shares, or several to be added up; `shares` are those of now. */
interface VersionsChart {
  readonly charts: readonly ChartName[];
  readonly span: Span | undefined;
  readonly shares: readonly ShareValue[];
}

/** Loads the days; undefined for a chart of anything else. Rejects as the source does. */
export async function loadVersions(
  source: SeriesSource,
  { charts, span, shares }: VersionsChart,
): Promise<VersionDays | undefined> {
  const loadDay = async (from: number, to: number): Promise<ShareDay | undefined> => {
    const { times, series } = await source.series({
      ...{ charts, window: { from, to }, step: '1d', aggregate: 'mean', top: maxNamedShares, level: 1 },
      isSum: charts.length > 1,
    });
    const at = times.at(-1);
    const lasts = series.flatMap(({ name, values, isOther }): [string, number][] => [
      // The others are no versions that could be compared.
      [isOther ? '' : name, values.at(-1) || 0],
    ]);
    return at === undefined ? undefined : { at, timeCount: 1, sums: new Map(lasts) };
  };
  const loadNewest = async ({ first, last }: Span) => {
    const end = startOfDays(last, 0);
    for (const days of lookedFor) {
      const from = Math.max(end - days * dayMs, dayStart(first));
      const day = from < end ? await loadDay(from, end) : undefined;
      if (day !== undefined) return day;
    }
    return undefined;
  };
  const newest = span && (await loadNewest(span));
  const now = newest ?? shareDayOf(shares, null);
  if (!areVersions(now)) return undefined;
  const before = dayBefore(Number(newest?.at));
  return { now, before: newest && (await loadDay(before, before + dayMs)) };
}
