/** Runs the same commands with both programs, and judges what they say and write. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Findings } from './findings.ts';
import type { Outcome } from './outcome.ts';
import { bothOf, type Pair } from './pair.ts';
import type { Program } from './program.ts';
import type { Route } from './requests/routes.ts';

/** A comparison while it runs. */
export interface Run {
  readonly programs: Pair<Program>;
  readonly findings: Findings;
  /** The routes of both builds. */
  readonly routes: readonly Route[];
  /** The seed of random data and requests. */
  readonly seed: string;
  /** Tells people what is being done. */
  readonly say: (line: string) => void;
}

/** A command line. */
export interface Command {
  readonly argv: readonly string[];
  /** Shown in place of the command line. */
  readonly name?: string;
  /** Standard input. */
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Files that are written before, by their paths. */
  readonly reads?: Readonly<Record<string, string | Uint8Array>>;
  /** Files that it writes: their decompressed content is compared. */
  readonly writes?: readonly string[];
  /** The beginning of the names of files that it may leave: which there are is compared. */
  readonly leaves?: string;
}

/** A command on a store, as words with blanks between them. */
export function commandOn(store: string, line: string, rest: Omit<Command, 'argv'> = {}): Command {
  return { argv: [...line.split(' '), '--store', store], ...rest };
}

/** Runs the commands one by one, each with both programs at the same time. */
export async function runCommands({ programs, findings }: Run, commands: readonly Command[]): Promise<void> {
  for (const command of commands) {
    const { argv, env = {}, name } = command;
    const outcomes = await bothOf(programs, (program) => runCommand(program, command));
    const variables = Object.entries(env).map(([variable, value]) => `${variable}=${value} `);
    const asked = name ?? `${variables.join('')}${argv.join(' ')}`;
    findings.judge({ kind: `command ${argv[0] ?? ''}`, asked, ...outcomes });
  }
}

async function runCommand(
  program: Program,
  { reads = {}, writes = [], leaves, ...command }: Command,
): Promise<Outcome> {
  for (const [file, content] of Object.entries(reads)) {
    const path = join(program.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const outcome = new Map(await program.run(command.argv, command));
  for (const file of writes) outcome.set(`file ${file}`, contentOf(join(program.folder, file)));
  if (leaves !== undefined)
    outcome.set(
      'files',
      readdirSync(program.folder)
        .filter((file) => file.startsWith(leaves))
        .join(' '),
    );
  return outcome;
}

/** The decompressed content of a file that a command wrote; the reason if it cannot be read. */
function contentOf(file: string): string | Buffer {
  try {
    const bytes = readFileSync(file);
    if (file.endsWith('.gz')) return gunzipSync(bytes);
    return file.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
