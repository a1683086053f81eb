/** The store on a PostgreSQL server. The only file of this room that other rooms import; it loads pg when it is used. */
import type { Store } from '../../model/store.ts';
import type { Engine } from '../sql.ts';
import { storeOf } from '../store.ts';
import { type Environment, parsePostgresName } from './postgres-settings.ts';

/**
 * Names the store at a `postgres://` URI, completed from the environment.
 * @throws AppError as `parsePostgresName`.
 */
export function openPostgresStore(uri: string, environment: Environment): Store {
  return storeOf(postgresEngine(uri, environment), uri);
}

/** Makes the engine of {@link openPostgresStore}. Each method connects for itself. */
export function postgresEngine(uri: string, environment: Environment): Engine {
  const settings = parsePostgresName(uri, environment);
  const transactions = () => import('./postgres-transaction.ts');
  const care = () => import('./postgres-care.ts');
  return {
    storeName: settings.name,
    connect: async () => (await import('./postgres-connections.ts')).openPostgresConnections(settings),
    beginRead: async () => (await transactions()).beginPostgresRead(settings),
    beginWrite: async (wanted) => (await transactions()).beginPostgresWrite(settings, wanted),
    openReports: async () => (await import('./reports/postgres-reports.ts')).openPostgresReports(settings),
    async *check(checkRecord) {
      yield* (await care()).checkPostgresStore(settings, checkRecord);
    },
    sizeBytes: async (sql) => (await care()).getPostgresSize(sql),
    compact: async () => (await care()).compactPostgresStore(settings),
    measure: async () => (await care()).measurePostgresStore(settings),
  };
}
