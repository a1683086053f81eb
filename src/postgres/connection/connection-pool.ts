/**
 * A few connections that many questions share. A connection takes a question before it has answered the last one
 * (pipelining), so that nobody waits for a free connection and their number stays small.
 */
import { AppError } from '../../model/app-error.ts';
import { type ConnectOptions, connect } from './connect.ts';
import type { PostgresSettings } from './connection-settings.ts';
import type { PostgresConnection, Row, Statement } from './postgres-connection.ts';
import { postgresFault } from './postgres-fault.ts';

/** Rows, and which kind of server they came from. */
export interface Answered {
  readonly rows: readonly Row[];
  readonly isStandby: boolean;
}

/** How a pool keeps its bounds. */
export interface PoolOptions extends ConnectOptions {
  readonly maxConnections: number;
  /** A connection that owes an answer for this long is cut. */
  readonly answerTimeoutMs: number;
}

/** Questions that wait for an answer at once; more are turned away. */
const maxPending = 10_000;
const overdueCheckMs = 500;

interface PooledConnection {
  readonly connection: PostgresConnection;
  /** When the questions that are not answered yet were sent, in order. */
  readonly sentAt: number[];
}

/** Connections to one store, opened as they are needed. */
export class ConnectionPool {
  readonly #settings: PostgresSettings;
  readonly #options: PoolOptions;
  readonly #connections = new Set<PooledConnection>();
  readonly #timer: NodeJS.Timeout;
  #opening: Promise<PooledConnection> | undefined;
  #pendingCount = 0;
  #isClosed = false;

  constructor(settings: PostgresSettings, options: PoolOptions) {
    this.#settings = settings;
    this.#options = { ...options, isPipelined: true };
    this.#timer = setInterval(() => this.#cutOverdue(), overdueCheckMs).unref();
  }

  /**
   * Asks once.
   * @throws AppError `unavailable` where no server answers, its cause being what went wrong.
   */
  async query(statement: Statement, values: readonly unknown[]): Promise<Answered> {
    if (this.#pendingCount >= maxPending) throw this.#unavailable('too many questions wait for it');
    this.#pendingCount++;
    try {
      return await this.#queryOnce(statement, values);
    } catch (error) {
      throw postgresFault(error, this.#settings.name);
    } finally {
      this.#pendingCount--;
    }
  }

  /** How many connections there are. */
  get size(): number {
    return this.#connections.size;
  }

  /** Cuts all connections; what is under way rejects. */
  cut(): void {
    for (const { connection } of this.#connections) connection.destroy();
    this.#connections.clear();
  }

  /** Ends all connections; nothing may be under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#opening?.catch(() => {});
    const all = [...this.#connections];
    this.#connections.clear();
    await Promise.all(all.map(({ connection }) => connection.end()));
  }

  async #queryOnce(statement: Statement, values: readonly unknown[]): Promise<Answered> {
    const pooled = this.#leastBusy() ?? (await this.#openShared());
    const sentAt = performance.now();
    pooled.sentAt.push(sentAt);
    try {
      const rows = await pooled.connection.query(statement, values);
      return { rows, isStandby: pooled.connection.isStandby };
    } finally {
      pooled.sentAt.splice(pooled.sentAt.indexOf(sentAt), 1);
      if (pooled.connection.isBroken) this.#connections.delete(pooled);
    }
  }

  /** The connection with the least to do; undefined where there is none. A better one may be opened meanwhile. */
  #leastBusy(): PooledConnection | undefined {
    let best: PooledConnection | undefined;
    for (const pooled of this.#connections) {
      if (pooled.connection.isBroken) this.#connections.delete(pooled);
      else if (best === undefined || pooled.sentAt.length < best.sentAt.length) best = pooled;
    }
    const isBusy = best !== undefined && best.sentAt.length > 0;
    // Who asks now need not wait for it, and learns from the questions if the server is gone.
    if (isBusy && this.#connections.size < this.#options.maxConnections) this.#openShared().catch(() => {});
    return best;
  }

  /** One connection is opened at a time, whoever asks for one. */
  #openShared(): Promise<PooledConnection> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<PooledConnection> {
    if (this.#isClosed) throw this.#unavailable('it is closed');
    const connection = await connect(this.#settings, this.#options);
    const pooled = { connection, sentAt: [] };
    this.#connections.add(pooled);
    return pooled;
  }

  #cutOverdue(): void {
    const overdue = performance.now() - this.#options.answerTimeoutMs;
    for (const pooled of this.#connections) {
      if ((pooled.sentAt[0] ?? Number.POSITIVE_INFINITY) > overdue) continue;
      this.#connections.delete(pooled);
      pooled.connection.destroy();
    }
  }

  #unavailable(reason: string): AppError {
    return new AppError('unavailable', `the store ${this.#settings.name} cannot be used: ${reason}`, {
      kind: 'store-unavailable',
    });
  }
}
