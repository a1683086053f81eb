/** The option `--store`: chooses between SQLite and PostgreSQL by the name of the store. */
import { AppError } from '../model/app-error.ts';
import type { Store } from '../model/store.ts';
import { openPostgresStore, openSqliteStore } from '../store/store.ts';
import { mayHoldPassword } from './command.ts';
import { printMessage } from './output.ts';

/**
 * Parses `sqlite:PATH`, a plain path or `postgres://…`, the latter completed from the environment.
 * @throws AppError `invalid` with the broken rule, but no part of the name.
 */
export function parseStoreName(text: string): Store {
  if (/^postgres(?:ql)?:/i.test(text)) return openPostgresStore(text, process.env, sayWaiting);
  const path = text.replace(/^sqlite:/, '');
  // A scheme of one letter is a drive on Windows.
  const [scheme, slashes] = /^\s*[A-Za-z][A-Za-z0-9+.-]+:(\/\/)?/.exec(path) ?? [];
  const isOtherScheme = scheme !== undefined && (path === text || slashes !== undefined);
  if (isOtherScheme || path === '' || mayHoldPassword(path)) {
    throw new AppError(
      'invalid',
      'it must be sqlite:PATH, a plain path or postgres://USER@HOST:PORT/DATABASE; a path must not look like a connection string',
    );
  }
  return openSqliteStore(path, sayWaiting, process.env);
}

function sayWaiting(): void {
  printMessage('waiting for another import');
}
