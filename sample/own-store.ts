// The stores of `npm start`, which are made again where another version of the program has made them.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storeVersion } from '../src/store/store-version.ts';

/** Removes a store of another version, with the files beside it. */
export function removeOtherVersion(path: string): void {
  if (!existsSync(path) || versionOf(path) === storeVersion) return;
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(basename(path))) rmSync(join(dirname(path), name));
}

function versionOf(path: string): unknown {
  using db = new DatabaseSync(path);
  return db.prepare('pragma user_version').get()?.['user_version'];
}
