/** Reads the store on a server: single answers in one statement each, snapshots in transactions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../model/app-error.ts';
import type { ChangeScope, MetricsReader } from '../../model/metrics-reader.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import { integer, type Row } from '../../store/rows.ts';
import { type HeldView, StoreReader } from '../../store/store-reader.ts';
import { storedRecords } from '../../store/stored-records.ts';
import { batchOptions, connect } from '../connection/connect.ts';
import { ConnectionPool } from '../connection/connection-pool.ts';
import type { PostgresSettings } from '../connection/connection-settings.ts';
import type { PostgresConnection, Statement } from '../connection/postgres-connection.ts';
import { isWorthRetry, postgresFault } from '../connection/postgres-fault.ts';
import type { RowSource } from '../keyset-pages.ts';
import { checkVersion } from '../postgres-schema.ts';
import { beginReading, PostgresState } from '../postgres-state.ts';
import { GenerationWatch, watchOptions } from './generation-watch.ts';
import { catchUpMs, catchUpStepMs, PostgresSnapshots } from './postgres-snapshots.ts';
import { KnownUids, PostgresView } from './postgres-view.ts';

/**
 * Opens the store for reading.
 * @throws AppError `not_found` if there is none, `invalid` for one of another version, `unavailable` with host and port if no
 *   server can be reached.
 */
export async function openPostgresReader(settings: PostgresSettings): Promise<MetricsReader> {
  const connection = await connect(settings, watchOptions);
  const reader = new PostgresReader(settings);
  try {
    await checkVersion(connection, settings.name);
    await reader.start(connection);
    return reader;
  } catch (error) {
    await connection.end();
    throw postgresFault(error, settings.name);
  }
}

/** Longest execution of a statement on the server. */
const statementTimeoutMs = 5000;
/** Longest wait for an answer, with the network. */
const queryTimeoutMs = 7000;
const maxConnections = 4;

class PostgresReader extends StoreReader {
  readonly #settings: PostgresSettings;
  readonly #watch: GenerationWatch;
  readonly #pool: ConnectionPool;
  /** Connections to the primary server, for when the standbys lag. */
  readonly #primary: ConnectionPool;
  readonly #snapshots: PostgresSnapshots;
  readonly #uids = new KnownUids();
  protected override readonly newest: PostgresView;

  constructor(settings: PostgresSettings) {
    super();
    this.#settings = settings;
    this.#watch = new GenerationWatch(settings, () => {
      this.#pool.cut();
      this.#primary.cut();
      this.#snapshots.cut();
    });
    const options = { statementTimeoutMs, queryTimeoutMs };
    this.#pool = new ConnectionPool(settings, { ...options, maxConnections });
    this.#primary = new ConnectionPool(settings, { ...options, maxConnections: 1, sessionKind: 'primary' });
    this.#snapshots = new PostgresSnapshots(settings, options, this.#watch);
    this.newest = new PostgresView({
      rows: { query: (statement, values) => this.#ask(statement, values) },
      uids: this.#uids,
      generation: (of) => this.generation(of),
    });
  }

  /** Begins to watch the generation on a connection, which the reader then owns. */
  start(connection: PostgresConnection): Promise<void> {
    return this.#watch.start(connection);
  }

  override generation(of: ChangeScope): number {
    return this.#watch.changeCount(of);
  }

  override unreachableMs(): number {
    return this.#watch.unreachableMs();
  }

  protected override async hold(): Promise<HeldView> {
    this.#refuseUnreachable();
    const taken = await this.#snapshots.take();
    const { connection, generations } = taken;
    let isGood = true;
    const query: RowSource['query'] = async (statement, values) => {
      try {
        return await connection.query(statement, values);
      } catch (error) {
        // The transaction is aborted, or the connection is lost.
        isGood = false;
        throw postgresFault(error, this.#settings.name);
      }
    };
    const view = new PostgresView({ rows: { query }, uids: this.#uids, generation: (of) => generations[of] });
    return { view, release: () => this.#snapshots.giveBack(taken, isGood) };
  }

  override async *records(): AsyncGenerator<readonly MetricsRecord[]> {
    const { name } = this.#settings;
    const connection = await connect(this.#settings, batchOptions);
    try {
      await beginReading(connection, name);
      yield* storedRecords(new PostgresState(connection), name);
    } catch (error) {
      throw postgresFault(error, name);
    } finally {
      await connection.end();
    }
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    const closing = [this.#watch, this.#pool, this.#primary, this.#snapshots];
    await Promise.all(closing.map((each) => each.close()));
  }

  /**
   * Runs one statement. Its answer is never older than a state that this node has shown before.
   * @throws AppError `unavailable` if no server can give such an answer in time.
   */
  async #ask(statement: string | Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    this.#refuseUnreachable();
    const shownBefore = this.#watch.shown?.value ?? 0;
    const startedAt = performance.now();
    let pool = this.#pool;
    for (;;) {
      const { rows, isStandby } = await this.#query(pool, statement, values);
      const [row] = rows;
      const value = integer(row?.['generation']);
      const generation = { value, token: integer(row?.['token']), catalogue: integer(row?.['catalogue']) };
      if (this.#watch.note(generation, isStandby) || value >= shownBefore) return rows;
      if (pool === this.#primary) throw this.#unavailable('its servers are behind what has been shown');
      if (performance.now() - startedAt > catchUpMs) pool = this.#primary;
      else await sleep(catchUpStepMs);
    }
  }

  /** Retries once if the connection broke and there is still a server. */
  async #query(pool: ConnectionPool, statement: string | Statement, values: readonly unknown[]) {
    try {
      return await pool.query(statement, values);
    } catch (error) {
      if (!(error instanceof AppError && isWorthRetry(error.cause))) throw error;
      this.#watch.hurry();
      if (this.#watch.unreachableMs() > 0) throw error;
      return pool.query(statement, values);
    }
  }

  #refuseUnreachable(): void {
    if (this.#watch.unreachableMs() > 0) throw this.#unavailable('no server can be reached at the moment');
  }

  #unavailable(reason: string): AppError {
    return new AppError('unavailable', `the store ${this.#settings.name} cannot be used: ${reason}`, {
      kind: 'store-unavailable',
    });
  }
}
