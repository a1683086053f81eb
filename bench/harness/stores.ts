/** Stores and archives that the questions read: made once, by `import`, and kept for the next run. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { constants, copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { catalogueArchive } from '../data/archive.ts';
import type { Catalogue } from '../data/catalogue.ts';
import type { Bench } from '../question.ts';
import { runChild } from './child.ts';

const importTimeoutMs = 15 * 60_000;

/** Where data is kept between runs. */
export const keptFolder = join(tmpdir(), `plugin-metrics-bench-${userInfo().uid}`);

/** A store that holds the catalogue; it is kept, so nobody may write to it. */
export async function keptStore(bench: Bench, catalogue: Catalogue): Promise<string> {
  return kept(bench, {
    name: catalogue.name,
    extension: 'db',
    key: catalogue,
    sources: ['bench/data/', 'src/series/', 'src/sqlite/sqlite-schema.ts'],
    make: (path) => importBlocks(bench, path, catalogueArchive(catalogue)),
  });
}

/** An archive of these blocks as a file; it is kept under the name. */
export async function keptArchive(
  bench: Bench,
  options: { readonly name: string; readonly key: object; readonly blocks: () => Iterable<Uint8Array> },
): Promise<string> {
  return kept(bench, {
    name: options.name,
    extension: 'ndjson',
    key: options.key,
    sources: ['bench/data/'],
    make: (path) =>
      pipeline(Readable.from(options.blocks()), createWriteStream(path), { signal: bench.signal }),
  });
}

/** A copy of a kept store that may be written to; it goes with the run. */
export async function copiedStore(bench: Bench, catalogue: Catalogue): Promise<string> {
  const store = await keptStore(bench, catalogue);
  const copy = join(bench.folder, `${catalogue.name}-${process.hrtime.bigint()}.db`);
  await copyFile(store, copy, constants.COPYFILE_FICLONE);
  return copy;
}

/** Makes a store of an archive that nobody needs to keep. */
export async function importBlocks(bench: Bench, store: string, blocks: Iterable<Uint8Array>): Promise<void> {
  await runChild(bench, {
    command: process.execPath,
    args: [bench.program, 'import', '--store', store, '-'],
    input: blocks,
    timeoutMs: importTimeoutMs,
  });
}

interface Kept {
  readonly name: string;
  readonly extension: string;
  /** What decides the data, beside the sources. */
  readonly key: object;
  /** Files and folders of the checkout whose change makes the data stale. */
  readonly sources: readonly string[];
  readonly make: (path: string) => Promise<void>;
}

async function kept(bench: Bench, data: Kept): Promise<string> {
  const path = join(keptFolder, `${data.name}-${await keyHash(data)}.${data.extension}`);
  if (await isThere(path)) return path;
  await mkdir(keptFolder, { recursive: true, mode: 0o700 });
  for (const file of await readdir(keptFolder)) {
    if (isVersionOf(file, data)) await rm(join(keptFolder, file), { force: true });
  }
  bench.say(`making ${data.name}.${data.extension}, which is kept in ${keptFolder}`);
  const startedAt = performance.now();
  const building = join(bench.folder, `${data.name}.${data.extension}`);
  await data.make(building);
  await rename(building, path);
  bench.say(`made ${data.name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return path;
}

/** Whether a file is what an earlier generator made under this name. */
function isVersionOf(file: string, { name, extension }: Kept): boolean {
  return (
    file.startsWith(`${name}-`) &&
    /^[0-9a-f]{16}\./.test(file.slice(name.length + 1)) &&
    file.includes(`.${extension}`)
  );
}

async function keyHash(data: Kept): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(data.key));
  for (const source of data.sources) {
    const url = new URL(`../../${source}`, import.meta.url);
    const names = source.endsWith('/') ? (await readdir(url)).toSorted() : [''];
    for (const name of names) hash.update(await readFile(new URL(name, url)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
