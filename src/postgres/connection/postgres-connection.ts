/** One connection to one server: the only file that knows pg. */
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../../model/app-error.ts';
import type { PostgresHost, PostgresSettings } from './connection-settings.ts';
import { findPassword } from './password-file.ts';
import { isServerGone } from './postgres-fault.ts';

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Columns by name: integers as numbers, `bytea` as a Buffer, booleans as such, everything else as text. */
export type Row = Readonly<Record<string, unknown>>;

/** How a connection is opened. */
export interface OpenOptions {
  /** The server cancels a statement after this long; 0 for never. */
  readonly statementTimeoutMs: number;
  /** The connection is cut if a query takes longer than this, on the server and on its way. */
  readonly queryTimeoutMs: number;
  /** Whether statements are sent before the rows of earlier ones have come. */
  readonly isPipelined?: boolean;
  readonly isEncrypted: boolean;
  /** Cuts the connection, also while it is being made. */
  readonly signal?: AbortSignal;
}

/** A connection. Its owner ends it. */
export interface PostgresConnection {
  /** Whether the server was a standby when the connection was made. */
  readonly isStandby: boolean;
  /** Whether the server was read-only when the connection was made; a standby is. */
  readonly isReadOnly: boolean;
  /** Whether the connection is lost: every further query rejects. */
  readonly isBroken: boolean;
  /**
   * Runs one statement and returns its rows, typed as the caller knows its columns to be.
   * Text without values may hold several statements; it then returns nothing.
   */
  query<Columns = Row>(statement: string | Statement, values?: readonly unknown[]): Promise<Columns[]>;
  /** Tells the server, but waits no longer than a second for it. */
  end(): Promise<void>;
  /** Cuts the connection without telling the server; running queries reject. */
  destroy(): void;
}

/** Opens a connection to one host. */
export async function openConnection(
  host: PostgresHost,
  settings: PostgresSettings,
  options: OpenOptions,
): Promise<PostgresConnection> {
  const { queryTimeoutMs, signal } = options;
  const socket = new Socket(signal === undefined ? {} : { signal });
  const client = new pg.Client(clientConfig(host, settings, { ...options, socket }));
  const session = new ClientConnection(client, { socket, queryTimeoutMs });
  // The server's offer decides which mechanism pg takes.
  let isBound = false;
  client.connection.on('authenticationSASL', (offer: { readonly mechanisms: readonly string[] }) => {
    isBound = options.isEncrypted && offer.mechanisms.includes('SCRAM-SHA-256-PLUS');
  });
  try {
    await client.connect();
    if (settings.channelBinding === 'require' && !isBound)
      throw new AppError('unavailable', 'it does not bind the password to the connection (channel_binding)');
    await session.readServerKind();
    return session;
  } catch (error) {
    session.destroy();
    throw error;
  }
}

/** Whether a server has no TLS. */
export function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}

class ClientConnection implements PostgresConnection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #queryTimeoutMs: number;
  isStandby = false;
  isReadOnly = false;
  isBroken = false;

  constructor(client: pg.Client, parts: { readonly socket: Socket; readonly queryTimeoutMs: number }) {
    this.#client = client;
    this.#socket = parts.socket;
    this.#queryTimeoutMs = parts.queryTimeoutMs;
    const noteEnd = () => {
      this.isBroken = true;
    };
    // Running queries reject by themselves; without a listener the process would end.
    client.on('error', noteEnd);
    client.on('end', noteEnd);
  }

  async readServerKind(): Promise<void> {
    const sql = `select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only`;
    const [row] = await this.query(sql);
    this.isStandby = row?.['is_standby'] === true;
    this.isReadOnly = row?.['is_read_only'] === true;
  }

  async query<Columns = Row>(
    statement: string | Statement,
    values: readonly unknown[] = [],
  ): Promise<Columns[]> {
    const named = typeof statement === 'string' ? { text: statement } : statement;
    const timer = setTimeout(() => this.#socket.destroy(new Error('timeout expired')), this.#queryTimeoutMs);
    try {
      const { rows } = await this.#client.query({ ...named, values: [...values] });
      return rows;
    } catch (error) {
      // The end of the connection comes later than the error: no retry may be sent on it meanwhile.
      if (isServerGone(error)) this.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    const timer = setTimeout(() => this.destroy(), goodbyeMs);
    try {
      await this.#client.end();
    } finally {
      clearTimeout(timer);
      this.destroy();
    }
  }

  destroy(): void {
    this.isBroken = true;
    this.#socket.destroy();
  }
}

const goodbyeMs = 1000;

/** Options of pg that its types lack. */
interface ClientOptions {
  readonly pipeline: boolean;
  readonly sslnegotiation?: string;
  readonly enableChannelBinding: boolean;
}

function clientConfig(
  host: PostgresHost,
  settings: PostgresSettings,
  options: OpenOptions & { readonly socket: Socket },
): pg.ClientConfig & ClientOptions {
  return {
    ...host,
    user: settings.user,
    database: settings.database,
    password: () => passwordFor(host, settings),
    ssl: options.isEncrypted ? tlsOptions(settings) : false,
    ...(settings.isTlsDirect && options.isEncrypted ? { sslnegotiation: 'direct' } : {}),
    enableChannelBinding: settings.channelBinding !== 'disable',
    application_name: settings.applicationName,
    options: settings.options,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    // An explicit timeout in the options wins.
    ...(settings.options.includes('statement_timeout')
      ? {}
      : { statement_timeout: options.statementTimeoutMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => options.socket,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
    pipeline: options.isPipelined ?? false,
  };
}

async function passwordFor(host: PostgresHost, settings: PostgresSettings): Promise<string> {
  const { user, database, password, passwordFile } = settings;
  const found = password ?? (await findPassword(passwordFile, { ...host, user, database }));
  if (found !== undefined) return found;
  throw new AppError(
    'unavailable',
    `it asks for the password of ${user}, and neither PGPASSWORD nor ${passwordFile} has one`,
  );
}

/** libpq, table 32.1: `require` verifies the certificate only if a root certificate is given. */
function tlsOptions(settings: PostgresSettings): pg.ClientConfig['ssl'] & {} {
  const { rootCertificate, certificate, key } = settings.tlsFiles;
  const isRootGiven = rootCertificate !== undefined;
  const isVerified =
    settings.tlsMode.startsWith('verify-') || (settings.tlsMode === 'require' && isRootGiven);
  return {
    rejectUnauthorized: isVerified,
    ...(isRootGiven && rootCertificate !== 'system' ? { ca: readFileSync(rootCertificate, 'utf8') } : {}),
    ...(certificate === undefined ? {} : { cert: readFileSync(certificate, 'utf8') }),
    ...(key === undefined ? {} : { key: readFileSync(key, 'utf8') }),
    // The host name in the certificate matters to verify-full alone.
    ...(settings.tlsMode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

const booleanType = 16;
const byteaType = 17;
const integerTypes = [20, 21, 23];

/** Every integer of the store is exact as a number. */
function typeParser(typeId: number): (text: string) => unknown {
  if (typeId === byteaType) return (text) => Buffer.from(text.slice(2), 'hex');
  if (typeId === booleanType) return (text) => text === 't';
  return integerTypes.includes(typeId) ? Number : String;
}
