/** The command: `npm run bench -- [--quick] [QUESTION…]`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dealCores, findMissing, MissingProgram, machineTable, stayOnCores } from './harness/machine.ts';
import { keptFolder } from './harness/stores.ts';
import type { Bench, Question } from './question.ts';
import { questions } from './questions/all.ts';
import { allMet, markdownTable, type Outcome, replaceGenerated, replaceRows } from './table.ts';

const usage = `usage: npm run bench -- [options] [QUESTION…]

Answers the questions (${questions.map(({ id }) => id).join(' ')}) and prints one table. Without names it asks all but
${questions
  .filter(({ isLong }) => isLong)
  .map(({ id }) => id)
  .join(', ')}, which take minutes each. Without --quick the rows also go to docs/performance.md.

  --all            every question
  --quick          shorter rounds, to try things out: the figures are not to be quoted
  --program FILE   the program to measure: as it is installed, dist/main.js, unless given
  --clean          removes the data that is kept between runs, and does nothing else
  --help           prints this

Exit codes: 0 every demand is met, 1 one is not or a question failed, 2 wrong usage or a missing program.
`;

const checkout = fileURLToPath(new URL('..', import.meta.url));
const page = join(checkout, 'docs/performance.md');

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  let request: ReturnType<typeof parseRequest>;
  try {
    request = parseRequest(args);
  } catch (error) {
    process.stderr.write(`error: ${messageOf(error)}\n\n${usage}`);
    return 2;
  }
  const { help, clean, asked } = request;
  if (help) process.stdout.write(usage);
  if (clean) rmSync(keptFolder, { recursive: true, force: true });
  if (help || clean) return 0;
  const missing = findMissing();
  if (missing !== undefined) {
    process.stderr.write(`error: ${missing}\n`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'plugin-metrics-bench-run-'));
  // Exiting ends the children and removes the folder, for whatever reason.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
  const cores = dealCores();
  stayOnCores(cores.load);
  const say = (line: string) => process.stderr.write(`  ${line}\n`);
  const bench = { isQuick: request.quick, program: resolve(request.program), folder, cores, say };
  const outcomes: Outcome[] = [];
  for (const question of asked) outcomes.push(await answer(question, bench));
  const table = markdownTable(outcomes);
  process.stdout.write(`${table}\n`);
  if (!request.quick) {
    const text = readFileSync(page, 'utf8');
    const isAll = asked.length === questions.length;
    writeFileSync(
      page,
      isAll
        ? replaceGenerated(text, `${machineTable()}\n\n${table}`)
        : replaceRows(
            text,
            // What was measured before stays.
            outcomes.filter(({ skipped }) => skipped === undefined),
          ),
    );
  }
  return allMet(outcomes) ? 0 : 1;
}

function parseRequest(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      clean: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      program: { type: 'string', default: join(checkout, 'dist/main.js') },
    },
  });
  const unknown = positionals.find((id) => !questions.some((question) => question.id === id));
  if (unknown !== undefined) throw new Error(`there is no question ${unknown}`);
  const isAsked = ({ id, isLong }: Question) =>
    values.all || (positionals.length === 0 ? isLong === undefined : positionals.includes(id));
  const asked = questions.filter(isAsked);
  return { ...values, asked };
}

async function answer(question: Question, bench: Bench): Promise<Outcome> {
  process.stderr.write(`${question.id} ${question.title}\n`);
  try {
    return { question, findings: await question.measure(bench) };
  } catch (error) {
    if (error instanceof MissingProgram) {
      const skipped = `skipped: ${error.message}`;
      bench.say(skipped);
      return { question, findings: [], skipped };
    }
    const failure = `failed: ${messageOf(error)}`;
    bench.say(failure);
    return { question, findings: [], failure };
  }
}

/** The first line: the output of a failed program may have many. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 500);
}
