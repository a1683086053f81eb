/** Refuses a FILE that is the store or belongs to it: no command writes what it reads. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Store } from '../model/store.ts';
import type { Refuse } from './command.ts';

/** Reports wrong usage if one of the files is the store, or begins with its name and a hyphen; `-` is standard input or output. */
export function refuseSameFile(refuse: Refuse, { name, file }: Store, ...paths: readonly string[]): void {
  if (file === undefined) return;
  const store = realPath(file.path);
  for (const path of paths.filter((one) => one !== '-')) {
    const real = realPath(path);
    if (real !== store && !real.startsWith(`${store}-`)) continue;
    const relation = real === store ? 'is' : 'belongs to';
    refuse(`FILE ${path} ${relation} the store ${name}: no command writes what it reads`);
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
