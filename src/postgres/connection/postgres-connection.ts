/** One connection to one server, through pg. */
import { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../../model/app-error.ts';
import type { Row } from '../../store/rows.ts';
import { clientConfig, type OpenOptions } from './client-config.ts';
import type { PostgresHost, PostgresSettings } from './connection-settings.ts';
import { isServerGone } from './postgres-fault.ts';

/** A statement that each connection prepares once, under its name. Behind a connection pooler it is prepared each time, unnamed. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Longest wait for the server to close a connection. */
const goodbyeMs = 1000;

const serverKindSql = `
  select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
    pg_backend_pid() as process_id`;

/** A connection, which its owner must end. */
export class PostgresConnection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #queryTimeoutMs: number;
  /** True if the server was a standby when the connection was made. */
  isStandby = false;
  /** True if the server was read-only, as a standby is, when the connection was made. */
  isReadOnly = false;
  /**
   * True behind a connection pooler such as PgBouncer, which may give every transaction another session: the name of a
   * prepared statement is unknown, or taken, in the next one.
   */
  #isPooled = false;
  /** Settles with the last query; used only behind a pooler. */
  #lastAnswered: Promise<unknown> = Promise.resolve();

  private constructor(host: PostgresHost, settings: PostgresSettings, options: OpenOptions) {
    this.#queryTimeoutMs = options.queryTimeoutMs;
    this.#socket = new Socket(options.signal === undefined ? {} : { signal: options.signal });
    this.#client = new pg.Client(clientConfig(host, settings, { ...options, socket: this.#socket }));
    // Pending queries reject anyway; without a listener the process would end.
    this.#client.on('error', () => this.destroy());
  }

  /** Connects to one host. Rejects with the error of pg, the network or the server. */
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

  /** True if the connection is lost: every further query rejects. */
  get isBroken(): boolean {
    return this.#socket.destroyed;
  }

  /**
   * Runs one statement and returns its rows, with the type that the caller declares: integers are numbers, `bytea` is a Buffer,
   * booleans are booleans, everything else is text. Text without values may contain several statements, and returns no rows.
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
      // The connection ends some time after this error; a retry must not be sent on it meanwhile.
      if (isServerGone(error)) this.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the connection after the last answer, and cuts it if the server takes longer than a second. */
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
   * Sends a query; behind a pooler, after the answer to the last one. PgBouncer in transaction mode gives the session to
   * another client as soon as an answer is complete, even if it has forwarded half of the next query, and so mixes the two
   * (1.18; github.com/pgbouncer/pgbouncer/issues/759).
   */
  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (!this.#isPooled) return this.#client.query(query);
    const answer = this.#lastAnswered.then(() => this.#client.query(query));
    this.#lastAnswered = answer.catch(() => {});
    return answer;
  }

  async #start({ channelBinding }: PostgresSettings, { isEncrypted }: OpenOptions): Promise<void> {
    // pg chooses the mechanism from those that the server offers.
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
    // A pooler sends its own process id, and not that of the session.
    this.#isPooled = kind?.['process_id'] !== processId;
  }
}

function textOf(statement: string | Statement): string {
  return typeof statement === 'string' ? statement : statement.text;
}
