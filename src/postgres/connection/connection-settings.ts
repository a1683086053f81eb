/** Parses the name of a PostgreSQL store, `postgres://…`, with the parameters of libpq. */
import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { AppError } from '../../model/app-error.ts';

/** One of the servers that may have the store. */
export interface PostgresHost {
  /** A name, an address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

// The first of each is the default.
const sessionKinds = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
const tlsModes = ['prefer', 'disable', 'allow', 'require', 'verify-ca', 'verify-full'] as const;
const bindings = ['disable', 'prefer', 'require'] as const;

/** The kind of server that is wanted (libpq, `target_session_attrs`). */
export type SessionKind = (typeof sessionKinds)[number];

/** The use of TLS (libpq, `sslmode`). */
export type TlsMode = (typeof tlsModes)[number];

/** The binding of the password to the TLS connection (libpq, `channel_binding`). */
type ChannelBinding = (typeof bindings)[number];

/** The settings of a store on a PostgreSQL server. */
export interface PostgresSettings {
  /** The name of the store in messages: without password and parameters. */
  readonly name: string;
  readonly hosts: readonly PostgresHost[];
  readonly isHostOrderRandom: boolean;
  readonly sessionKind: SessionKind;
  readonly user: string;
  readonly database: string;
  /** Undefined to take the password from the password file. */
  readonly password: string | undefined;
  readonly passwordFile: string;
  readonly tlsMode: TlsMode;
  /** True to begin TLS without asking the server first (libpq, `sslnegotiation=direct`). */
  readonly isTlsDirect: boolean;
  readonly channelBinding: ChannelBinding;
  /** File names; `rootCertificate` may be `system`. */
  readonly tlsFiles: {
    readonly rootCertificate: string | undefined;
    readonly certificate: string | undefined;
    readonly key: string | undefined;
  };
  readonly applicationName: string;
  /** Settings of the session, such as `-c work_mem=64MB`. */
  readonly options: string;
  readonly connectTimeoutMs: number;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The known parameters, each with the environment variable that replaces it. */
const parameters: Readonly<Record<string, string | undefined>> = {
  host: 'PGHOST',
  port: 'PGPORT',
  dbname: 'PGDATABASE',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  passfile: 'PGPASSFILE',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  load_balance_hosts: 'PGLOADBALANCEHOSTS',
  sslmode: 'PGSSLMODE',
  sslnegotiation: 'PGSSLNEGOTIATION',
  channel_binding: 'PGCHANNELBINDING',
  gssencmode: 'PGGSSENCMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  application_name: 'PGAPPNAME',
  fallback_application_name: undefined,
  options: 'PGOPTIONS',
  connect_timeout: 'PGCONNECT_TIMEOUT',
};

const defaultPort = 5432;
const defaultConnectTimeoutMs = 5000;
const socketDirectories = ['/var/run/postgresql', '/tmp'];
// Another @ would be part of a password that is not percent-encoded.
const uriPattern = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^@?#]*))?(?:\?([^@#]*))?$/;

/**
 * Parses a connection URI (PostgreSQL 18, 32.1.1.2). Missing parameters come from the environment.
 * @throws AppError `invalid` with the rule that is broken. No message repeats a part of the URI, because a password that is
 *   not percent-encoded may be in any of them.
 */
export function parsePostgresName(text: string, environment: Environment): PostgresSettings {
  const match = uriPattern.exec(text);
  if (match === null)
    throw invalid('it must look like postgres://USER@HOST:PORT/DATABASE?PARAMETER=VALUE, percent-encoded');
  const [, login = '', hostList = '', database = '', query = ''] = match;
  const given = givenParameters({ login, hostList, database, query });
  const value = (name: string): string | undefined =>
    given.get(name) ?? (environment[parameters[name] ?? ''] || undefined);
  const choice = <Choice extends string>(name: string, allowed: readonly [Choice, ...Choice[]]): Choice => {
    const text = value(name);
    const found = text === undefined ? allowed[0] : allowed.find((one) => one === text);
    if (found === undefined) throw invalid(`${name} must be one of ${allowed.join(', ')}`);
    return found;
  };
  // This program has no GSSAPI.
  choice('gssencmode', ['disable', 'prefer']);
  const user = value('user') ?? userInfo().username;
  const settings = {
    hosts: hostsOf(value('host'), value('port')),
    isHostOrderRandom: choice('load_balance_hosts', ['disable', 'random']) === 'random',
    sessionKind: choice('target_session_attrs', sessionKinds),
    user,
    database: value('dbname') ?? user,
    password: value('password'),
    passwordFile: value('passfile') ?? `${homedir()}/.pgpass`,
    tlsMode: choice('sslmode', tlsModes),
    isTlsDirect: choice('sslnegotiation', ['postgres', 'direct']) === 'direct',
    channelBinding: choice('channel_binding', bindings),
    tlsFiles: {
      rootCertificate: value('sslrootcert'),
      certificate: value('sslcert'),
      key: value('sslkey'),
    },
    applicationName: value('application_name') ?? value('fallback_application_name') ?? 'plugin-metrics',
    options: value('options') ?? '',
    connectTimeoutMs: timeoutOf(value('connect_timeout')),
  };
  return { ...settings, name: nameOf(settings) };
}

/** Renders a host as `HOST:PORT`, or as the file of its socket. */
export function hostText({ host, port }: PostgresHost): string {
  if (host.startsWith('/')) return `${host}/.s.PGSQL.${port}`;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function givenParameters(parts: {
  readonly login: string;
  readonly hostList: string;
  readonly database: string;
  readonly query: string;
}): Map<string, string> {
  const given = new Map<string, string>();
  const put = (name: string, raw: string) => {
    if (raw !== '') given.set(name, decode(raw, name));
  };
  const [user = '', ...password] = parts.login.split(':');
  put('user', user);
  put('password', password.join(':'));
  const hosts = parts.hostList.split(',').map((one) => /^(\[[^\]]*\]|[^:[\]]*)(?::(\d*))?$/.exec(one));
  if (hosts.includes(null))
    throw invalid('its hosts must look like HOST:PORT or [ADDRESS]:PORT, with commas');
  if (parts.hostList !== '') {
    put('host', hosts.map((host) => host?.[1]?.replace(/^\[(.*)\]$/, '$1') ?? '').join(','));
    put('port', hosts.map((host) => host?.[2] ?? '').join(','));
  }
  put('dbname', parts.database);
  for (const pair of parts.query.split('&')) {
    if (pair === '') continue;
    const [rawName = '', ...rawValue] = pair.split('=');
    const name = decode(rawName, 'the name of a parameter');
    if (!Object.hasOwn(parameters, name)) {
      throw invalid(`it has an unknown parameter; there are ${Object.keys(parameters).join(', ')}`);
    }
    put(name, rawValue.join('='));
  }
  return given;
}

function hostsOf(hostList: string | undefined, portList: string | undefined): PostgresHost[] {
  const hosts = hostList?.split(',') ?? [''];
  const ports = (portList ?? '').split(',');
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw invalid(`it has ${ports.length} ports for ${hosts.length} hosts`);
  return hosts.map((host, index) => {
    const text = (ports.length === 1 ? ports[0] : ports[index]) || String(defaultPort);
    const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (!(port >= 1 && port <= 65_535)) throw invalid('a port must be a whole number from 1 to 65535');
    return { host: host === '' ? defaultHost(port) : host, port };
  });
}

/** Chooses the host as libpq does: the socket of a server on this machine if there is one. */
function defaultHost(port: number): string {
  return socketDirectories.find((directory) => existsSync(`${directory}/.s.PGSQL.${port}`)) ?? 'localhost';
}

/** Parses seconds as milliseconds; 0 means the default. */
function timeoutOf(text = '0'): number {
  if (!/^\d{1,6}$/.test(text)) throw invalid('connect_timeout must be a whole number of seconds');
  return Number(text) * 1000 || defaultConnectTimeoutMs;
}

function nameOf(settings: Pick<PostgresSettings, 'hosts' | 'user' | 'database'>): string {
  const hosts = settings.hosts.map(({ host, port }) =>
    hostText({ host: host.startsWith('/') ? encodeURIComponent(host) : host, port }),
  );
  return `postgres://${encodeURIComponent(settings.user)}@${hosts.join(',')}/${encodeURIComponent(settings.database)}`;
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw invalid(`${what} is not percent-encoded UTF-8`, cause);
  }
}

function invalid(reason: string, cause?: unknown): AppError {
  return new AppError('invalid', `the name of the store is wrong: ${reason}`, { cause });
}
