/**
 * The tally of a chart: one integer beside the chart that says which rows its data is made of, so that the check finds a row
 * that is gone and one that does not belong. Its lower 20 bits count the rows; above them is the sum of a hash of their keys.
 * It changes only where a row comes or goes, so an import that adds points to chunks that are there does not write it.
 */
import { crc32 } from 'node:zlib';

/** The key of a row of a chart's data: the first timestamp of a chunk, or `snapshot`. */
export type DataKey = number | bigint | 'snapshot';

const countRange = 2 ** 20;

/** Tallies are integers from 0 to this, and are added modulo it: a sum of two is still exact. */
export const tallyRange = 2 ** 52;

/** The tally of data that is one row. */
export function tallyOf(key: DataKey): number {
  return 1 + countRange * crc32(String(key));
}

/** The tally of the rows of both. */
export function addTallies(one: number, other: number): number {
  return (one + other) % tallyRange;
}

/** The number to add to a tally where rows come and go; 0 where none does. */
export function tallyChange(added: readonly DataKey[], removed: readonly DataKey[]): number {
  const sumOf = (keys: readonly DataKey[]) =>
    keys.reduce((sum: number, key) => addTallies(sum, tallyOf(key)), 0);
  return addTallies(sumOf(added), tallyRange - sumOf(removed)) % tallyRange;
}

/** The difference between the rows that should be there and those that are, in words; undefined where there is none. */
export function tallyFault(stored: number, found: number): string | undefined {
  if (stored === found) return undefined;
  if (!(stored >= 0 && stored < tallyRange)) return 'the tally of its data is damaged';
  const [expected, count] = [stored % countRange, found % countRange];
  if (count < expected) return `rows of its data are missing: ${count} of ${expected} are there`;
  if (count > expected) return `rows of its data are too many: ${count} are there, ${expected} were stored`;
  return 'the rows of its data are not those that were stored';
}
