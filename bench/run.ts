/** The command: `npm run bench -- [QUESTION…]`, and `npm run bench -- --beside COMMIT`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCommit, buildWorkingTree } from '../build/commit-build.ts';
import { compareBuilds, rowIds } from './beside/beside.ts';
import { dealCores, stayOnCores } from './harness/machine.ts';
import { keptFolder } from './harness/stores.ts';
import { type Bench, messageOf, type Question } from './question.ts';
import { pages } from './questions/pages.ts';
import { peers } from './questions/peers.ts';
import { waits } from './questions/waits.ts';
import { allMet, markdownTable, type Outcome } from './table.ts';

const questions: readonly Question[] = [...waits, ...pages, ...peers];
const questionIds = questions.map(({ id }) => id);

const usage = `usage: npm run bench -- --beside COMMIT [--only ROWS] [--rounds N]
       npm run bench -- [QUESTION…]

With --beside, compares the working tree with a commit, and prints a table of ratios: the working tree divided by the commit.

  --only ROWS      these rows, with commas between them; \`cached\` stands for all that begin with \`cached-\`
                   (${rowIds.join(' ')})
  --rounds N       5 unless given

Otherwise answers the questions (${questionIds.join(' ')}), all without names, and prints one table.

  --help           prints this

Data for the next run are kept in ${keptFolder}.
Exit codes: 0 everything was measured and is within its bound, 1 something is not, 2 wrong usage.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  let request: ReturnType<typeof parseRequest>;
  try {
    request = parseRequest(args);
  } catch (error) {
    process.stderr.write(`error: ${messageOf(error)}\n\n${usage}`);
    return 2;
  }
  if (request.help) {
    process.stdout.write(usage);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'plugin-metrics-bench-run-'));
  // On exit, for any reason, the children are killed and the folder is removed.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
  const say = (line: string) => process.stderr.write(`  ${line}\n`);
  say('building');
  const build = await buildWorkingTree();
  const earlier = request.beside === undefined ? undefined : await buildCommit(request.beside);
  const cores = dealCores();
  if (!stayOnCores(cores.load)) say('taskset is not installed: server and load share all cores');
  const bench = { build, folder, cores, say };
  if (earlier !== undefined) {
    const { table, isGood } = await compareBuilds(bench, { present: build, earlier }, request);
    process.stdout.write(`${table}\n`);
    return isGood ? 0 : 1;
  }
  const outcomes: Outcome[] = [];
  for (const question of request.asked) outcomes.push(await answer(question, bench));
  process.stdout.write(`${markdownTable(outcomes)}\n`);
  return allMet(outcomes) ? 0 : 1;
}

function parseRequest(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      beside: { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const unknown = positionals.find((id) => !questionIds.includes(id));
  if (unknown !== undefined) throw new Error(`there is no question ${unknown}`);
  const asked = questions.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  const roundCount = Number(values.rounds);
  if (!Number.isInteger(roundCount) || roundCount < 1)
    throw new Error(`--rounds must be a whole number from 1, got ${values.rounds}`);
  return { ...values, asked, rows: rowsOf(values.only), roundCount };
}

/** Returns the ids of the rows that `--only` names; all without it. */
function rowsOf(only: string | undefined): readonly string[] {
  const names = only?.split(',');
  const isNamed = (id: string) => (name: string) => id === name || id.startsWith(`${name}-`);
  const unknown = names?.find((name) => !rowIds.some((id) => isNamed(id)(name)));
  if (unknown !== undefined) throw new Error(`there is no row ${unknown}`);
  return rowIds.filter((id) => names === undefined || names.some(isNamed(id)));
}

async function answer(question: Question, bench: Bench): Promise<Outcome> {
  process.stderr.write(`${question.id} ${question.title}\n`);
  try {
    return { question, findings: await question.measure(bench) };
  } catch (error) {
    const failure = `failed: ${messageOf(error)}`;
    bench.say(failure);
    return { question, findings: [], failure };
  }
}
