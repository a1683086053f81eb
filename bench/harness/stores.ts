/** Creates stores and archives for the questions once, and keeps them for later runs. */
import { createHash } from 'node:crypto';
import { constants, existsSync, statSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogueArchive } from '../data/archive.ts';
import type { Catalogue } from '../data/catalogue.ts';
import type { Bench } from '../question.ts';
import { runProgram } from './server.ts';

/** Folder for data that is kept between runs. */
export const keptFolder = join(tmpdir(), `plugin-metrics-bench-${userInfo().uid}`);

const dataFolders = ['../data', '../../catalogues'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

/** Returns the path of a read-only store with the catalogue. */
export function keptStore(bench: Bench, catalogue: Catalogue): Promise<string> {
  return keptLines(bench, catalogue.name, catalogue, () => catalogueArchive(catalogue));
}

/** Returns the path of a read-only store with the given archive, which `key` identifies. */
export function keptLines(
  bench: Bench,
  name: string,
  key: object,
  lines: () => Iterable<string>,
): Promise<string> {
  const make = (path: string) => importLines(bench, path, lines());
  return kept(bench, { name: `${name}.db`, key: [key, bench.build.folder], make });
}

/** Returns the path of the given archive, which `key` identifies. */
export function keptArchive(
  bench: Bench,
  key: { readonly name: string },
  lines: () => Iterable<string>,
): Promise<string> {
  const make = (path: string) => writeFile(path, lines());
  return kept(bench, { name: `${key.name}.ndjson`, key, make });
}

/** Makes a writable copy of a kept store, removed at the end of the run. */
export async function copiedStore(bench: Bench, catalogue: Catalogue): Promise<string> {
  const copy = join(bench.folder, `${catalogue.name}-${process.hrtime.bigint()}.db`);
  await copyFile(await keptStore(bench, catalogue), copy, constants.COPYFILE_FICLONE);
  return copy;
}

/** Imports an archive without keeping it. */
export async function importLines(bench: Bench, store: string, lines: Iterable<string>): Promise<void> {
  await runProgram(bench, ['import', '--store', store, '-'], { input: lines });
}

interface Kept {
  readonly name: string;
  /** Identifies the data, together with the code that generates it. */
  readonly key: object;
  readonly make: (path: string) => Promise<unknown>;
}

async function kept(bench: Bench, { name, key, make }: Kept): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(key));
  for (const folder of dataFolders)
    for (const file of (await readdir(folder)).toSorted()) hash.update(await readFile(join(folder, file)));
  const path = join(keptFolder, `${hash.digest('hex').slice(0, 16)}-${name}`);
  if (!existsSync(path)) {
    bench.say(`making ${name}, which is kept in ${keptFolder}`);
    const building = join(bench.folder, name);
    await make(building);
    await mkdir(keptFolder, { recursive: true, mode: 0o700 });
    await rename(building, path);
  }
  const now = new Date();
  await utimes(path, now, now);
  await removeOlder(name);
  return path;
}

/** Removes all data with this name except the two last used, because a comparison uses two builds. */
async function removeOlder(name: string): Promise<void> {
  const names = (await readdir(keptFolder)).filter((file) => file.slice(17) === name);
  const paths = names.map((file) => join(keptFolder, file));
  const usedAt = (path: string) => statSync(path).mtimeMs;
  for (const path of paths.toSorted((a, b) => usedAt(b) - usedAt(a)).slice(2))
    for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true });
}
