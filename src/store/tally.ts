/**
 * The tally of a chart: an integer that identifies the rows of its data, so that the check finds rows that are missing or do
 * not belong there. Its lower 20 bits count the rows; above them is the sum of a hash of their keys. It changes only with the
 * set of rows: an import that adds points to existing chunks does not write it.
 */
import { crc32 } from 'node:zlib';

/** The key of a row of data: the first timestamp of a chunk, or `snapshot`. */
export type DataKey = number | bigint | 'snapshot';

const countRange = 2 ** 20;

/** Tallies are integers below this number, and are added modulo it. The sum of two is still exact. */
export const tallyRange = 2 ** 52;

/** Computes the tally of one row. */
export function tallyOf(key: DataKey): number {
  return 1 + countRange * crc32(String(key));
}

/** Adds the tallies of two sets of rows. */
export function addTallies(one: number, other: number): number {
  return (one + other) % tallyRange;
}

/** Computes the number to add to a tally when rows are added and removed; 0 if there are none. */
export function tallyChange(added: readonly DataKey[], removed: readonly DataKey[]): number {
  const sumOf = (keys: readonly DataKey[]) =>
    keys.reduce((sum: number, key) => addTallies(sum, tallyOf(key)), 0);
  return addTallies(sumOf(added), tallyRange - sumOf(removed)) % tallyRange;
}

/**
 * Computes the tally of a chart that has a snapshot and these blocks. A chart with this tally whose snapshot is not there has lost it: adding it
 * again does not change the tally. With any other, the snapshot is new, and a fault of its blocks must stay known.
 */
export function tallyWithSnapshot(blockStarts: readonly DataKey[]): number {
  return tallyChange(['snapshot', ...blockStarts], []);
}

/** Describes the difference between the stored tally and that of the rows; undefined if there is none. */
export function tallyFault(stored: number, found: number): string | undefined {
  if (stored === found) return undefined;
  if (!(stored >= 0 && stored < tallyRange)) return 'the tally of its data is damaged';
  const [expected, count] = [stored % countRange, found % countRange];
  if (count < expected) return `rows of its data are missing: ${count} of ${expected} are there`;
  if (count > expected) return `rows of its data are too many: ${count} are there, ${expected} were stored`;
  return 'the rows of its data are not those that were stored';
}
