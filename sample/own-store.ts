// The stores of `npm start`, which are made again where another version of the program has made them, or in
// another week.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storeVersion } from '../src/store/store-version.ts';

/**
 * Removes a store of another version, with the files beside it; also one whose oldest event is another than
 * that given, in Unix milliseconds: the sample was shifted to another week.
 */
export function removeOther(path: string, oldestEventMs?: number): void {
  if (!existsSync(path) || isSame(path, oldestEventMs)) return;
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(basename(path))) rmSync(join(dirname(path), name));
}

function isSame(path: string, oldestEventMs: number | undefined): boolean {
  using db = new DatabaseSync(path);
  if (db.prepare('pragma user_version').get()?.['user_version'] !== storeVersion) return false;
  if (oldestEventMs === undefined) return true;
  return db.prepare('select min(time) as time from event').get()?.['time'] === oldestEventMs;
}
