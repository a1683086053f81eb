/** Recognizes names that are versions, orders them, and finds their minor lines. */
import { compareText } from './share-name.ts';

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

function parse(name: string): Version | undefined {
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
export function newestFirst(a: string, b: string): number {
  const [versionA, versionB] = [parse(a), parse(b)];
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
  const [, numbers, suffix = ''] = /^v?(\d+(?:\.\d+)*)(\S*)$/i.exec(name) ?? [];
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
