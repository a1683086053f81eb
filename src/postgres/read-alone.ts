/** What takes long, page by page: one state of the store, and none older than what this node has shown. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../model/app-error.ts';
import { type ConnectOptions, connect } from './connection/connect.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { type Generation, type GenerationWatch, generationSql } from './generation-watch.ts';
import { beginState } from './postgres-state.ts';

/** What a reader lends. */
export interface LongReading {
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

/** Reads on a connection of its own, which ends with the reading. */
export async function* readAlone<T>(
  reading: LongReading,
  read: (connection: PostgresConnection) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const connection = await openCurrent(reading);
  reading.connections.add(connection);
  try {
    yield* read(connection);
  } finally {
    reading.connections.delete(connection);
    await connection.end();
  }
}

/** A connection with a transaction that sees a state no older than what had been shown before. */
async function openCurrent(reading: LongReading): Promise<PostgresConnection> {
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
