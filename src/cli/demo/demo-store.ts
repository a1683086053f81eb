/** The stores of the demo, and the environment of the programs that use them. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../model/app-error.ts';
import type { Store } from '../../model/store.ts';
import { writeFault } from '../../runtime/system-faults.ts';
import { openSqliteStore } from '../../store/store.ts';

/** The environment without settings of the program: the demo gives its programs all that they need. */
export const demoEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('PLUGIN_METRICS_')),
);

/**
 * Makes the folder of a store, and returns true if the store is there. One that `isSame` denies, or that
 * cannot be opened because it is of another version, is removed with the files beside it.
 * @throws AppError `unavailable` if the folder cannot be made.
 */
export async function keepDemoStore(
  path: string,
  isSame: (store: Store) => Promise<boolean>,
): Promise<boolean> {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    const reason = writeFault(folder, cause as Error);
    throw new AppError('unavailable', `${folder}: ${reason}; --folder names another folder`, { cause });
  }
  const names = readdirSync(folder).filter((name) => `${name}-`.startsWith(`${basename(path)}-`));
  if (names.length === 0) return false;
  const isKept = await isSame(openSqliteStore(path)).catch(() => false);
  if (!isKept) for (const name of names) rmSync(join(folder, name));
  return isKept;
}
