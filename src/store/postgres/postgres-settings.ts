/** Parses the name of a PostgreSQL store: a connection URI, as pg understands it, with one address. */
import { userInfo } from 'node:os';
import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { AppError } from '../../model/app-error.ts';

/** The settings of a store on a PostgreSQL server. */
export interface PostgresSettings {
  /** The name of the store in messages: without password and parameters. */
  readonly name: string;
  /** The part of the configuration of pg that the URI gives. */
  readonly config: Readonly<pg.ClientConfig>;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const parameters = [
  ...['host', 'port', 'user', 'password', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'],
  ...['connect_timeout', 'application_name', 'options'],
];

const oneAddress = 'one address; put HAProxy, PgBouncer or a virtual address in front';

/** Parameters of libpq that earlier programs accepted, and their replacements. */
const unsupported: Readonly<Record<string, string>> = {
  target_session_attrs: oneAddress,
  load_balance_hosts: oneAddress,
  channel_binding: 'sslmode=verify-full verifies the server',
  gssencmode: 'there is no GSSAPI',
  passfile: 'the variable PGPASSFILE names the file',
};

// pg verifies the certificate unless told otherwise. It lacks libpq's modes prefer and allow, which may
// connect without TLS.
const tlsModes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

// A second @ would be part of a password that is not percent-encoded.
const uriPattern = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?([^@/?#]*)(?:\/[^@?#]*)?(?:\?([^@#]*))?$/;

const defaultTimeoutSeconds = 5;

/**
 * Parses a connection URI. A missing address, user or database comes from the environment; pg itself reads
 * `PGPASSWORD`, `PGPASSFILE`, `PGSSLMODE`, `PGSSLNEGOTIATION`, `PGAPPNAME` and `PGOPTIONS`.
 * @throws AppError `invalid` with the broken rule. No message repeats a part of the URI, because each part
 * may contain a password that is not percent-encoded.
 */
export function parsePostgresName(uri: string, environment: Environment): PostgresSettings {
  // pg would escape such characters, and would escape again those that are escaped already.
  if (/%(?![\da-f]{2})|\s/i.test(uri)) refuse(wrongForm);
  const [, address = '', query] = uriPattern.exec(uri) ?? refuse(wrongForm);
  const given = new URLSearchParams(query);
  for (const name of given.keys()) {
    if (Object.hasOwn(unsupported, name)) refuse(`${name} is not supported: ${unsupported[name]}`);
    if (!parameters.includes(name)) refuse(`it has an unknown parameter; there are ${parameters.join(', ')}`);
  }
  const mode = given.get('sslmode');
  if (mode !== null && !tlsModes.includes(mode)) refuse(`sslmode must be one of ${tlsModes.join(', ')}`);
  const host = given.get('host') || address || environment['PGHOST'] || '';
  if (host.includes(',')) refuse(`it has several hosts: ${oneAddress}`);
  const config = parse(uri);
  const user = config.user || environment['PGUSER'] || userInfo().username;
  const port = Number(config.port || environment['PGPORT'] || 5432);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    refuse('its port must be a whole number from 1 to 65535');
  const seconds = given.get('connect_timeout') || environment['PGCONNECT_TIMEOUT'] || '0';
  if (!/^\d{1,6}$/.test(seconds)) refuse('connect_timeout must be a whole number of seconds');
  const place = {
    user,
    host: config.host || environment['PGHOST'] || 'localhost',
    port,
    database: config.database || environment['PGDATABASE'] || user,
  };
  const connectionTimeoutMillis = (Number(seconds) || defaultTimeoutSeconds) * 1000;
  return { name: nameOf(place), config: { ...config, ...place, connectionTimeoutMillis } };
}

const wrongForm = 'it must look like postgres://USER@HOST:PORT/DATABASE?PARAMETER=VALUE, percent-encoded';

function parse(uri: string): pg.ClientConfig {
  try {
    // pg treats these modes alike, but warns that a later version will not.
    return parseIntoClientConfig(uri.replace(/([?&]sslmode=)(?:require|verify-ca)(?=&|$)/g, '$1verify-full'));
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause && 'code' in cause)
      refuse(`the file of sslrootcert, sslcert or sslkey cannot be read: ${cause.code}`, cause);
    return refuse(wrongForm, cause);
  }
}

function nameOf(place: Readonly<Record<'user' | 'host' | 'database', string> & { port: number }>): string {
  const { host, port } = place;
  const shown = host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  return `postgres://${encodeURIComponent(place.user)}@${shown}:${port}/${encodeURIComponent(place.database)}`;
}

function refuse(reason: string, cause?: unknown): never {
  throw new AppError('invalid', `the name of the store is wrong: ${reason}`, { cause });
}
