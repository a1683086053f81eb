/** The embedded store behind its port. The only file of this room that other rooms import; it loads the others when they are used. */
import type { Store, StoreFile } from '../model/store.ts';

/** Names the store in a file. Each method of the result opens the file for itself. */
export function openSqliteStore(path: string): Store & { readonly file: StoreFile } {
  return {
    name: path,
    givenName: `sqlite:${path}`,
    file: {
      path,
      backUp: async (file, options) =>
        (await import('./keeping/sqlite-backup.ts')).backUpSqliteStore(path, file, options),
      restore: async (backup, options) =>
        (await import('./keeping/sqlite-restore.ts')).restoreSqliteStore(backup, path, options),
    },
    openReader: async () => (await import('./reading/sqlite-reader.ts')).openSqliteReader(path),
    openWriter: async (options) => (await import('./sqlite-writer.ts')).openSqliteWriter(path, options),
    openNewWriter: async (options) => (await import('./sqlite-writer.ts')).openNewSqliteWriter(path, options),
    openReports: async () => (await import('./reports/sqlite-reports.ts')).openSqliteReports(path),
    openRemover: async () => (await import('./keeping/sqlite-remover.ts')).openSqliteRemover(path),
    async *check(checkRecord) {
      yield* (await import('./sqlite-check.ts')).checkSqliteStore(path, checkRecord);
    },
    loadStats: async (nowMs) => (await import('./keeping/sqlite-stats.ts')).loadSqliteStats(path, nowMs),
    loadRemovals: async () => (await import('./keeping/sqlite-removals.ts')).loadSqliteRemovals(path),
    compact: async () => (await import('./keeping/sqlite-compact.ts')).compactSqliteStore(path),
    measure: async () => (await import('./keeping/sqlite-compact.ts')).measureSqliteStore(path),
    findWarning: async () => (await import('./reading/index-file.ts')).findIndexWarning(path),
  };
}
