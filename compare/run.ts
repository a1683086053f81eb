/** The command: `npm run compare -- [options] COMMIT [PART…]`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCommit, buildWorkingTree } from '../build/commit-build.ts';
import { compareBuilds, partNames } from './compare-builds.ts';
import { meantDifferences } from './intended.ts';
import { renderReport } from './report.ts';

const usage = `usage: npm run compare -- [options] COMMIT [PART…]

Builds COMMIT and the working tree, gives both the same data, requests and commands, and lists what differs.
Without parts it compares all: ${partNames.join(', ')}. compare/intended.ts has the differences that are meant.

  --seed TEXT  another random catalogue
  --help       prints this

Exit codes: 0 nothing differs but what is meant, 1 something does, 2 wrong usage or a commit that does not build.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-metrics-compare-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
  const say = (line: string) => process.stderr.write(`${line}\n`);
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: 'boolean', default: false }, seed: { type: 'string', default: '1' } },
    });
    const [commit, ...names] = positionals;
    if (values.help || commit === undefined) {
      process.stdout.write(usage);
      return values.help ? 0 : 2;
    }
    const wrong = names.find((name) => !partNames.some((part) => part === name));
    if (wrong !== undefined) throw new Error(`there is no part ${wrong}; there are ${partNames.join(', ')}`);
    const parts = names.length === 0 ? partNames : partNames.filter((part) => names.includes(part));
    say(`building ${commit} and the working tree`);
    const builds = { earlier: await buildCommit(commit), present: await buildWorkingTree() };
    const findings = await compareBuilds({
      builds,
      folder,
      meant: meantDifferences,
      parts,
      seed: values.seed,
      say,
    });
    process.stdout.write(renderReport(findings, { isWhole: parts.length === partNames.length }));
    return findings.found.length === 0 ? 0 : 1;
  } catch (error) {
    say(`error: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
}
