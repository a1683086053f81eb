/** Opens stores. Other rooms import this file alone; it loads the other files of the room on first use. */
import { isAppError } from '../model/app-error.ts';
import { noRemovals } from '../model/metrics-remover.ts';
import type { WriteOptions } from '../model/metrics-writer.ts';
import type { Store, StoreFile } from '../model/store.ts';
import { type Environment, parsePostgresName } from './postgres/postgres-settings.ts';
import type { Engine } from './sql.ts';
import type { WantedStore } from './wanted-store.ts';

/** Loads the function that explains errors of SQLite databases in temporary files. */
export async function loadTemporaryFault(): Promise<
  (error: unknown, environment: NodeJS.ProcessEnv) => unknown
> {
  return (await import('./sqlite/sqlite-fault.ts')).temporaryFault;
}

/**
 * Makes the store of a SQLite file. Each of its methods opens the file.
 * @param onWait is called before a writer waits for another writer.
 */
export function openSqliteStore(
  path: string,
  onWait = () => {},
  environment: NodeJS.ProcessEnv = {},
): Store & { readonly file: StoreFile } {
  const file: StoreFile = {
    path,
    backUp: async (file, options) =>
      (await import('./sqlite/sqlite-backup.ts')).backUpSqliteStore(path, file, options),
    keepBackups: async (folder, options) =>
      (await import('./sqlite/sqlite-backup.ts')).keepBackups(path, folder, options),
    restore: async (backup, options) =>
      (await import('./sqlite/sqlite-backup.ts')).restoreSqliteStore(backup, path, options, onWait),
  };
  const name = { name: path, givenName: `sqlite:${path}`, file };
  const load = async () => (await import('./sqlite/sqlite-engine.ts')).sqliteEngine(path, environment);
  return { ...storeOf(name, load, onWait), file };
}

/**
 * Makes the store at a `postgres://` URI, completed from the environment. It loads pg on first use.
 * @param onWait see {@link openSqliteStore}.
 * @throws AppError like `parsePostgresName`.
 */
export function openPostgresStore(uri: string, environment: Environment, onWait: () => void): Store {
  const settings = parsePostgresName(uri, environment);
  const load = async () => (await import('./postgres/postgres-engine.ts')).postgresEngine(settings);
  return storeOf({ name: settings.name, givenName: uri }, load, onWait);
}

/** Makes a store over an engine. */
function storeOf(
  name: Pick<Store, 'name' | 'givenName' | 'file'>,
  load: () => Promise<Engine>,
  onWait: () => void,
): Store {
  const openWriter = async (wanted: WantedStore, options?: WriteOptions) => {
    const [{ SqlWriter }, engine] = await Promise.all([import('./writing/store-writer.ts'), load()]);
    return new SqlWriter(await engine.beginWrite(wanted, onWait), options);
  };
  return {
    ...name,
    async preload() {
      const modules = [
        import('./writing/store-writer.ts'),
        import('./reading/store-reader.ts'),
        import('./removals.ts'),
      ];
      await Promise.all([...modules, load().then((engine) => engine.preload?.())]);
    },
    probe: async () => (await load()).probe(),
    async openReader() {
      const [{ StoreReader }, engine] = await Promise.all([import('./reading/store-reader.ts'), load()]);
      return new StoreReader(await engine.connect(), engine);
    },
    openWriter: (options) => openWriter(options?.makesStore === false ? 'existing' : 'any', options),
    openNewWriter: (options) => openWriter('missing', options),
    async openRemover() {
      const [{ SqlRemover }, engine] = await Promise.all([import('./maintenance/store-remover.ts'), load()]);
      return new SqlRemover(await engine.beginWrite('existing', onWait));
    },
    openReports: async () => (await load()).openReports(),
    async *check(checkRecord, onProgress) {
      yield* (await load()).check(checkRecord, onProgress);
    },
    async loadStats(nowMs = Date.now()) {
      const [{ countStore }, engine] = await Promise.all([import('./maintenance/count-store.ts'), load()]);
      await using transaction = await engine.beginRead();
      const { sql } = transaction;
      return { ...(await countStore(sql, nowMs)), sizeBytes: await engine.sizeBytes(sql) };
    },
    async loadRemovals(pluginId) {
      const [{ readRemovals }, engine] = await Promise.all([import('./removals.ts'), load()]);
      try {
        await using transaction = await engine.beginRead();
        return await readRemovals(transaction.sql, pluginId);
      } catch (error) {
        if (isAppError(error, 'not_found')) return noRemovals;
        throw error;
      }
    },
    upgrade: async (options) => (await load()).upgrade(options),
    compact: async () => (await load()).compact(),
    measure: async () => (await load()).measure(),
  };
}
