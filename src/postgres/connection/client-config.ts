/** The configuration of pg: TLS, password, timeouts, and types of columns. */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type pg from 'pg';
import { AppError } from '../../model/app-error.ts';
import type { PostgresHost, PostgresSettings } from './connection-settings.ts';
import { findPassword } from './password-file.ts';

/** Options of a connection. */
export interface OpenOptions {
  /** The server cancels a statement after this time; 0 for never. */
  readonly statementTimeoutMs: number;
  /** The connection is cut if a query takes longer than this, on the server and on its way. */
  readonly queryTimeoutMs: number;
  /** True to send statements before the rows of earlier ones have arrived. */
  readonly isPipelined?: boolean;
  readonly isEncrypted: boolean;
  /** Cuts the connection, also while it is being made. */
  readonly signal?: AbortSignal;
}

/** Options of pg that its types lack. */
interface ClientOptions {
  readonly pipeline: boolean;
  readonly sslnegotiation?: string;
  readonly enableChannelBinding: boolean;
}

/** Makes the configuration of a client that connects to one host through this socket. */
export function clientConfig(
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

/** Makes TLS options as libpq does (table 32.1): `require` verifies the certificate only if a root certificate is given. */
function tlsOptions(settings: PostgresSettings): pg.ClientConfig['ssl'] & {} {
  const { rootCertificate, certificate, key } = settings.tlsFiles;
  const isRootGiven = rootCertificate !== undefined;
  const isVerified =
    settings.tlsMode.startsWith('verify-') || (settings.tlsMode === 'require' && isRootGiven);
  return {
    rejectUnauthorized: isVerified,
    ...(isRootGiven && rootCertificate !== 'system'
      ? { ca: readTlsFile('sslrootcert', rootCertificate) }
      : {}),
    ...(certificate === undefined ? {} : { cert: readTlsFile('sslcert', certificate) }),
    ...(key === undefined ? {} : { key: readTlsFile('sslkey', key) }),
    // The host name in the certificate matters to verify-full alone.
    ...(settings.tlsMode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

function readTlsFile(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new AppError('unavailable', `the file of ${parameter} cannot be read: ${reason}`, { cause });
  }
}

const booleanType = 16;
const byteaType = 17;
const integerTypes = [20, 21, 23];

/** Chooses the parser for a type of column. Every integer of a store is exact as a number. */
function typeParser(typeId: number): (text: string) => unknown {
  if (typeId === byteaType) return (text) => Buffer.from(text.slice(2), 'hex');
  if (typeId === booleanType) return (text) => text === 't';
  return integerTypes.includes(typeId) ? Number : String;
}
