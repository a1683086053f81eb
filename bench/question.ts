/** Questions, the findings that answer them, and their rounds. */
import type { Build } from '../build/commit-build.ts';
import type { Cores } from './harness/machine.ts';

/** The unit of a figure, printed after it. */
export type Unit = '/s' | '/CPU s' | ' M points/s' | ' ms' | ' s' | ' MB' | ' B' | '';

/** A bound of a figure. */
export interface Demand {
  readonly kind: 'at least' | 'at most';
  readonly must: number;
}

/** One row of the table. */
export interface Finding {
  readonly what: string;
  readonly unit: Unit;
  readonly figure: number;
  readonly demand: Demand;
  /** Facts that a reader needs to judge the figure. */
  readonly notes?: readonly string[];
}

/** A question of speed or size; `id` identifies it on the command line and in the table. */
export interface Question {
  readonly id: string;
  readonly title: string;
  readonly measure: (bench: Bench) => Promise<readonly Finding[]>;
}

/** The run, as seen by its questions. */
export interface Bench {
  /** The measured program. */
  readonly build: Build;
  /** A temporary folder for this run. */
  readonly folder: string;
  readonly cores: Cores;
  /** Reports progress. */
  readonly say: (line: string) => void;
}

/** A lower bound. */
export function atLeast(must: number): Demand {
  return { kind: 'at least', must };
}

/** An upper bound. */
export function atMost(must: number): Demand {
  return { kind: 'at most', must };
}

/** Checks a figure against its demand. */
export function isMet({ figure, demand }: Pick<Finding, 'figure' | 'demand'>): boolean {
  return demand.kind === 'at least' ? figure >= demand.must : figure <= demand.must;
}

/** Measures every side once per round, so that changes of the machine's speed affect all of them. */
export async function alternate<Name extends string, Round>(
  bench: Bench,
  sides: Readonly<Record<Name, () => Promise<Round>>>,
): Promise<Readonly<Record<Name, readonly Round[]>>> {
  const names = Object.keys(sides) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Round[]>;
  const fourDigits = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  for (const round of [1, 2, 3]) {
    for (const name of names) {
      const result = await sides[name]();
      results[name].push(result);
      bench.say(`round ${round}, ${name}: ${JSON.stringify(result, fourDigits)}`);
    }
  }
  return results;
}

/** The median of one figure over all rounds. */
export function medianOf<Round>(rounds: readonly Round[], figure: (round: Round) => number): number {
  const sorted = rounds.map(figure).toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The first line of a failure: the output of a failed program may have many. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 500);
}
