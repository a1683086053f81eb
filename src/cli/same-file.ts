/** Refuses commands that would write a file that they read, even if it is named in two ways. */
import { type BigIntStats, fstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Command, CommanderError } from 'commander';
import type { Store } from '../model/store.ts';

/** FILE arguments of a command; `-` is standard input or output. */
interface FileArguments {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

/** A file that a command reads or writes. */
interface NamedFile {
  readonly name: string;
  /** Its identity: device and inode, or the path if it does not exist yet. Empty unless it is a regular file. */
  readonly keys: readonly string[];
  /** Identities of the files that SQLite would keep beside it. */
  readonly keysBeside: readonly string[];
}

/**
 * Reports wrong usage if an output of a command is also an input. Outputs are the files that it writes, standard output, standard error,
 * and a store that files are read into; inputs are the files that it reads, and its store.
 */
export function refuseSameFile(command: Command, store: Store, files: FileArguments = {}): void {
  const own = store.file === undefined ? [] : [pathFile(`the store ${store.name}`, store.file.path)];
  const reads = (files.reads ?? []).map((file) => argumentFile(file, standardInput));
  const writes = (files.writes ?? []).map((file) => argumentFile(file, standardOutput));
  const messages = standardFile('<stderr>', 2);
  const pairs = [
    ...pairsOf([messages, standardOutput(), ...writes], [...own, ...reads]),
    ...pairsOf(own, reads),
  ];
  for (const [output, input] of pairs) {
    const relation = relationOf(output, input);
    if (relation === undefined) continue;
    const message = `error: ${relation}: no command writes what it reads`;
    // The message would be written into the input.
    if (output === messages) throw new CommanderError(1, 'plugin-metrics.sameFile', message);
    command.error(message);
  }
}

function relationOf(output: NamedFile, input: NamedFile): string | undefined {
  if (isShared(output.keys, input.keys)) return `${output.name} is ${input.name}`;
  if (isShared(output.keys, input.keysBeside)) return `${output.name} belongs to ${input.name}`;
  if (isShared(output.keysBeside, input.keys)) return `${input.name} belongs to ${output.name}`;
  return undefined;
}

function argumentFile(file: string, standard: () => NamedFile): NamedFile {
  return file === '-' ? standard() : pathFile(`FILE ${file}`, file);
}

const standardInput = () => standardFile('<stdin>', 0);
const standardOutput = () => standardFile('<stdout>', 1);

function standardFile(name: string, descriptor: number): NamedFile {
  return { name, keys: keysOf(() => fstatSync(descriptor, { bigint: true })), keysBeside: [] };
}

function pathFile(name: string, path: string): NamedFile {
  const real = realPath(path);
  const beside = ['-wal', '-shm', '-journal'].map((end) => real + end);
  return { name, keys: keysAt(real), keysBeside: beside.flatMap(keysAt) };
}

function keysAt(path: string): readonly string[] {
  // Some file systems do not distinguish capitals.
  return keysOf(() => statSync(path, { bigint: true }), path.toLowerCase());
}

/** Identifies a file. Pipes, devices and folders have no keys: reading and writing one does no harm. */
function keysOf(look: () => BigIntStats, missing?: string): readonly string[] {
  try {
    const stats = look();
    return stats.isFile() ? [`${stats.dev}:${stats.ino}`] : [];
  } catch {
    // It does not exist or is not accessible. The command reports that when it opens the file.
    return missing === undefined ? [] : [missing];
  }
}

/** Resolves symbolic links in the part of a path that exists. */
function realPath(path: string): string {
  for (const find of [() => realpathSync(path), () => join(realpathSync(dirname(path)), basename(path))]) {
    try {
      return find();
    } catch {
      // The next way needs less of the path to exist.
    }
  }
  return resolve(path);
}

function pairsOf(outputs: readonly NamedFile[], inputs: readonly NamedFile[]) {
  return outputs.flatMap((output) => inputs.map((input) => [output, input] as const));
}

function isShared(some: readonly string[], others: readonly string[]): boolean {
  return some.some((key) => others.includes(key));
}
