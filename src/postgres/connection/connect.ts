/** Connects to the first host of a store that is suitable, with or without TLS. */
import { AppError } from '../../model/app-error.ts';
import type { OpenOptions } from './client-config.ts';
import {
  hostText,
  type PostgresHost,
  type PostgresSettings,
  type SessionKind,
  type TlsMode,
} from './connection-settings.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { connectFaultReason, sqlState } from './postgres-fault.ts';

/** Options of {@link connect}. */
export interface ConnectOptions extends Omit<OpenOptions, 'isEncrypted'> {
  /** Replaces the kind in the settings. */
  readonly sessionKind?: SessionKind;
}

/**
 * Options for imports, exports and checks: statements may take long, but a server that hangs is given up. Nothing takes as
 * long as this, because locks are waited for a minute at most.
 */
export const batchOptions = { statementTimeoutMs: 0, queryTimeoutMs: 300_000 };

/**
 * Connects to the first host that can be reached and is of the wanted kind.
 * @throws AppError `unavailable` with the reason for every host.
 */
export async function connect(
  settings: PostgresSettings,
  options: ConnectOptions,
): Promise<PostgresConnection> {
  const kind = options.sessionKind ?? settings.sessionKind;
  const hosts = settings.isHostOrderRandom ? shuffled(settings.hosts) : settings.hosts;
  // As in libpq: first all hosts are tried for the preferred kind, then all hosts for any kind.
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
  const { rootCertificate } = settings.tlsFiles;
  const reasons = failures.map(
    ({ host, cause }) => `${hostText(host)}: ${connectFaultReason(cause, rootCertificate)}`,
  );
  const message = `the store ${settings.name} cannot be reached: ${reasons.join('; ')}`;
  return new AppError('unavailable', message, { kind: 'store-unavailable', cause: failures[0]?.cause });
}

async function connectTo(
  host: PostgresHost,
  settings: PostgresSettings,
  options: ConnectOptions & { readonly sessionKind: SessionKind },
): Promise<PostgresConnection> {
  const connection = await openEncryptedOrNot(host, settings, options);
  try {
    refuseOtherKind(connection, options.sessionKind);
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

function refuseOtherKind(server: PostgresConnection, wanted: SessionKind): void {
  const isRight = {
    any: true,
    'prefer-standby': true,
    'read-write': !server.isReadOnly,
    'read-only': server.isReadOnly,
    primary: !server.isStandby,
    standby: server.isStandby,
  }[wanted];
  if (isRight) return;
  const found = server.isStandby
    ? 'a standby'
    : server.isReadOnly
      ? 'read-only'
      : 'a primary that takes writes';
  throw new AppError('unavailable', `it is ${found}, but ${wanted} is wanted`);
}

const tlsAttempts: Partial<Record<TlsMode, readonly boolean[]>> = {
  disable: [false],
  allow: [false, true],
  prefer: [true, false],
};

/** Tries with TLS, without it, or one after the other (libpq, `sslmode`). */
async function openEncryptedOrNot(
  host: PostgresHost,
  settings: PostgresSettings,
  options: ConnectOptions,
): Promise<PostgresConnection> {
  const attempts = host.host.startsWith('/') ? [false] : (tlsAttempts[settings.tlsMode] ?? [true]);
  let failure: unknown;
  for (const isEncrypted of attempts) {
    try {
      return await PostgresConnection.open(host, settings, { ...options, isEncrypted });
    } catch (error) {
      // The first failure is more useful, unless the server just has no TLS.
      failure = failure === undefined || isWithoutTls(failure) ? error : failure;
      // A server without TLS, or one whose rules refuse this mode, may accept the other.
      if (!isWithoutTls(error) && sqlState(error) !== invalidAuthorization) break;
    }
  }
  throw failure;
}

const invalidAuthorization = '28000';

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
