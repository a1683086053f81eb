/** Questions, the findings that answer them, and rounds of measurements. */
import type { Build } from '../build/commit-build.ts';
import type { Cores } from './harness/machine.ts';

/** Unit of a figure, printed after it. */
export type Unit = '/s' | '/CPU s' | ' M points/s' | ' ms' | ' s' | ' MB' | ' B' | '';

/** Bound of a figure. */
export interface Demand {
  readonly kind: 'at least' | 'at most';
  readonly must: number;
}

/** A row of the table. */
export interface Finding {
  readonly what: string;
  readonly unit: Unit;
  readonly figure: number;
  readonly demand?: Demand;
  /** Notes that help to judge the figure. */
  readonly notes?: readonly string[];
}

/** A question about speed or size; `id` identifies it on the command line and in the table. */
export interface Question {
  readonly id: string;
  readonly title: string;
  readonly measure: (bench: Bench) => Promise<readonly Finding[]>;
}

/** The current run, as its questions see it. */
export interface Bench {
  /** The measured program. */
  readonly build: Build;
  /** Temporary folder of this run. */
  readonly folder: string;
  readonly cores: Cores;
  /** Reports progress. */
  readonly say: (line: string) => void;
}

/** Makes a lower bound. */
export function atLeast(must: number): Demand {
  return { kind: 'at least', must };
}

/** Makes an upper bound. */
export function atMost(must: number): Demand {
  return { kind: 'at most', must };
}

/** True if a figure has no demand, or meets it. */
export function isMet({ figure, demand }: Pick<Finding, 'figure' | 'demand'>): boolean {
  if (demand === undefined) return true;
  return demand.kind === 'at least' ? figure >= demand.must : figure <= demand.must;
}

/** Measures every side once per round, so that changes in the speed of the machine affect all sides. */
export async function alternate<Name extends string, Round>(
  bench: Bench,
  sides: Readonly<Record<Name, () => Promise<Round>>>,
): Promise<Readonly<Record<Name, readonly Round[]>>> {
  const names = Object.keys(sides) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Round[]>;
  for (const round of [1, 2, 3]) {
    for (const name of names) {
      const result = await sides[name]();
      results[name].push(result);
      bench.say(`round ${round}, ${name}: ${JSON.stringify(result)}`);
    }
  }
  return results;
}

/** Returns the median of one figure over all rounds. */
export function medianOf<Round>(rounds: readonly Round[], figure: (round: Round) => number): number {
  const sorted = rounds.map(figure).toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Returns a failure as one line of at most 500 characters: the output of a failed program may have many. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 500);
}
