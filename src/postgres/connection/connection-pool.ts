/**
 * A few connections that many queries share. Queries are pipelined, except behind a pooler: a connection sends a query before
 * the rows of the last one have arrived, so that none waits for a free connection.
 */
import { AppError } from '../../model/app-error.ts';
import type { Row } from '../../store/rows.ts';
import { type ConnectOptions, connect } from './connect.ts';
import type { PostgresSettings } from './connection-settings.ts';
import type { PostgresConnection, Statement } from './postgres-connection.ts';
import { postgresFault } from './postgres-fault.ts';

/** The rows of a query, and the kind of server that sent them. */
interface QueryResult {
  readonly rows: readonly Row[];
  readonly isStandby: boolean;
}

/** Options of a pool. */
interface PoolOptions extends ConnectOptions {
  readonly maxConnections: number;
}

/** The most pending queries; further ones are refused. */
const maxPending = 10_000;

interface PooledConnection {
  readonly connection: PostgresConnection;
  pendingCount: number;
}

/** Connections to one store, opened when they are needed. */
export class ConnectionPool {
  readonly #settings: PostgresSettings;
  readonly #options: PoolOptions;
  readonly #connections = new Set<PooledConnection>();
  #opening: Promise<PooledConnection> | undefined;
  #cutting = new AbortController();
  #pendingCount = 0;
  #isClosed = false;

  constructor(settings: PostgresSettings, options: PoolOptions) {
    this.#settings = settings;
    this.#options = { ...options, isPipelined: true };
  }

  /**
   * Runs a statement once, without a retry.
   * @throws AppError `unavailable` if the store cannot be read, with the reason as its cause.
   */
  async query(statement: string | Statement, values: readonly unknown[]): Promise<QueryResult> {
    if (this.#pendingCount >= maxPending) throw this.#unavailable('too many queries wait for it');
    this.#pendingCount++;
    try {
      return await this.#run(this.#leastBusy() ?? (await this.#openOne()), statement, values);
    } catch (error) {
      throw postgresFault(error, this.#settings.name);
    } finally {
      this.#pendingCount--;
    }
  }

  /** Cuts all connections, including those being opened; pending queries reject. */
  cut(): void {
    this.#cutting.abort();
    this.#cutting = new AbortController();
    this.#connections.clear();
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => {});
    await Promise.all([...this.#connections].map(({ connection }) => connection.end()));
  }

  async #run(
    pooled: PooledConnection,
    statement: string | Statement,
    values: readonly unknown[],
  ): Promise<QueryResult> {
    const { connection } = pooled;
    pooled.pendingCount++;
    try {
      return { rows: await connection.query(statement, values), isStandby: connection.isStandby };
    } finally {
      pooled.pendingCount--;
      if (connection.isBroken) this.#connections.delete(pooled);
    }
  }

  /** Finds the connection with the fewest pending queries; undefined if there is none. Opens another one if it is busy. */
  #leastBusy(): PooledConnection | undefined {
    let best: PooledConnection | undefined;
    for (const pooled of this.#connections) {
      if (pooled.connection.isBroken) this.#connections.delete(pooled);
      else if (best === undefined || pooled.pendingCount < best.pendingCount) best = pooled;
    }
    const isBusy = best !== undefined && best.pendingCount > 0;
    // This query neither waits for the new connection nor fails with it.
    if (isBusy && this.#connections.size < this.#options.maxConnections) this.#openOne().catch(() => {});
    return best;
  }

  /** Opens a connection, or waits for the one that is being opened. */
  #openOne(): Promise<PooledConnection> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<PooledConnection> {
    if (this.#isClosed) throw this.#unavailable('it is closed');
    const connection = await connect(this.#settings, { ...this.#options, signal: this.#cutting.signal });
    const pooled = { connection, pendingCount: 0 };
    this.#connections.add(pooled);
    return pooled;
  }

  #unavailable(reason: string): AppError {
    return new AppError('unavailable', `the store ${this.#settings.name} cannot be used: ${reason}`, {
      kind: 'store-unavailable',
    });
  }
}
