/** Rounds that alternate between sides, so that a machine that changes its mind changes it for all. */
import { type Bench, roundCount } from '../question.ts';

/** One of the things that are compared. */
export interface Side<Name extends string> {
  readonly name: Name;
  /** One round; gives its figure. */
  readonly measure: () => Promise<number>;
}

/** The median figure of every side. */
export async function alternate<Name extends string>(
  bench: Bench,
  sides: ReadonlyArray<Side<Name>>,
  rounds = roundCount,
): Promise<Readonly<Record<Name, number>>> {
  const figures = new Map<Name, number[]>(sides.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const { name, measure } of sides) {
      bench.signal.throwIfAborted();
      const figure = await measure();
      figures.get(name)?.push(figure);
      bench.say(`round ${round}, ${name}: ${figure.toLocaleString('en-US', { maximumFractionDigits: 2 })}`);
    }
  }
  const medians = sides.map(({ name }) => [name, median(figures.get(name) ?? [])]);
  return Object.fromEntries(medians) as Record<Name, number>;
}

/** The middle one; of an even number, the mean of the middle two. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
