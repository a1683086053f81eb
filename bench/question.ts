/** What a question is, and what an answer to it says. */
import type { ProgramName } from './harness/programs.ts';

/** What a figure counts. */
export type Unit = 'requests/s' | 'requests/CPU s' | 'points/s' | 'ms' | 's' | 'MB' | 'bytes/point';

/** What a figure must be. */
export interface Demand {
  /** Whether the figure itself is judged, or its ratio to what it is compared with. */
  readonly of: 'ours' | 'ratio';
  readonly kind: 'at least' | 'at most';
  readonly must: number;
  /** Where it could get to. */
  readonly aim: number;
}

/** One line of the table. */
export interface Finding {
  readonly what: string;
  readonly unit: Unit;
  readonly ours: number;
  /** What it is compared with, measured in the same run; left out where there is nothing. */
  readonly limit?: number;
  readonly demand: Demand;
  /** The figure follows from others that were measured: it neither meets its demand nor fails it. */
  readonly isCalculated?: true;
  /** What a reader must know to judge the figure. */
  readonly notes?: readonly string[];
}

/** A figure that is being asked for. */
export interface Question {
  /** As the command line and the table name it: `1`, `6b`. */
  readonly id: string;
  readonly title: string;
  /** Programs that must be there, beside Node and `taskset`. */
  readonly programs: readonly ProgramName[];
  readonly measure: (bench: Bench) => Promise<readonly Finding[]>;
}

/** What a run hands to its questions. */
export interface Bench {
  /** Shorter rounds, for trying things out: the figures are not to be quoted. */
  readonly isQuick: boolean;
  /** The program's file, which Node runs. */
  readonly program: string;
  /** A folder for this run alone; removed at its end. */
  readonly folder: string;
  /** Aborted when the run is to end early. */
  readonly signal: AbortSignal;
  /** Which cores serve and which make the load. */
  readonly cores: Cores;
  /** Tells whoever waits what is going on. */
  readonly say: (line: string) => void;
}

/** Numbers of processor cores, as `taskset` takes them. */
export interface Cores {
  /** One core for what is measured. */
  readonly server: string;
  /** Another one for the load. */
  readonly load: string;
  /** Two cores for what is measured there. */
  readonly twoServers: string;
  /** Where the load runs then; the same two where there are no more. */
  readonly twoServersLoad: string;
}

/** Whether a finding meets its demand. */
export function isMet({ ours, limit, demand }: Finding): boolean {
  const figure = demand.of === 'ratio' ? ours / (limit ?? Number.NaN) : ours;
  return demand.kind === 'at least' ? figure >= demand.must : figure <= demand.must;
}

/** How long one round lasts, in seconds. */
export function roundSeconds(bench: Bench): number {
  return bench.isQuick ? 1 : 6;
}

/** How many rounds each side has. */
export const roundCount = 3;
