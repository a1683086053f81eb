/** Shares: the content of pies, maps and bars. */

/** A name with its value. */
export interface Share {
  readonly name: string;
  readonly value: number;
}

/** A slice of a pie, with its parts if it is a drilldown pie. */
export interface Slice extends Share {
  readonly parts: readonly Share[];
}

/** A bar: its value is the sum of its parts. */
export interface Bar extends Share {
  readonly parts: readonly number[];
}

/** The sum of numbers. */
export function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
