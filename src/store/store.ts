/** A store behind its port, written once for all engines. It loads what a method needs when that is called. */
import { isAppError } from '../model/app-error.ts';
import { noRemovals } from '../model/metrics-remover.ts';
import type { WriteOptions } from '../model/metrics-writer.ts';
import type { Store } from '../model/store.ts';
import type { Engine, WantedStore } from './sql.ts';

/** Names a store. @param load loads its engine. @param onWait is called before a writer waits for another one. */
export function storeOf(
  name: Pick<Store, 'name' | 'givenName' | 'file'>,
  load: () => Promise<Engine>,
  onWait: () => void,
): Store {
  const openWriter = async (wanted: WantedStore, options?: WriteOptions) => {
    const [{ SqlWriter }, engine] = await Promise.all([import('./store-writer.ts'), load()]);
    return new SqlWriter(await engine.beginWrite(wanted, onWait), options);
  };
  return {
    ...name,
    async preload() {
      const modules = [
        import('./store-writer.ts'),
        import('./store-reader.ts'),
        import('./keeping/removals.ts'),
      ];
      await Promise.all([...modules, load().then((engine) => engine.preload?.())]);
    },
    async openReader() {
      const [{ StoreReader }, engine] = await Promise.all([import('./store-reader.ts'), load()]);
      return new StoreReader(await engine.connect(), engine);
    },
    openWriter: (options) => openWriter(options?.makesStore === false ? 'existing' : 'any', options),
    openNewWriter: (options) => openWriter('missing', options),
    async openRemover() {
      const [{ SqlRemover }, engine] = await Promise.all([import('./keeping/store-remover.ts'), load()]);
      return new SqlRemover(await engine.beginWrite('existing', onWait));
    },
    openReports: async () => (await load()).openReports(),
    async *check(checkRecord, onProgress) {
      yield* (await load()).check(checkRecord, onProgress);
    },
    async loadStats(nowMs = Date.now()) {
      const [{ countStore }, engine] = await Promise.all([import('./keeping/count-store.ts'), load()]);
      await using transaction = await engine.beginRead();
      const { sql } = transaction;
      return { ...(await countStore(sql, nowMs)), sizeBytes: await engine.sizeBytes(sql) };
    },
    async loadRemovals() {
      const [{ readRemovals }, engine] = await Promise.all([import('./keeping/removals.ts'), load()]);
      try {
        await using transaction = await engine.beginRead();
        return await readRemovals(transaction.sql);
      } catch (error) {
        if (isAppError(error, 'not_found')) return noRemovals;
        throw error;
      }
    },
    compact: async () => (await load()).compact(),
    measure: async () => (await load()).measure(),
  };
}
