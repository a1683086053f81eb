/** The program itself: its own files, from disk or inside the executable, and how it starts itself again. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

/** True in the executable that has the program and its files inside. */
export const isSingleFile: boolean = isSea();

/** Folder of the package or of the checkout. */
export const ownFolder: string = fileURLToPath(new URL('../../', import.meta.url));

/** Reads one of the program's own files. @param path such as `fonts/fonts.conf`. */
export function readOwnFile(path: string): Buffer {
  return isSingleFile ? Buffer.from(getRawAsset(path)) : readFileSync(resolve(ownFolder, path));
}

/** Lists the names in one of the program's own folders. @param folder such as `fonts`. */
export function listOwnFiles(folder: string): string[] {
  if (!isSingleFile) return readdirSync(resolve(ownFolder, folder));
  return getAssetKeys().flatMap((path) =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : [],
  );
}

/** Makes the arguments with which `process.execPath` runs this program with other arguments. */
export function ownArguments(argv: readonly string[]): string[] {
  const { execArgv, argv: started } = process;
  return isSingleFile ? [...argv] : [...execArgv, ...started.slice(1, 2), ...argv];
}
