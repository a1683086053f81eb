/** One connection to one server, through pg. */
import { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../../model/app-error.ts';
import type { Row } from '../../store/rows.ts';
import { clientConfig, type OpenOptions } from './client-config.ts';
import type { PostgresHost, PostgresSettings } from './connection-settings.ts';
import { isServerGone } from './postgres-fault.ts';

/** A statement that each connection prepares once, under its name; behind a connection pooler, each time and without it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** How long the server is given to close a connection. */
const goodbyeMs = 1000;

const serverKindSql = `
  select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
    pg_backend_pid() as process_id`;

/** A connection. Its owner ends it. */
export class PostgresConnection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #queryTimeoutMs: number;
  /** Whether the server was a standby when the connection was made. */
  isStandby = false;
  /** Whether the server was read-only when the connection was made; a standby is. */
  isReadOnly = false;
  /**
   * Whether a connection pooler such as PgBouncer is in between, which may give every transaction another session: a name
   * that was prepared in one is unknown, or taken, in the next.
   */
  #isPooled = false;
  /** Settled when the last query is answered; only behind a pooler does anything wait for it. */
  #lastAnswered: Promise<unknown> = Promise.resolve();

  private constructor(host: PostgresHost, settings: PostgresSettings, options: OpenOptions) {
    this.#queryTimeoutMs = options.queryTimeoutMs;
    this.#socket = new Socket(options.signal === undefined ? {} : { signal: options.signal });
    this.#client = new pg.Client(clientConfig(host, settings, { ...options, socket: this.#socket }));
    // Pending queries reject by themselves; without a listener the process would end.
    this.#client.on('error', () => this.destroy());
  }

  /** Connects to one host. Rejects with what pg, the network or the server says. */
  static async open(
    host: PostgresHost,
    settings: PostgresSettings,
    options: OpenOptions,
  ): Promise<PostgresConnection> {
    const connection = new PostgresConnection(host, settings, options);
    try {
      await connection.#start(settings, options);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** Whether the connection is lost: every further query rejects. */
  get isBroken(): boolean {
    return this.#socket.destroyed;
  }

  /**
   * Runs one statement and returns its rows, typed as the caller knows its columns to be: integers as numbers, `bytea` as a
   * Buffer, booleans as such, everything else as text.
   * Text without values may hold several statements; it then returns nothing.
   */
  async query<Columns = Row>(
    statement: string | Statement,
    values: readonly unknown[] = [],
  ): Promise<Columns[]> {
    const named = typeof statement === 'string' || this.#isPooled ? { text: textOf(statement) } : statement;
    const timer = setTimeout(() => this.#socket.destroy(new Error('timeout expired')), this.#queryTimeoutMs);
    try {
      return (await this.#send({ ...named, values: [...values] })).rows;
    } catch (error) {
      // The connection ends later than this error comes: no retry may be sent on it meanwhile.
      if (isServerGone(error)) this.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Says goodbye to the server once it has answered, but waits no longer than a second for it. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.destroy(), goodbyeMs);
    await this.#lastAnswered;
    await this.#client.end();
    clearTimeout(timer);
    this.destroy();
  }

  /** Cuts the connection; pending queries reject. */
  destroy(): void {
    this.#socket.destroy();
  }

  /**
   * Behind a pooler each query waits for the answer to the last one. In transaction mode PgBouncer gives the session to another
   * client as soon as an answer is complete, even if it has passed on half a message of the next query, and so mixes the two
   * (1.18; github.com/pgbouncer/pgbouncer/issues/759).
   */
  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (!this.#isPooled) return this.#client.query(query);
    const answer = this.#lastAnswered.then(() => this.#client.query(query));
    this.#lastAnswered = answer.catch(() => {});
    return answer;
  }

  async #start({ channelBinding }: PostgresSettings, { isEncrypted }: OpenOptions): Promise<void> {
    // The server's offer decides which mechanism pg takes.
    let isBound = false;
    const noteOffer = (offer: { readonly mechanisms: readonly string[] }) => {
      isBound = isEncrypted && offer.mechanisms.includes('SCRAM-SHA-256-PLUS');
    };
    this.#client.connection.on('authenticationSASL', noteOffer);
    let processId: number | undefined;
    this.#client.connection.on('backendKeyData', (key: { readonly processID: number }) => {
      processId = key.processID;
    });
    await this.#client.connect();
    if (channelBinding === 'require' && !isBound)
      throw new AppError('unavailable', 'it does not bind the password to the connection (channel_binding)');
    const [kind] = await this.query(serverKindSql);
    this.isStandby = kind?.['is_standby'] === true;
    this.isReadOnly = kind?.['is_read_only'] === true;
    // A pooler has keys of its own for cancelling what it passes on.
    this.#isPooled = kind?.['process_id'] !== processId;
  }
}

function textOf(statement: string | Statement): string {
  return typeof statement === 'string' ? statement : statement.text;
}
