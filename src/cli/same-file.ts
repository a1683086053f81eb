/** Refuses commands that would write a file that they read, even if it is named in two ways. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Store } from '../model/store.ts';

/** FILE arguments of a command; `-` is standard input or output. */
interface FileArguments {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

/** Reports wrong usage if a command writes its store, a file that belongs to that, or a file that it reads. */
export function refuseSameFile(
  command: Command,
  { name, file }: Store,
  { reads = [], writes = [] }: FileArguments = {},
): void {
  const own = file === undefined ? [] : [{ name: `the store ${name}`, path: file.path }];
  const named = (files: readonly string[]) =>
    files.filter((path) => path !== '-').map((path) => ({ name: `FILE ${path}`, path }));
  const pairs = [
    ...named(writes).flatMap((output) => [...own, ...named(reads)].map((input) => [output, input] as const)),
    ...own.flatMap((output) => named(reads).map((input) => [output, input] as const)),
  ];
  for (const [output, input] of pairs) {
    const refuse = (relation: string) => command.error(`error: ${relation}: no command writes what it reads`);
    if (isSame(output.path, input.path)) refuse(`${output.name} is ${input.name}`);
    if (belongsTo(output.path, input.path)) refuse(`${output.name} belongs to ${input.name}`);
    if (belongsTo(input.path, output.path)) refuse(`${input.name} belongs to ${output.name}`);
  }
}

/** True for two names of one file, links included. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map(statsOf);
  return first === undefined || second === undefined
    ? realPath(one) === realPath(other)
    : first.isFile() && first.ino === second.ino && first.dev === second.dev;
}

function statsOf(path: string) {
  try {
    return statSync(path);
  } catch {
    // It does not exist or is not accessible. The command reports that when it opens the file.
    return undefined;
  }
}

/** True for STORE-wal, STORE-reports and the like. */
function belongsTo(path: string, store: string): boolean {
  return realPath(path).startsWith(`${realPath(store)}-`);
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
