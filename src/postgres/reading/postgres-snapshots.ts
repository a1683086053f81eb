/** Connections that each have a read transaction open: one state of the store, and none older than this node has shown. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../model/app-error.ts';
import type { ChangeScope } from '../../model/metrics-reader.ts';
import { type ConnectOptions, connect } from '../connection/connect.ts';
import type { PostgresSettings } from '../connection/connection-settings.ts';
import type { PostgresConnection } from '../connection/postgres-connection.ts';
import { postgresFault } from '../connection/postgres-fault.ts';
import { beginState } from '../postgres-state.ts';
import { type Generation, type GenerationWatch, generationSql } from './generation-watch.ts';

/** The time in which a standby must reach what this node has shown already. */
export const catchUpMs = 500;
/** The pause before a standby is asked again. */
export const catchUpStepMs = 25;

/** Snapshots beyond these wait for one of them to end. */
const maxConnections = 8;

/** Idle connections kept for later snapshots. */
const maxIdle = 2;

/** A connection with an open transaction. */
export interface PostgresSnapshot {
  readonly connection: PostgresConnection;
  /** The generations of what the transaction sees, as the reader counts them; NaN where a newer state has been seen meanwhile. */
  readonly generations: Readonly<Record<ChangeScope, number>>;
}

/** The snapshots of one reader. */
export class PostgresSnapshots {
  readonly #settings: PostgresSettings;
  readonly #options: ConnectOptions;
  readonly #watch: GenerationWatch;
  readonly #idle: PostgresConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #cutting = new AbortController();
  #takenCount = 0;
  #isClosed = false;

  constructor(settings: PostgresSettings, options: ConnectOptions, watch: GenerationWatch) {
    this.#settings = settings;
    this.#options = { ...options, isPipelined: true };
    this.#watch = watch;
  }

  /**
   * A connection whose transaction sees the newest state until it is given back.
   * @throws AppError `unavailable` where no server can give one in time.
   */
  async take(): Promise<PostgresSnapshot> {
    if (this.#takenCount < maxConnections) this.#takenCount++;
    // The snapshot that ends leaves its place to this one.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#begin();
    } catch (error) {
      this.#leave();
      throw postgresFault(error, this.#settings.name);
    }
  }

  /** @param isGood whether the connection can be used again. */
  giveBack({ connection }: PostgresSnapshot, isGood: boolean): void {
    this.#leave();
    if (isGood && !connection.isBroken && !this.#isClosed && this.#idle.length < maxIdle) {
      // What is asked next on this connection is answered behind this.
      connection.query('rollback').catch(() => connection.destroy());
      this.#idle.push(connection);
    } else if (isGood) void connection.end();
    else connection.destroy();
  }

  /** Cuts all connections, those being opened too; pending queries reject. */
  cut(): void {
    this.#cutting.abort();
    this.#cutting = new AbortController();
    this.#idle.length = 0;
  }

  /** Ends the connections that are not in use; the others end as they are given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#takenCount--;
    else next();
  }

  async #begin(): Promise<PostgresSnapshot> {
    const shownBefore = this.#watch.shown?.value ?? 0;
    const startedAt = performance.now();
    for (;;) {
      const isLate = performance.now() - startedAt > catchUpMs;
      const { connection, generation } = await this.#beginOne(isLate);
      const isNewest = this.#watch.note(generation, connection.isStandby);
      if (isNewest || generation.value >= shownBefore) {
        const count = (of: ChangeScope) => (isNewest ? this.#watch.changeCount(of) : Number.NaN);
        return { connection, generations: { catalogue: count('catalogue'), data: count('data') } };
      }
      await connection.end();
      if (isLate) {
        const message = `the store ${this.#settings.name} is behind what has been shown`;
        throw new AppError('unavailable', message, { kind: 'store-unavailable' });
      }
      await sleep(catchUpStepMs);
    }
  }

  /** On a kept connection, or on a new one where there is none, or where its server has ended it meanwhile. */
  async #beginOne(isLate: boolean) {
    const kept = isLate ? undefined : this.#idle.pop();
    if (kept !== undefined) {
      try {
        return await beginWithGeneration(kept);
      } catch {
        // Its server has ended it meanwhile; if there is more to it, the next connection says so.
      }
    }
    const { signal } = this.#cutting;
    const sessionKind = isLate ? { sessionKind: 'primary' as const } : {};
    return beginWithGeneration(await connect(this.#settings, { ...this.#options, signal, ...sessionKind }));
  }
}

/** Both queries are sent at once. */
async function beginWithGeneration(connection: PostgresConnection) {
  try {
    const [, [generation]] = await Promise.all([
      beginState(connection),
      connection.query<Generation>(generationSql),
    ]);
    if (generation === undefined) throw new Error('the store has no generation');
    return { connection, generation };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}
