/** The store on a PostgreSQL server. The only file of this room that other rooms import; it loads pg when the store is used. */
import type { Store } from '../../model/store.ts';
import { storeOf } from '../store.ts';
import { type Environment, parsePostgresName } from './postgres-settings.ts';

/**
 * Names the store at a `postgres://` URI, completed from the environment.
 * @throws AppError as `parsePostgresName`.
 */
export function openPostgresStore(uri: string, environment: Environment): Store {
  const settings = parsePostgresName(uri, environment);
  return storeOf({ name: settings.name, givenName: uri }, async () =>
    (await import('./postgres-engine.ts')).postgresEngine(settings),
  );
}
