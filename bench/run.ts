/** The command: `npm run bench -- [--quick] [QUESTION…]`. */

import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dealCores } from './harness/cores.ts';
import { describeMachine } from './harness/machine.ts';
import { replaceGenerated } from './harness/performance-page.ts';
import { findProgram, missingText } from './harness/programs.ts';
import { keptFolder } from './harness/stores.ts';
import { allMet, markdownTable, type Outcome, terminalTable } from './harness/table.ts';
import type { Bench, Question } from './question.ts';
import { questions } from './questions/all.ts';

const usage = `usage: npm run bench -- [options] [QUESTION…]

Answers the questions (${questions.map(({ id }) => id).join(' ')}), or all of them, and prints one table. All of them
without --quick also go to docs/performance.md.

  --quick          shorter rounds, to try things out: the figures are not to be quoted
  --program FILE   the program to measure, src/main.ts unless given
  --clean          removes the data that is kept between runs, and does nothing else
  --help           prints this

Exit codes: 0 every demand is met, 1 one is not or a question failed, 2 wrong usage or something is missing.
`;

const checkout = fileURLToPath(new URL('..', import.meta.url));
const page = join(checkout, 'docs/performance.md');

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const request = parseRequest(argv);
  if (typeof request === 'string') {
    process.stderr.write(`error: ${request}\n\n${usage}`);
    return 2;
  }
  if (request.isHelp) {
    process.stdout.write(usage);
    return 0;
  }
  if (request.isClean) {
    await rm(keptFolder, { recursive: true, force: true });
    return 0;
  }
  const missing = missingPrograms(request.questions);
  if (missing !== undefined) {
    process.stderr.write(`error: ${missing}\n`);
    return 2;
  }
  return run(request);
}

interface Request {
  readonly isHelp: boolean;
  readonly isClean: boolean;
  readonly isQuick: boolean;
  readonly program: string;
  readonly questions: readonly Question[];
  /** Every question is asked, for as long as it takes. */
  readonly isComplete: boolean;
}

/** What the arguments ask for, or what is wrong with them. */
function parseRequest(argv: readonly string[]): Request | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        clean: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        program: { type: 'string', default: join(checkout, 'src/main.ts') },
      },
    });
    const unknown = positionals.find((id) => !questions.some((question) => question.id === id));
    if (unknown !== undefined) return `there is no question ${unknown}`;
    const isAsked = ({ id }: Question) => positionals.length === 0 || positionals.includes(id);
    return {
      isHelp: values.help,
      isClean: values.clean,
      isQuick: values.quick,
      program: values.program,
      questions: questions.filter(isAsked),
      isComplete: positionals.length === 0 && !values.quick,
    };
  } catch (error) {
    return messageOf(error);
  }
}

function missingPrograms(asked: readonly Question[]): string | undefined {
  const needed = new Set(['taskset' as const, 'nice' as const, ...asked.flatMap(({ programs }) => programs)]);
  const missing = [...needed].filter((name) => findProgram(name) === undefined);
  return missing.length === 0 ? undefined : missingText(missing);
}

async function run(request: Request): Promise<number> {
  const stop = new AbortController();
  const folder = await mkdtemp(join(tmpdir(), 'plugin-metrics-bench-run-'));
  // The last resort for whatever ends this process without unwinding it.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () =>
      stop.signal.aborted ? process.exit(1) : stop.abort(new Error(`ended by ${signal}`)),
    );
  }
  const { isQuick, program } = request;
  const say = (line: string) => process.stderr.write(`  ${line}\n`);
  const bench = { isQuick, program, folder, signal: stop.signal, cores: dealCores(), say };
  const outcomes: Outcome[] = [];
  for (const question of request.questions) {
    if (!stop.signal.aborted) outcomes.push(await askQuestion(question, bench));
  }
  process.stdout.write(`${terminalTable(outcomes)}\n`);
  if (request.isComplete && !stop.signal.aborted) await writePage(outcomes);
  return allMet(outcomes) && !stop.signal.aborted ? 0 : 1;
}

async function askQuestion(question: Question, bench: Bench): Promise<Outcome> {
  process.stderr.write(`${question.id} ${question.title}\n`);
  try {
    return { question, findings: await question.measure(bench) };
  } catch (error) {
    const failure = messageOf(error);
    bench.say(`failed: ${failure}`);
    return { question, findings: [], failure };
  }
}

async function writePage(outcomes: readonly Outcome[]): Promise<void> {
  const content = { machine: describeMachine(), table: markdownTable(outcomes) };
  await writeFile(page, replaceGenerated(await readFile(page, 'utf8'), content));
}

/** One line: what programs print may have many. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 500);
}
