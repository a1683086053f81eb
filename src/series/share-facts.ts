/** The facts of a chart of shares: the order in which its shares have colours, and since when one of them has been the largest. */
import type { ShareFacts } from '../model/chart-data.ts';
import { formOf } from '../model/chart-types.ts';
import { sharesIn } from '../model/data-shares.ts';
import type { JsonText } from '../model/json-text.ts';
import { compareText, type ShareHistory } from '../model/share-history.ts';
import { dayMs } from '../model/window.ts';
import { largestSums, outerShares } from './share-steps.ts';

/** A share that is the largest, and the time since which it has been, in Unix milliseconds. */
interface MostUsed {
  readonly name: string;
  readonly since: number;
}

/** The sums and the leader up to a time, of which the facts are made. */
export interface ShareTotals {
  /** The largest first, then bytewise. */
  readonly sums: ReadonlyArray<readonly [name: string, sum: number]>;
  readonly mostUsed: MostUsed | null;
}

/** The totals before the first time. */
export const noTotals: ShareTotals = { sums: [], mostUsed: null };

/** The most shares with a colour of their own. */
const maxColours = 12;

/** A limit on the names that have a sum, some 2,000: each takes its characters, and so many more. The smallest are forgotten. */
const maxNamesSize = 65_536;
const nameSize = 20;

/** Adds a part of a history that is later than those before: a chunk, because sums of fractions depend on how they are added. */
export function addToTotals({ sums, mostUsed }: ShareTotals, part: ShareHistory): ShareTotals {
  const isGrouped = part.shares.some(({ group }) => group !== null);
  const outer = isGrouped ? outerShares(part) : part;
  const added = new Map(sums);
  for (const [rank, { name }] of outer.shares.entries()) {
    let sum = 0;
    for (const value of outer.columns[rank] ?? []) sum += value;
    added.set(name, (added.get(name) ?? 0) + sum);
  }
  let size = 0;
  const kept = [...added]
    .sort(([nameA, a], [nameB, b]) => b - a || compareText(nameA, nameB))
    .filter(([name]) => {
      const next = size + name.length + nameSize;
      if (next > maxNamesSize) return false;
      size = next;
      return true;
    });
  return { sums: kept, mostUsed: follow(mostUsed, outer) };
}

/** Finds the share that leads: the one that became larger than the one before; of several, the first by name. Where nothing is counted, nothing changes. */
function follow(before: MostUsed | null, { times, shares, columns }: ShareHistory): MostUsed | null {
  let mostUsed = before;
  let leading = columns[shares.findIndex(({ name }) => name === before?.name)];
  for (const [at, since] of times.entries()) {
    let most = leading?.[at] ?? 0;
    for (const [rank, { name }] of shares.entries()) {
      const value = columns[rank]?.[at] ?? 0;
      if (value <= most || value <= 0) continue;
      [most, leading, mostUsed] = [value, columns[rank], { name, since }];
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
  const sums = new Map<string, number>();
  for (const [{ group, name }, value] of sharesIn(formOf(type), JSON.parse(json)))
    if (value !== 0) sums.set(group ?? name, (sums.get(group ?? name) ?? 0) + value);
  const largest = largestSums(sums, maxColours, compareText);
  return { colours: largest.map(([name]) => name), mostUsed: null };
}
