/** The embedded store behind its port. The only file of this room that other rooms import; it loads the others when they are used. */
import type { Store, StoreFile } from '../../model/store.ts';
import { storeOf } from '../store.ts';

/** Loads the function that explains an error of a database which SQLite keeps in a temporary file. */
export async function loadTemporaryFault(): Promise<
  (error: unknown, environment: NodeJS.ProcessEnv) => unknown
> {
  return (await import('./sqlite-fault.ts')).temporaryFault;
}

/** Names the store in a file. Each method of the result opens the file for itself. @param onWait as in `storeOf`. */
export function openSqliteStore(
  path: string,
  onWait = () => {},
  environment: NodeJS.ProcessEnv = {},
): Store & { readonly file: StoreFile } {
  const file: StoreFile = {
    path,
    backUp: async (file, options) =>
      (await import('./sqlite-backup.ts')).backUpSqliteStore(path, file, options),
    restore: async (backup, options) =>
      (await import('./sqlite-restore.ts')).restoreSqliteStore(backup, path, options, onWait),
  };
  const name = { name: path, givenName: `sqlite:${path}`, file };
  const load = async () => (await import('./sqlite-engine.ts')).sqliteEngine(path, environment);
  return { ...storeOf(name, load, onWait), file };
}
