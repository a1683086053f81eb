/** Connections with open read transactions, each on a state that is not older than one that this node has shown. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../model/app-error.ts';
import type { ChangeScope } from '../../model/metrics-reader.ts';
import { type ConnectOptions, connect } from '../connection/connect.ts';
import type { PostgresSettings } from '../connection/connection-settings.ts';
import type { PostgresConnection } from '../connection/postgres-connection.ts';
import { postgresFault } from '../connection/postgres-fault.ts';
import { beginState } from '../postgres-state.ts';
import { type Generation, type GenerationWatch, generationSql } from './generation-watch.ts';

/** The time in which a standby must catch up with the state that this node has shown. */
export const catchUpMs = 500;
/** Pause before a standby is asked again. */
export const catchUpStepMs = 25;

/**
 * The most snapshots at once; further ones wait. Half of them may be held for minutes, by responses that are sent as they are made (there
 * are at most eight of those), so that eight are left for all others.
 */
const maxConnections = 16;

/** Idle connections kept for later snapshots. */
const maxIdle = 2;

/** A connection with an open transaction. */
interface PostgresSnapshot {
  readonly connection: PostgresConnection;
  /** The generations of the state that the transaction sees, as the reader counts them; NaN if a newer state is known already. */
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
   * Takes a connection whose transaction sees the newest state until it is given back.
   * @throws AppError `unavailable` if no server has that state in time.
   */
  async take(): Promise<PostgresSnapshot> {
    if (this.#takenCount < maxConnections) this.#takenCount++;
    // A snapshot that ends passes its place on, so that the count stays.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#begin();
    } catch (error) {
      this.#leave();
      throw postgresFault(error, this.#settings.name);
    }
  }

  /** Gives a connection back. @param isGood true if it can be used again. */
  giveBack({ connection }: PostgresSnapshot, isGood: boolean): void {
    this.#leave();
    if (isGood && !connection.isBroken && !this.#isClosed && this.#idle.length < maxIdle) {
      // Not awaited: the server runs the next query on this connection after it.
      connection.query('rollback').catch(() => connection.destroy());
      this.#idle.push(connection);
    } else if (isGood) void connection.end();
    else connection.destroy();
  }

  /** Cuts all connections, including those being opened; pending queries reject. */
  cut(): void {
    this.#cutting.abort();
    this.#cutting = new AbortController();
    this.#idle.length = 0;
  }

  /** Ends idle connections; the others end when they are given back. */
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

  /** Begins a transaction on an idle connection, or on a new one if there is none or its server has ended it. */
  async #beginOne(isLate: boolean) {
    const kept = isLate ? undefined : this.#idle.pop();
    if (kept !== undefined) {
      try {
        return await beginWithGeneration(kept);
      } catch {
        // Its server has ended it meanwhile; another fault will show on the new connection.
      }
    }
    const { signal } = this.#cutting;
    const sessionKind = isLate ? { sessionKind: 'primary' as const } : {};
    return beginWithGeneration(await connect(this.#settings, { ...this.#options, signal, ...sessionKind }));
  }
}

/** Begins a transaction and gets its generation, in one round trip. */
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
