/**
 * Facts about a chart of shares: the order in which shares get colours, the largest share, and since when it
 * has been the largest.
 */
import { maxJsonBytes, type ShareFacts } from '../model/chart-data.ts';
import { sharesIn } from '../model/chart-forms.ts';
import { formOf } from '../model/chart-types.ts';
import { type Columns, compareText } from '../model/columns.ts';
import type { JsonText } from '../model/json-text.ts';
import { dayMs } from '../model/window.ts';
import { largestSums, outerShares } from './share-steps.ts';

/** The largest share, and the time since which it has been the largest, in Unix milliseconds. */
interface MostUsed {
  readonly name: string;
  readonly since: number;
}

type NameSum = readonly [name: string, sum: ExactSum];

/** Sums and leader up to a given time, from which the facts are computed. */
export interface ShareTotals {
  /** Largest first, then bytewise; truncated if there are too many. */
  readonly sums: readonly NameSum[];
  readonly mostUsed: MostUsed | null;
}

/** Totals before the first time. */
export const noTotals: ShareTotals = { sums: [], mostUsed: null };

/** Maximum number of shares with their own colour. */
const maxColours = 12;

/** Size limits for names with their sums: of stored totals, and of the sums held in memory while adding. */
const maxSize = maxJsonBytes;
const maxAddedSize = 4 * maxSize;

const sizeOf = (name: string) => name.length + 20;

function sizeOfAll(sums: ShareTotals['sums']): number {
  return sums.reduce((size, [name]) => size + sizeOf(name), 0);
}

/** True if the totals are not truncated. */
export function areWhole({ sums }: ShareTotals): boolean {
  return sizeOfAll(sums) < maxSize;
}

function compareNameSums([nameA, a]: NameSum, [nameB, b]: NameSum): number {
  return compareSums(b, a) || compareText(nameA, nameB);
}

function largerSum(a: ExactSum, b: ExactSum): ExactSum {
  return compareSums(a, b) < 0 ? b : a;
}

/** Renders sums as JSON, each with its exact parts: `[[name, 0.1, 5e-18], …]`. */
export function renderSums({ sums }: ShareTotals): string {
  return JSON.stringify(sums.map(([name, sum]) => [name, ...sum]));
}

/** Parses the JSON of {@link renderSums}. */
export function parseSums(json: string): ShareTotals['sums'] {
  const rows: readonly (readonly [name: string, ...sum: number[]])[] = JSON.parse(json);
  return rows.map(([name, ...sum]) => [name, sum]);
}

/**
 * Adds up a history, chunk by chunk. If the names exceed the memory limit, one pass counts only the names in
 * a range from `start` to `end`.
 */
export class ShareAdder {
  readonly #before: ReadonlyMap<string, ExactSum>;
  readonly #bound: ExactSum | undefined;
  readonly #sums: Map<string, ExactSum>;
  readonly #start: string;
  #end: string | undefined;
  #size: number;
  #mostUsed: MostUsed | null;

  /** @param before totals of everything before the history; `start` is the first name to count. */
  constructor(before: ShareTotals = noTotals, start = '') {
    this.#start = start;
    this.#before = new Map(before.sums);
    // A name without a sum in truncated totals had at most the smallest sum there; a new name had 0.
    this.#bound = areWhole(before) ? undefined : largerSum(before.sums.at(-1)?.[1] ?? [], [0]);
    this.#sums = new Map(before.sums.filter(([name]) => this.#counts(name)));
    this.#size = sizeOfAll([...this.#sums]);
    this.#mostUsed = before.mostUsed;
  }

  /** First name left for the next pass; undefined if all names were counted. */
  get end(): string | undefined {
    return this.#end;
  }

  /** Adds a part, which must be later than all parts before. */
  add(part: Columns): void {
    for (const { group, name, values } of part.series) {
      const key = group ?? name;
      const known = this.#sums.get(key);
      if (known === undefined) {
        if (!this.#counts(key)) continue;
        this.#size += sizeOf(key);
      }
      this.#sums.set(key, addColumn(known ?? [], values));
    }
    while (this.#size > maxAddedSize && this.#sums.size > 1) this.#halve();
    const isGrouped = part.series.some(({ group }) => group !== null);
    this.#mostUsed = follow(this.#mostUsed, isGrouped ? outerShares(part) : part);
  }

  /** Combines the totals of this pass with those of earlier passes. */
  finish({ sums }: ShareTotals = noTotals): ShareTotals {
    let size = 0;
    const sorted = [...sums, ...this.#sums].sort(compareNameSums).filter(([name]) => {
      const isWanted = size < maxSize;
      size += sizeOf(name);
      return isWanted;
    });
    return { sums: sorted, mostUsed: this.#mostUsed };
  }

  /** Returns the facts; undefined if a name missing from the truncated totals might be among the largest. */
  facts(): ShareFacts | undefined {
    const bound = this.#bound;
    const isExact = ([name]: NameSum) => bound === undefined || this.#before.has(name);
    const largest = largestSums(this.#sums.entries().filter(isExact), maxColours, compareNameSums);
    if (bound !== undefined) {
      const least = largest[maxColours - 1]?.[1];
      let most: ExactSum = [0];
      for (const entry of this.#sums) if (!isExact(entry)) most = largerSum(most, entry[1]);
      if (least === undefined || compareSums(least, most.reduce(addExactly, bound)) <= 0) return undefined;
    }
    return factsOfTotals({ sums: largest, mostUsed: this.#mostUsed });
  }

  #counts(name: string): boolean {
    return name >= this.#start && (this.#end === undefined || name < this.#end);
  }

  #halve(): void {
    const names = [...this.#sums.keys()].sort();
    this.#end = names[names.length >> 1];
    for (const name of names.slice(names.length >> 1)) {
      this.#sums.delete(name);
      this.#size -= sizeOf(name);
    }
  }
}

/**
 * Tracks the leader: a share must exceed it to replace it; ties go by name. Times without counts change
 * nothing.
 */
function follow(before: MostUsed | null, { times, series }: Columns): MostUsed | null {
  let mostUsed = before;
  let leading = series.find(({ name }) => name === before?.name)?.values;
  for (const [at, since] of times.entries()) {
    let most = leading?.[at] ?? 0;
    for (const { name, values } of series) {
      const value = values[at] ?? 0;
      if (value <= most || value <= 0) continue;
      [most, leading, mostUsed] = [value, values, { name, since }];
    }
  }
  return mostUsed;
}

/** Makes the facts of a whole history. */
export function factsOfTotals({ sums, mostUsed }: ShareTotals): ShareFacts {
  return {
    colours: sums.slice(0, maxColours).map(([name]) => name),
    mostUsed: mostUsed && { ...mostUsed, since: Math.floor(mostUsed.since / dayMs) * dayMs },
  };
}

/** Makes the facts of a chart without a history from its current data. */
export function factsOfData(type: string, json: JsonText): ShareFacts {
  const sums = new Map<string, ExactSum>();
  for (const [{ group, name }, value] of sharesIn(formOf(type), JSON.parse(json)))
    if (value !== 0) sums.set(group ?? name, addExactly(sums.get(group ?? name) ?? [], value));
  return factsOfTotals({ sums: largestSums(sums, maxColours, compareNameSums), mostUsed: null });
}

/** A sum as doubles whose digits do not overlap, largest first. */
type ExactSum = readonly number[];

/**
 * Adds a number (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997, section 2). A sum that
 * exceeds the largest double stays infinite.
 */
function addExactly(sum: ExactSum, value: number): ExactSum {
  const [only = 0] = sum;
  if (sum.length < 2 && [only, value, only + value].every(Number.isSafeInteger)) return [only + value];
  const parts: number[] = [];
  let total = value;
  for (const part of sum.toReversed()) {
    const [large, small] = Math.abs(total) < Math.abs(part) ? [part, total] : [total, part];
    total = large + small;
    if (!Number.isFinite(total)) return [Math.sign(total) * Number.MAX_VALUE];
    const rest = small - (total - large);
    if (rest !== 0) parts.unshift(rest);
  }
  return total === 0 && parts.length > 0 ? parts : [total, ...parts];
}

/** Adds all numbers of a column. */
function addColumn(sum: ExactSum, column: Float64Array): ExactSum {
  let [total, size, isWhole] = [0, 0, true];
  for (const value of column) {
    total += value;
    size += Math.abs(value);
    isWhole &&= Number.isInteger(value);
  }
  // Integer addition within this range is exact.
  if (isWhole && size <= Number.MAX_SAFE_INTEGER) return addExactly(sum, total);
  return column.reduce<ExactSum>(addExactly, sum);
}

/** Compares two sums; negative if the first is smaller. */
function compareSums(a: ExactSum, b: ExactSum): number {
  if (a.length === 1 && b.length === 1) return (a[0] ?? 0) - (b[0] ?? 0);
  return b.reduce<ExactSum>((rest, part) => addExactly(rest, -part), a)[0] ?? 0;
}
