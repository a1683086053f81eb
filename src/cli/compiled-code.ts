/** What Node compiles is kept for the next start, which then takes a quarter less time. */
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * To be called before anything else is loaded: what has been loaded is not kept. The folder is that of the user's caches; where
 * it cannot be, or where others could lay code into it that this process would run, nothing is kept.
 */
export function keepCompiledCode(): void {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  const caches = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'));
  if (!caches || !isAbsolute(caches)) return;
  try {
    // One by one: of a folder that has no parent none should come into being.
    const own = ownFolder(join(ownFolder(caches), 'plugin-metrics'));
    if (isSafe(own)) enableCompileCache(own);
  } catch {
    // Nothing is kept.
  }
}

/** Makes a folder where it would be safe and is not there. Its real path leads nowhere else later, as a link could. */
function ownFolder(path: string): string {
  if (!existsSync(path) && isSafeIn(realpathSync(dirname(path)))) mkdirSync(path, { mode: 0o700 });
  return realpathSync(path);
}

/** Whether no one but this user and root can write into a folder, or put another in its place or in that of one around it. */
function isSafe(path: string): boolean {
  return !isShared(path) && isSafeIn(path);
}

/** Whether what this user makes in a folder stays in its place. */
function isSafeIn(path: string): boolean {
  const uid = process.getuid?.();
  // Windows knows no owners here, and gives each user a folder.
  if (uid === undefined) return true;
  const { uid: owner, mode } = statSync(path);
  // In a sticky folder no one can rename what is not theirs.
  const isSticky = (mode & 0o1000) !== 0;
  if ((isShared(path) && !isSticky) || (owner !== uid && owner !== 0)) return false;
  return path === dirname(path) || isSafeIn(dirname(path));
}

/** Whether others may write into a folder. */
function isShared(path: string): boolean {
  return process.getuid !== undefined && (statSync(path).mode & 0o022) !== 0;
}
