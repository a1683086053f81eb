/** Groups shares of versions by minor line: 1.21.4 and 1.21.11 both belong to 1.21.x. */
import { minorLine } from './versions.ts';

/** A share and its value, as in `model/chart-forms.ts`. */
type ShareValue = readonly [share: { readonly group: string | null; readonly name: string }, value: number];

/** Adds up the shares of each minor line. Shares of a group must be consecutive. */
export function groupShares(shares: readonly ShareValue[]): ShareValue[] {
  const groups = new Map<string, Map<string, ShareValue>>();
  for (const [{ group, name }, value] of shares) {
    const share = { group: group === null ? null : minorLine(group), name: minorLine(name) };
    const key = share.group ?? share.name;
    const lines = groups.get(key) ?? new Map<string, ShareValue>();
    groups.set(key, lines);
    lines.set(share.name, [share, (lines.get(share.name)?.[1] ?? 0) + value]);
  }
  return [...groups.values()].flatMap((lines) => [...lines.values()]);
}

/** A share over time. */
interface Series {
  readonly name: string;
  readonly values: Float64Array;
  readonly isOther?: boolean;
  readonly otherCount?: number;
}

/**
 * Adds up the series of each minor line, largest first. The series of all other shares stays last, without
 * its count, because the number of minor lines in it is unknown.
 */
export function groupSeries<Times>({
  times,
  series,
}: {
  readonly times: Times;
  readonly series: readonly Series[];
}): { readonly times: Times; readonly series: readonly Series[] } {
  const lines = new Map<string, Float64Array>();
  for (const { name, values } of series.filter(({ isOther }) => isOther !== true)) {
    const line = minorLine(name);
    const known = lines.get(line);
    lines.set(line, known === undefined ? values : values.map((value, at) => value + (known[at] ?? 0)));
  }
  const sums = Array.from(lines, ([name, values]) => ({
    name,
    values,
    sum: values.reduce((sum, value) => sum + value, 0),
  }));
  const largest = sums.sort((a, b) => b.sum - a.sum).map(({ name, values }) => ({ name, values }));
  const others = series.flatMap(({ name, values, isOther }) => (isOther ? [{ name, values, isOther }] : []));
  return { times, series: [...largest, ...others] };
}
