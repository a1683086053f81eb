/** The store on a PostgreSQL server. The only file of this room that other rooms import; it loads pg when the store is used. */
import type { Store } from '../../model/store.ts';
import { storeOf } from '../store.ts';
import { type Environment, parsePostgresName } from './postgres-settings.ts';

/**
 * Names the store at a `postgres://` URI, completed from the environment.
 * @param onWait as in `storeOf`.
 * @throws AppError as `parsePostgresName`.
 */
export function openPostgresStore(uri: string, environment: Environment, onWait: () => void): Store {
  const settings = parsePostgresName(uri, environment);
  const load = async () => (await import('./postgres-engine.ts')).postgresEngine(settings);
  return storeOf({ name: settings.name, givenName: uri }, load, onWait);
}
