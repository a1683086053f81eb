/** Which store a name means, and how it is opened. */
import { InvalidArgumentError } from 'commander';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { MetricsWriter } from '../model/metrics-writer.ts';

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

/** Reads `sqlite:PATH` or a plain path. Throws InvalidArgumentError for any other scheme. */
export function parseStoreName(text: string): Store {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]+):/.exec(text)?.[1];
  const path = scheme === 'sqlite' ? text.slice('sqlite:'.length) : text;
  if ((scheme !== undefined && scheme !== 'sqlite') || path === '') {
    throw new InvalidArgumentError('It must be sqlite:PATH or a plain path.');
  }
  return sqliteStore(path);
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
