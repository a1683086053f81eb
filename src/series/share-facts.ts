/** The facts of a chart of shares: the order in which its shares have colours, and since when one of them has been the largest. */
import { maxJsonBytes, type ShareFacts } from '../model/chart-data.ts';
import { formOf } from '../model/chart-types.ts';
import type { Columns } from '../model/columns.ts';
import { sharesIn } from '../model/data-shares.ts';
import type { JsonText } from '../model/json-text.ts';
import { compareText } from '../model/share-name.ts';
import { dayMs } from '../model/window.ts';
import { addColumn, addExactly, compareSums, type ExactSum } from './exact-sum.ts';
import { largestSums, outerShares } from './share-steps.ts';

/** A share that is the largest, and the time since which it has been, in Unix milliseconds. */
interface MostUsed {
  readonly name: string;
  readonly since: number;
}

type NameSum = readonly [name: string, sum: ExactSum];

/** The sums and the leader up to a time, of which the facts are made. */
export interface ShareTotals {
  /** The largest first, then bytewise; where they are too many, the first of them. */
  readonly sums: readonly NameSum[];
  readonly mostUsed: MostUsed | null;
}

/** The totals before the first time. */
export const noTotals: ShareTotals = { sums: [], mostUsed: null };

/** The most shares with a colour of their own. */
const maxColours = 12;

/** The size of names with a sum at which totals end, and the size that is in memory while they are added up. */
const maxSize = maxJsonBytes;
const maxAddedSize = 4 * maxSize;

const sizeOf = (name: string) => name.length + 20;

function sizeOfAll(sums: ShareTotals['sums']): number {
  return sums.reduce((size, [name]) => size + sizeOf(name), 0);
}

/** True for totals that hold the sum of every name. */
export function areWhole({ sums }: ShareTotals): boolean {
  return sizeOfAll(sums) < maxSize;
}

function compareNameSums([nameA, a]: NameSum, [nameB, b]: NameSum): number {
  return compareSums(b, a) || compareText(nameA, nameB);
}

function largerSum(a: ExactSum, b: ExactSum): ExactSum {
  return compareSums(a, b) < 0 ? b : a;
}

/** Renders sums as JSON, each with its parts: `[[name, 0.1, 5e-18], …]`. */
export function renderSums({ sums }: ShareTotals): string {
  return JSON.stringify(sums.map(([name, sum]) => [name, ...sum]));
}

/** Parses what {@link renderSums} made. */
export function parseSums(json: string): ShareTotals['sums'] {
  const rows: readonly (readonly [name: string, ...sum: number[]])[] = JSON.parse(json);
  return rows.map(([name, ...sum]) => [name, sum]);
}

/** Adds up a history, chunk by chunk. It counts the names from one on, and up to another where they are too many for memory. */
export class ShareAdder {
  readonly #before: ReadonlyMap<string, ExactSum>;
  readonly #bound: ExactSum | undefined;
  readonly #sums: Map<string, ExactSum>;
  readonly #start: string;
  #end: string | undefined;
  #size: number;
  #mostUsed: MostUsed | null;

  /** @param before the totals of what is before the history. */
  constructor(before: ShareTotals = noTotals, start = '') {
    this.#start = start;
    this.#before = new Map(before.sums);
    // A name that comes for the first time has 0 before.
    this.#bound = areWhole(before) ? undefined : largerSum(before.sums.at(-1)?.[1] ?? [], [0]);
    this.#sums = new Map(before.sums.filter(([name]) => this.#counts(name)));
    this.#size = sizeOfAll([...this.#sums]);
    this.#mostUsed = before.mostUsed;
  }

  /** The first name that is left to another pass; undefined if all were counted. */
  get end(): string | undefined {
    return this.#end;
  }

  /** Adds a part that is later than those before. */
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

  /** The totals of the names that were counted, together with those of the ranges before. */
  finish({ sums }: ShareTotals = noTotals): ShareTotals {
    let size = 0;
    const sorted = [...sums, ...this.#sums].sort(compareNameSums).filter(([name]) => {
      const isWanted = size < maxSize;
      size += sizeOf(name);
      return isWanted;
    });
    return { sums: sorted, mostUsed: this.#mostUsed };
  }

  /** The facts; undefined where a name that the totals before have left out may be among the largest. */
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

/** Tracks the leader: a share must exceed it to replace it; ties go by name. Times without counts change nothing. */
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

/** The facts of a whole history. */
export function factsOfTotals({ sums, mostUsed }: ShareTotals): ShareFacts {
  return {
    colours: sums.slice(0, maxColours).map(([name]) => name),
    mostUsed: mostUsed && { ...mostUsed, since: Math.floor(mostUsed.since / dayMs) * dayMs },
  };
}

/** The facts of a chart without a history, by the data that it has now. */
export function factsOfData(type: string, json: JsonText): ShareFacts {
  const sums = new Map<string, ExactSum>();
  for (const [{ group, name }, value] of sharesIn(formOf(type), JSON.parse(json)))
    if (value !== 0) sums.set(group ?? name, addExactly(sums.get(group ?? name) ?? [], value));
  return factsOfTotals({ sums: largestSums(sums, maxColours, compareNameSums), mostUsed: null });
}
