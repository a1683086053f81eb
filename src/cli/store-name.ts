/** Which store a name means, and how it is opened. */
import { AppError } from '../model/app-error.ts';
import type { Compacted, Unused } from '../model/compacted.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { MetricsRemover } from '../model/metrics-remover.ts';
import type { MetricsWriter, WriteOptions } from '../model/metrics-writer.ts';
import type { Removals } from '../model/removals.ts';
import type { StoreStats } from '../model/store-stats.ts';
import { isPostgresName, parsePostgresName } from '../postgres/connection/connection-settings.ts';
import { mayHoldPassword } from './password-text.ts';

/** A store that has been named but not opened. */
export interface Store {
  /** Its name as messages show it. */
  readonly name: string;
  /** Its name as it was given; it may hold a password, so no message shows it. */
  readonly givenName: string;
  readonly openReader: () => Promise<MetricsReader>;
  /** Makes a store that is not there yet. */
  readonly openWriter: (options?: WriteOptions) => Promise<MetricsWriter>;
  /** Makes a store; rejects with `conflict` where one is there already. */
  readonly openNewWriter: (options?: WriteOptions) => Promise<MetricsWriter>;
  readonly openRemover: () => Promise<MetricsRemover>;
  /** Yields a line per fault. */
  readonly check: (checkRecord: (record: MetricsRecord) => void) => AsyncIterable<string>;
  /** Points after `nowMs`, unless given the time of this machine, lie in the future. */
  readonly readStats: (nowMs?: number) => Promise<StoreStats>;
  /** Reads what was removed and pruned; empty for a store that does not exist yet. */
  readonly readRemovals: () => Promise<Removals>;
  /** Gives space back. */
  readonly compact: () => Promise<Compacted>;
  /** What `compact` would give back. */
  readonly measure: () => Promise<Unused>;
  /** Finds a fault in how the store is kept that makes serving slow, as one line; undefined if there is none. */
  readonly findWarning?: () => Promise<string | undefined>;
  /** The file that the store is; undefined for a store on a server. */
  readonly path?: string;
}

/**
 * Reads `sqlite:PATH`, a plain path or `postgres://…`, the latter completed from the environment.
 * @throws AppError `invalid` with the rule that the name breaks; no message repeats any part of the name.
 */
export function parseStoreName(text: string): Store {
  if (isPostgresName(text)) return postgresStore(text);
  const path = text.replace(/^sqlite:/, '');
  // A scheme of one letter is a drive of Windows.
  const isOtherScheme = path === text && /^\s*[A-Za-z][A-Za-z0-9+.-]+:/.test(text);
  if (isOtherScheme || path === '' || mayHoldPassword(path)) {
    throw new AppError(
      'invalid',
      'it must be sqlite:PATH, a plain path or postgres://USER@HOST:PORT/DATABASE; a path must not look like a connection string',
    );
  }
  return sqliteStore(path);
}

function postgresStore(text: string): Store {
  const settings = parsePostgresName(text, process.env);
  return {
    name: settings.name,
    givenName: text,
    openReader: async () => (await import('../postgres/postgres-reader.ts')).openPostgresReader(settings),
    openWriter: async (options) =>
      (await import('../postgres/postgres-writer.ts')).openPostgresWriter(settings, options),
    openNewWriter: async (options) =>
      (await import('../postgres/postgres-writer.ts')).openNewPostgresWriter(settings, options),
    openRemover: async () =>
      (await import('../postgres/keeping/postgres-remover.ts')).openPostgresRemover(settings),
    readStats: async (nowMs) =>
      (await import('../postgres/keeping/postgres-stats.ts')).readPostgresStats(settings, nowMs),
    readRemovals: async () =>
      (await import('../postgres/keeping/postgres-removals.ts')).readPostgresRemovals(settings),
    compact: async () =>
      (await import('../postgres/keeping/postgres-compact.ts')).compactPostgresStore(settings),
    measure: async () =>
      (await import('../postgres/keeping/postgres-compact.ts')).measurePostgresStore(settings),
    async *check(checkRecord) {
      const { checkPostgresStore } = await import('../postgres/postgres-check.ts');
      yield* checkPostgresStore(settings, checkRecord);
    },
  };
}

function sqliteStore(path: string): Store {
  return {
    name: path,
    givenName: `sqlite:${path}`,
    openReader: async () => (await import('../sqlite/sqlite-reader.ts')).openSqliteReader(path),
    openWriter: async (options) =>
      (await import('../sqlite/sqlite-writer.ts')).openSqliteWriter(path, options),
    openNewWriter: async (options) =>
      (await import('../sqlite/sqlite-writer.ts')).openNewSqliteWriter(path, options),
    openRemover: async () => (await import('../sqlite/keeping/sqlite-remover.ts')).openSqliteRemover(path),
    readStats: async (nowMs) =>
      (await import('../sqlite/keeping/sqlite-stats.ts')).readSqliteStats(path, nowMs),
    readRemovals: async () => (await import('../sqlite/keeping/sqlite-removals.ts')).readSqliteRemovals(path),
    compact: async () => (await import('../sqlite/keeping/sqlite-compact.ts')).compactSqliteStore(path),
    measure: async () => (await import('../sqlite/keeping/sqlite-compact.ts')).measureSqliteStore(path),
    findWarning: async () => (await import('../sqlite/index-file.ts')).findIndexWarning(path),
    path,
    async *check(checkRecord) {
      const { checkSqliteStore } = await import('../sqlite/sqlite-check.ts');
      yield* checkSqliteStore(path, checkRecord);
    },
  };
}
