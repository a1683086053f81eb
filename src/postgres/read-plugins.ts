/** The plugin list, page by page: one state of the store, and none older than what this node has shown. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../model/app-error.ts';
import { pluginsPerBatch } from '../model/metrics-reader.ts';
import type { PluginSummary } from '../model/plugin.ts';
import { pluginSummaryOf } from '../store/rows.ts';
import { type ConnectOptions, connect } from './connection/connect.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { type Generation, type GenerationWatch, generationSql } from './generation-watch.ts';
import { keysetPages, smallestKey } from './keyset-pages.ts';
import { beginState } from './postgres-state.ts';
import { pluginsPage } from './reader-statements.ts';

/** What a reader lends. */
export interface PluginReading {
  readonly settings: PostgresSettings;
  readonly watch: GenerationWatch;
  readonly options: ConnectOptions;
  /** Holds the connection while it is in use. */
  readonly connections: Set<PostgresConnection>;
}

/** How long a standby may take to reach what this node has shown already. */
export const catchUpMs = 500;
/** How long to wait before a standby is asked again. */
export const catchUpStepMs = 25;

/** Reads the list on a connection of its own, which ends with the reading. */
export async function* readPlugins(reading: PluginReading): AsyncGenerator<readonly PluginSummary[]> {
  const connection = await openCurrent(reading);
  reading.connections.add(connection);
  try {
    for await (const page of keysetPages(connection, pluginsPage, { id: smallestKey })) {
      for (let start = 0; start < page.length; start += pluginsPerBatch)
        yield page.slice(start, start + pluginsPerBatch).map(pluginSummaryOf);
    }
  } finally {
    reading.connections.delete(connection);
    await connection.end();
  }
}

/** A connection with a transaction that sees a state no older than what had been shown before. */
async function openCurrent(reading: PluginReading): Promise<PostgresConnection> {
  const { settings, watch, options } = reading;
  const shownBefore = watch.shown?.value ?? 0;
  const startedAt = performance.now();
  for (;;) {
    const isLate = performance.now() - startedAt > catchUpMs;
    const connection = await connect(settings, {
      ...options,
      ...(isLate ? { sessionKind: 'primary' } : {}),
    });
    try {
      await beginState(connection);
      const [generation] = await connection.query<Generation>(generationSql);
      if (generation === undefined) throw new Error('the store has no generation');
      if (watch.note(generation, connection.isStandby) || generation.value >= shownBefore) return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
    await connection.end();
    if (isLate) {
      throw new AppError('unavailable', `the store ${settings.name} is behind what has been shown`, {
        kind: 'store-unavailable',
      });
    }
    await sleep(catchUpStepMs);
  }
}
