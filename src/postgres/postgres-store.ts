/** The store on a server behind its port. The only file of this room that other rooms import; it loads pg when it is used. */
import type { Store } from '../model/store.ts';
import { type Environment, parsePostgresName } from './connection/connection-settings.ts';

/**
 * Names the store at a `postgres://` URI, completed from the environment. Each method of the result connects for itself.
 * @throws AppError as `parsePostgresName`.
 */
export function openPostgresStore(uri: string, environment: Environment): Store {
  const settings = parsePostgresName(uri, environment);
  return {
    name: settings.name,
    givenName: uri,
    openReader: async () => (await import('./reading/postgres-reader.ts')).openPostgresReader(settings),
    openWriter: async (options) =>
      (await import('./postgres-writer.ts')).openPostgresWriter(settings, options),
    openNewWriter: async (options) =>
      (await import('./postgres-writer.ts')).openNewPostgresWriter(settings, options),
    openReports: async () => (await import('./reports/postgres-reports.ts')).openPostgresReports(settings),
    openRemover: async () => (await import('./keeping/postgres-remover.ts')).openPostgresRemover(settings),
    async *check(checkRecord) {
      yield* (await import('./postgres-check.ts')).checkPostgresStore(settings, checkRecord);
    },
    loadStats: async (nowMs) =>
      (await import('./keeping/postgres-stats.ts')).loadPostgresStats(settings, nowMs),
    loadRemovals: async () => (await import('./keeping/postgres-removals.ts')).loadPostgresRemovals(settings),
    compact: async () => (await import('./keeping/postgres-compact.ts')).compactPostgresStore(settings),
    measure: async () => (await import('./keeping/postgres-compact.ts')).measurePostgresStore(settings),
    findWarning: async () => undefined,
  };
}
