/** Which store a name means, and how it is opened. */
import { InvalidArgumentError } from 'commander';
import { AppError } from '../model/app-error.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { MetricsWriter } from '../model/metrics-writer.ts';
import {
  isPostgresName,
  type PostgresSettings,
  parsePostgresName,
} from '../postgres/connection/connection-settings.ts';

/** A store that has been named but not opened. */
export interface Store {
  /** Its name as messages show it. */
  readonly name: string;
  readonly openReader: () => Promise<MetricsReader>;
  /** Makes a store that is not there yet. */
  readonly openWriter: () => Promise<MetricsWriter>;
  /** Yields a line per fault. */
  readonly check: (checkRecord: (record: MetricsRecord) => void) => AsyncIterable<string>;
}

/**
 * Reads `sqlite:PATH`, a plain path or `postgres://…`, the latter with what it leaves out from the environment.
 * Throws InvalidArgumentError for anything else.
 */
export function parseStoreName(text: string): Store {
  if (isPostgresName(text)) return postgresStore(text);
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]+):/.exec(text)?.[1];
  const path = scheme === 'sqlite' ? text.slice('sqlite:'.length) : text;
  if ((scheme !== undefined && scheme !== 'sqlite') || path === '') {
    throw new InvalidArgumentError(
      'It must be sqlite:PATH, a plain path or postgres://USER@HOST:PORT/DATABASE.',
    );
  }
  return sqliteStore(path);
}

/** Takes the passwords out of the names of stores: somebody may have typed one where it is shown. */
export function hidePasswords(text: string): string {
  return text
    .replaceAll(/(postgres(?:ql)?:\/\/[^\s:@/?']*):[^\s']*@/gi, '$1:***@')
    .replaceAll(/([?&]password=)[^\s&']*/gi, '$1***');
}

function postgresStore(text: string): Store {
  const settings = postgresSettings(text);
  return {
    name: settings.name,
    openReader: async () => (await import('../postgres/postgres-reader.ts')).openPostgresReader(settings),
    openWriter: async () => (await import('../postgres/postgres-writer.ts')).openPostgresWriter(settings),
    async *check(checkRecord) {
      const { checkPostgresStore } = await import('../postgres/postgres-check.ts');
      yield* checkPostgresStore(settings, checkRecord);
    },
  };
}

function postgresSettings(text: string): PostgresSettings {
  try {
    return parsePostgresName(text, process.env);
  } catch (error) {
    throw error instanceof AppError ? new InvalidArgumentError(error.message) : error;
  }
}

function sqliteStore(path: string): Store {
  return {
    name: path,
    openReader: async () => (await import('../sqlite/sqlite-reader.ts')).openSqliteReader(path),
    openWriter: async () => (await import('../sqlite/sqlite-writer.ts')).openSqliteWriter(path),
    async *check(checkRecord) {
      const { checkSqliteStore } = await import('../sqlite/sqlite-check.ts');
      yield* checkSqliteStore(path, checkRecord);
    },
  };
}
