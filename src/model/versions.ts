/**
 * Recognizes names that are versions and orders them, adds up their shares by minor line, and compares the
 * versions of two days.
 */

import { compareText } from './columns.ts';
import type { ShareValue } from './forms/share-values.ts';
import { dayMs } from './window.ts';

/**
 * A version prepared for comparison. Its numbers are kept as digits, because they may exceed the range of a
 * number.
 */
interface Version {
  readonly numbers: readonly string[];
  readonly suffix: string;
  readonly minorLine: string;
}

/**
 * Matches `Java 21`, with or without further numbers, and versions of Java up to 8 as Java reports them:
 * `1.8.0_492`.
 */
const java = /^(?:java[ -]?(?:1\.)?(\d+)|1\.(\d+)(?=\.\d+_\d))((?:[._]\d+)*)([._+-]\S*)?$/i;

/** Matches at least two numbers and an optional suffix, including minor lines such as `1.21.x`. */
const dotted = /^v?((\d+\.\d+)(?:\.\d+)*)([^\s\d.]\S*|\.[^\s\d]\S*)?$/i;

/** Cache of parsed versions: sorting asks for each many times. */
const parsed = new Map<string, Version | undefined>();
const maxParsed = 8192;

/** Longer names, in UTF-16 units, are no versions: the expressions take the square of the length. */
const maxLength = 400;

function parse(name: string): Version | undefined {
  if (name.length > maxLength) return undefined;
  if (parsed.has(name)) return parsed.get(name);
  if (parsed.size === maxParsed) parsed.clear();
  const version = parseNew(name);
  parsed.set(name, version);
  return version;
}

function parseNew(name: string): Version | undefined {
  const [, said, old, rest = '', end = ''] = java.exec(name) ?? [];
  const first = said ?? old;
  if (first !== undefined)
    return { numbers: [first, ...(rest.match(/\d+/g) ?? [])], suffix: end, minorLine: `Java ${first}` };
  const [, numbers, line, suffix = ''] = dotted.exec(name) ?? [];
  return numbers === undefined ? undefined : { numbers: numbers.split('.'), suffix, minorLine: `${line}.x` };
}

/** True if a name is a version. */
export function isVersion(name: string): boolean {
  return parse(name) !== undefined;
}

/** Returns the minor line of a version: `1.21.x`, `Java 21`. Other names are returned unchanged. */
export function minorLine(name: string): string {
  return parse(name)?.minorLine ?? name;
}

/** Orders names: versions first, newest first, then other names bytewise. */
export function newestFirst(a: string, b: string, [versionA, versionB] = [parse(a), parse(b)]): number {
  if (versionA === undefined || versionB === undefined)
    return Number(versionA === undefined) - Number(versionB === undefined) || compareText(a, b);
  return compareVersions(versionB, versionA) || compareText(b, a);
}

/** True for a version that is equal to or newer than `least`. */
export function isAtLeast(name: string, least: string): boolean {
  const version = parse(name);
  const bound = parseLeast(least);
  return version !== undefined && bound !== undefined && compareVersions(version, bound) >= 0;
}

/** Parses the version to compare with, which may also be a single number, such as `21`. */
function parseLeast(text: string): Compared | undefined {
  return /^\d+$/.test(text) ? { numbers: [text], suffix: '' } : parse(text);
}

/** True if a text can be the second argument of {@link isAtLeast}. */
export function canBeLeast(text: string): boolean {
  return parseLeast(text) !== undefined;
}

/** Makes a key that is equal for names of the same version: `v2.4` and `2.4.0`. */
export function versionKey(name: string): string {
  const [, numbers, suffix = ''] = (name.length <= maxLength && /^v?(\d+(?:\.\d+)*)(\S*)$/i.exec(name)) || [];
  if (numbers === undefined) return name;
  const all = numbers.split('.').map((digits) => withoutZeros(digits) || '0');
  return all.join('.').replace(/(\.0)+$/, '') + suffix.toLowerCase();
}

/** Pre-release stages, by the first word of a suffix. */
const stages: ReadonlyMap<string, number> = new Map([
  ['snapshot', 0],
  ['dev', 0],
  ['alpha', 0],
  ['a', 0],
  ['beta', 1],
  ['b', 1],
  ['pre', 2],
  ['rc', 3],
]);
const released = 4;

type Compared = Pick<Version, 'numbers' | 'suffix'>;

function compareVersions(a: Compared, b: Compared): number {
  return (
    compareNumbers(a.numbers, b.numbers) ||
    stageOf(a) - stageOf(b) ||
    compareNumbers(a.suffix.match(/\d+/g), b.suffix.match(/\d+/g))
  );
}

function stageOf({ suffix }: Compared): number {
  const [word = ''] = /[a-z]+/i.exec(suffix) ?? [];
  return stages.get(word.toLowerCase()) ?? released;
}

/** Compares numbers from left to right; missing numbers count as 0. */
function compareNumbers(a: readonly string[] | null, b: readonly string[] | null): number {
  for (let index = 0; index < Math.max(a?.length ?? 0, b?.length ?? 0); index++) {
    const [digitsA, digitsB] = [withoutZeros(a?.[index] ?? ''), withoutZeros(b?.[index] ?? '')];
    const order = digitsA.length - digitsB.length || compareText(digitsA, digitsB);
    if (order !== 0) return order;
  }
  return 0;
}

/** Removes leading zeros; 0 becomes an empty text. */
function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, '');
}

/** Adds up the shares of each minor line. The shares of a group are consecutive in the result. */
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
export function areVersions({ sums, timeCount }: ShareDay): boolean {
  let [total, other] = [0, 0];
  for (const [name, sum] of sums) {
    total += sum;
    if (!isVersion(name)) other += sum;
  }
  return total >= least.total * timeCount && (total - other) / total >= least.share;
}

/** Adds to the sum of a name. */
export function addToSum<Name>(sums: Map<Name, number>, name: Name, value: number): void {
  sums.set(name, (sums.get(name) ?? 0) + value);
}

/** Adds up the outer shares of data. */
export function shareDayOf(shares: readonly ShareValue[], at: number | null): ShareDay {
  const sums = new Map<string, number>();
  for (const [{ group, name }, value] of shares) addToSum(sums, group ?? name, value);
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

/** Adds up the versions of a day by minor line, and what is no version as `other`. */
export function linesIn({ sums }: ShareDay, lineOf = minorLine): Lines & { readonly other: number } {
  let [total, other] = [0, 0];
  const lines = new Map<string, number>();
  for (const [name, sum] of sums) {
    total += sum;
    if (isVersion(name)) addToSum(lines, lineOf(name), sum);
    else other += sum;
  }
  // More names than the cache has would be parsed at each comparison.
  const some = [...lines].flatMap((line) => (line[1] === 0 ? [] : { line, version: parse(line[0]) }));
  some.sort((a, b) => newestFirst(a.line[0], b.line[0], [a.version, b.version]));
  return { total, other, lines: some.map(({ line }) => line) };
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
