/** A connection to the server that holds the store: hosts are tried in order until one will do. */
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../../model/app-error.ts';
import {
  hostText,
  type PostgresHost,
  type PostgresSettings,
  type SessionKind,
} from './connection-settings.ts';
import { findPassword } from './password-file.ts';
import { faultReason } from './postgres-fault.ts';

/** A connection. Whoever holds it ends it. */
export interface PostgresConnection {
  readonly client: pg.Client;
  readonly host: PostgresHost;
  /** Whether the server was a standby when the connection was made. */
  readonly isStandby: boolean;
  /** Whether the connection has broken; nothing more comes out of it. */
  readonly isBroken: () => boolean;
  /** Cuts the connection without a word to the server; what is under way rejects. */
  readonly destroy: () => void;
}

/** What a connection is for. */
export interface ConnectOptions {
  /** Instead of the kind that the settings name. */
  readonly sessionKind?: SessionKind;
  /** The server gives up on a statement after this long; 0 for never. */
  readonly statementTimeoutMs: number;
  /** Whether statements are sent before the answers to earlier ones have come. */
  readonly isPipelined?: boolean;
}

/**
 * Connects to the first host that can be reached and is of the wanted kind.
 * @throws AppError `unavailable` naming every host with what was wrong with it.
 */
export async function connect(
  settings: PostgresSettings,
  options: ConnectOptions,
): Promise<PostgresConnection> {
  const kind = options.sessionKind ?? settings.sessionKind;
  const hosts = settings.isHostOrderRandom ? shuffled(settings.hosts) : settings.hosts;
  // As libpq: the preference is tried on every host before any host will do.
  const kinds: SessionKind[] = kind === 'prefer-standby' ? ['standby', 'any'] : [kind];
  let failures: Failure[] = [];
  for (const wanted of kinds) {
    failures = [];
    for (const host of hosts) {
      try {
        return await connectTo(host, settings, { ...options, sessionKind: wanted });
      } catch (cause) {
        failures.push({ host, cause });
      }
    }
  }
  throw unreachable(settings, failures);
}

interface Failure {
  readonly host: PostgresHost;
  readonly cause: unknown;
}

function unreachable(settings: PostgresSettings, failures: readonly Failure[]): AppError {
  const reasons = failures.map(({ host, cause }) => `${hostText(host)}: ${faultReason(cause)}`);
  const message = `the store ${settings.name} cannot be reached: ${reasons.join('; ')}`;
  return new AppError('unavailable', message, { kind: 'store-unavailable', cause: failures[0]?.cause });
}

async function connectTo(
  host: PostgresHost,
  settings: PostgresSettings,
  options: ConnectOptions & { readonly sessionKind: SessionKind },
): Promise<PostgresConnection> {
  const connection = await openSession(host, settings, options);
  const { client } = connection;
  try {
    const sql = `select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only`;
    const row = (await client.query(sql)).rows[0] as ServerKind;
    refuseOtherKind(row, options.sessionKind);
    return { ...connection, isStandby: row.is_standby };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

interface ServerKind {
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
}

function refuseOtherKind(server: ServerKind, wanted: SessionKind): void {
  const isRight = {
    any: true,
    'prefer-standby': true,
    'read-write': !server.is_read_only,
    'read-only': server.is_read_only,
    primary: !server.is_standby,
    standby: server.is_standby,
  }[wanted];
  if (isRight) return;
  const found = server.is_standby
    ? 'a standby'
    : server.is_read_only
      ? 'read-only'
      : 'a primary that takes writes';
  throw new AppError('unavailable', `it is ${found}, but ${wanted} is wanted`);
}

/** Tries with TLS, without it, or one after the other (libpq, `sslmode`). */
async function openSession(
  host: PostgresHost,
  settings: PostgresSettings,
  options: ConnectOptions,
): Promise<Omit<PostgresConnection, 'isStandby'>> {
  const { tlsMode } = settings;
  const attempts = host.host.startsWith('/')
    ? [false]
    : {
        disable: [false],
        allow: [false, true],
        prefer: [true, false],
        require: [true],
        'verify-ca': [true],
        'verify-full': [true],
      }[tlsMode];
  let failure: unknown;
  for (const isEncrypted of attempts) {
    const ssl = isEncrypted ? tlsOptions(settings) : false;
    try {
      return await openClient(host, settings, { ...options, ssl });
    } catch (error) {
      // The first failure tells more, unless it only was that the server has no TLS.
      failure = failure === undefined || isWithoutTls(failure) ? error : failure;
      if (!isWorthAnotherMode(error)) break;
    }
  }
  throw failure;
}

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}

/** A server without TLS, or one whose rules refuse the mode of this attempt. */
function isWorthAnotherMode(error: unknown): boolean {
  return isWithoutTls(error) || (error instanceof pg.DatabaseError && error.code === '28000');
}

/** Options of pg that its types do not know yet. */
interface ClientOptions {
  readonly pipeline: boolean;
  readonly sslnegotiation?: string;
  readonly enableChannelBinding: boolean;
}

async function openClient(
  host: PostgresHost,
  settings: PostgresSettings,
  options: ConnectOptions & { readonly ssl: pg.ClientConfig['ssl'] & {} },
): Promise<Omit<PostgresConnection, 'isStandby'>> {
  const socket = new Socket();
  let isBroken = false;
  const config: pg.ClientConfig & ClientOptions = {
    ...host,
    user: settings.user,
    database: settings.database,
    password: () => passwordFor(host, settings),
    ssl: options.ssl,
    ...(settings.isTlsDirect && options.ssl !== false ? { sslnegotiation: 'direct' } : {}),
    enableChannelBinding: settings.channelBinding !== 'disable',
    application_name: settings.applicationName,
    options: settings.options,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    // Whoever names a timeout in the options means it.
    ...(settings.options.includes('statement_timeout')
      ? {}
      : { statement_timeout: options.statementTimeoutMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => socket,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
    pipeline: options.isPipelined ?? false,
  };
  const client = new pg.Client(config);
  // What was under way rejects by itself; without a listener the process would end.
  client.on('error', () => {
    isBroken = true;
  });
  client.on('end', () => {
    isBroken = true;
  });
  // What the server offers decides which mechanism pg takes.
  let isBound = false;
  client.connection.on('authenticationSASL', (offer: { readonly mechanisms: readonly string[] }) => {
    isBound = options.ssl !== false && offer.mechanisms.includes('SCRAM-SHA-256-PLUS');
  });
  const destroy = () => {
    isBroken = true;
    socket.destroy();
  };
  try {
    await client.connect();
    if (settings.channelBinding === 'require' && !isBound)
      throw new AppError('unavailable', 'it does not bind the password to the connection (channel_binding)');
  } catch (error) {
    destroy();
    throw error;
  }
  return { client, host, isBroken: () => isBroken, destroy };
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

/** libpq, table 32.1: `require` looks at the certificate only where a root certificate is given. */
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
    // The certificate must be good; whom it names is looked at by verify-full alone.
    ...(settings.tlsMode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

const booleanType = 16;
const byteaType = 17;
const integerTypes = [20, 21, 23];

/** How columns come in. Every integer of the store is exact as a number. */
function typeParser(typeId: number): (text: string) => unknown {
  if (typeId === byteaType) return (text) => Buffer.from(text.slice(2), 'hex');
  if (typeId === booleanType) return (text) => text === 't';
  return integerTypes.includes(typeId) ? Number : String;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
