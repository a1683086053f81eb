/** The whole comparison: both builds get the same archives, requests and commands. */
import { join } from 'node:path';
import type { Build } from '../build/commit-build.ts';
import { compareCopying } from './compare-copying.ts';
import { compareOptions } from './compare-options.ts';
import { askWires, compareServers, everyRequest, everyThirdRequest } from './compare-servers.ts';
import { archivesOf } from './data.ts';
import { Findings } from './findings.ts';
import type { MeantDifference } from './intended.ts';
import type { Pair } from './pair.ts';
import { Program } from './program.ts';
import { refusedCommands } from './refused.ts';
import { readRoutes } from './requests/routes.ts';
import { type Run, runCommands } from './run-commands.ts';
import { storeCommands } from './store-commands.ts';
import { compareHelps, compareUsage } from './usage-commands.ts';

/** Options of a comparison. */
export interface ComparisonOptions {
  readonly builds: Pair<Build>;
  /** An empty folder for stores and archives. */
  readonly folder: string;
  readonly meant: readonly MeantDifference[];
  /** The parts to compare, of {@link partNames}. */
  readonly parts: readonly PartName[];
  /** The seed of the random catalogue and of random requests. */
  readonly seed: string;
  /** Tells people what is being done. */
  readonly say: (line: string) => void;
}

const parts = {
  /** The sample, whose names and numbers are ordinary. */
  sample: (run) => compareServers(run, { data: 'sample', requests: everyThirdRequest }),
  /** The random catalogue, the conformance cases, and malformed requests. */
  random: (run) => compareServers(run, { data: 'random', requests: everyRequest, more: askWires }),
  /** Servers with other options, and stores that are empty or large. */
  options: compareOptions,
  /** Collectors, and mirrors of the servers. */
  copying: compareCopying,
  /** The help of all commands. */
  help: async (run) => void (await compareHelps(run)),
  /** Wrong command lines, and wrong values of all options. */
  usage: compareUsage,
  /** Commands that fill, read and change a store. */
  commands: (run) => runCommands(run, storeCommands(archivesOf('small', run.seed))),
  /** Archives and CSV files that are refused. */
  refused: (run) => runCommands(run, refusedCommands()),
} satisfies Readonly<Record<string, (run: Run) => Promise<void>>>;

/** The name of a part. */
export type PartName = keyof typeof parts;

/** The names of all parts, in their order. */
export const partNames = Object.keys(parts) as readonly PartName[];

/** Compares two builds. */
export async function compareBuilds({
  builds,
  folder,
  meant,
  seed,
  say,
  ...options
}: ComparisonOptions): Promise<Findings> {
  const findings = new Findings(meant);
  const routes = await readRoutes(builds);
  const programs = {
    earlier: new Program(builds.earlier, join(folder, 'earlier')),
    present: new Program(builds.present, join(folder, 'present')),
  };
  const kill = () => {
    for (const program of Object.values(programs)) program.kill();
  };
  process.on('exit', kill);
  try {
    for (const part of options.parts) {
      const startedAt = performance.now();
      await parts[part]({ programs, findings, routes, seed, say });
      say(`${part}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    }
  } finally {
    kill();
    process.off('exit', kill);
  }
  return findings;
}
