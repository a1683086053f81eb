/** Connections to the server, through pg, and what their errors mean. */

import { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../../model/app-error.ts';
import type { Values } from '../statement.ts';
import { anotherImport } from '../wanted-store.ts';
import type { PostgresSettings } from './postgres-settings.ts';

// SQLSTATE (PostgreSQL 18, appendix A).
const insufficientPrivilege = '42501';
const syntaxError = '42601';
const undefinedTable = '42P01';
const lockNotAvailable = '55P03';
const characterNotInRepertoire = '22021';
const untranslatableCharacter = '22P05';

/** Turns an error into an AppError that names the store. Returns a bug of this program unchanged. */
export function postgresFault(error: unknown, storeName: string, otherwise = 'cannot be used'): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = sqlState(error);
  if (error instanceof TypeError || code === syntaxError) return error;
  if (code === characterNotInRepertoire || code === untranslatableCharacter)
    return new AppError('invalid', 'PostgreSQL cannot hold the character U+0000', { cause: error });
  if (code === insufficientPrivilege)
    return unavailableStore(
      storeName,
      `${otherwise}: ${error.message}: "\\dt plugin_metrics.*" in psql names the role that has the rights`,
      error,
    );
  // The statements fit the tables that this program creates, so a table that refuses a statement has been
  // changed.
  const isDamaged = /^(22|23|42)/.test(code ?? '');
  const state = isDamaged ? 'is damaged' : otherwise;
  return unavailableStore(storeName, `${state}: ${faultReason(error)}`, error);
}

/** Makes the error for a store that cannot be used. @param fault describes the fault. */
export function unavailableStore(storeName: string, fault: string, cause?: unknown): AppError {
  return new AppError('store-unavailable', `the store ${storeName} ${fault}`, { cause });
}

const reasons: Readonly<Record<string, string>> = {
  ABORT_ERR: 'it does not answer',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'no route to the host',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it does not answer',
  [lockNotAvailable]: anotherImport,
};

/** Node's codes for certificates that no known root has signed. */
const unverified =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE))/;

/** Describes an error in one line. Errors of servers and networks contain no password. */
function faultReason(error: Error): string {
  // Node has tried all addresses of a host name.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(faultReason))].join(', ');
  // These are pg's messages for a slow connection attempt and a slow statement.
  if (error.message === 'timeout expired' || error.message === 'Query read timeout')
    return 'it does not answer in time';
  if (/client password must be a string/.test(error.message))
    return 'it asks for a password, and neither the name, PGPASSWORD nor the password file has one';
  const code = 'code' in error ? String(error.code) : '';
  // Node's message continues with advice about an option of Node.
  if (unverified.test(code))
    return `its certificate cannot be verified (${error.message.split(';', 1)[0]}): sslrootcert must name the file of its root`;
  return reasons[code] ?? error.message;
}

/** True if a table, or its schema, does not exist. */
export function isMissingTable(error: unknown): boolean {
  return sqlState(error) === undefinedTable;
}

/** True if the role lacks a right. */
export function isNotAllowed(error: unknown): boolean {
  return sqlState(error) === insufficientPrivilege;
}

/**
 * True if the connection broke, or if the server (57P) or a pooler (08) ended it because the server shuts
 * down or has crashed.
 */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && /^(57P|08|$)/.test(sqlState(error) ?? '');
}

/** Returns the SQLSTATE of a server's error; undefined for any other error. */
function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

// pg warns that it will read password files differently in a later version. Operators cannot act on that, and
// the warning is not a line of JSON.
process.noDeprecation = true;

/** Options of a connection. */
interface ConnectionOptions {
  /** Limit on the time of a statement, network included; a slower statement cuts the connection. */
  readonly queryTimeoutMs: number;
  /** Overrides the timeout of the settings. */
  readonly connectTimeoutMs?: number;
  /** Cuts the connection, even while it is being established. */
  readonly signal?: AbortSignal;
}

/** A statement that each connection prepares once, under this name. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** The values of rows. */
export type Rows = readonly Values[];

/**
 * Options for imports, exports and checks. The timeout lets statements take long, but ends the wait for a
 * server that hangs. No statement takes this long, because it waits at most a minute for a lock.
 */
export const batchOptions: ConnectionOptions = { queryTimeoutMs: 300_000 };

/** Longest wait for the server to close a connection. */
const goodbyeMs = 1000;

/** Connects. @throws AppError `unavailable` with the reason. */
export async function openClient(settings: PostgresSettings, options: ConnectionOptions): Promise<pg.Client> {
  const { queryTimeoutMs, connectTimeoutMs, signal } = options;
  const client = new pg.Client({
    fallback_application_name: 'plugin-metrics',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...settings.config,
    ...(connectTimeoutMs === undefined ? {} : { connectionTimeoutMillis: connectTimeoutMs }),
    query_timeout: queryTimeoutMs,
    // With pipelining, a statement that takes too long ends the connection, so that no other statement waits
    // for it.
    pipeline: true,
    stream: () => new Socket(signal === undefined ? {} : { signal }),
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  });
  // Pending statements reject anyway; without a listener the process would end.
  client.on('error', () => cutClient(client));
  try {
    await client.connect();
    return client;
  } catch (error) {
    cutClient(client);
    throw postgresFault(error, settings.name, 'cannot be reached');
  }
}

/**
 * Runs a statement and returns its rows. If the text consists of several statements, without values, it
 * returns the rows of the last one.
 */
export async function runStatement(
  client: pg.Client,
  statement: string | NamedStatement,
  values: readonly unknown[] = [],
): Promise<Rows> {
  try {
    const query = typeof statement === 'string' ? { text: statement } : statement;
    const result: pg.QueryResult | pg.QueryResult[] = await client.query({
      ...query,
      values: [...values],
      rowMode: 'array',
    });
    return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
  } catch (error) {
    // The connection ends only some time after such an error; nothing may be sent on it meanwhile.
    if (isConnectionLost(error)) cutClient(client);
    throw error;
  }
}

/** True if the connection is lost: every further statement rejects. */
export function isDisconnected(client: pg.Client): boolean {
  return streamOf(client).destroyed;
}

/** Cuts the connection. Pending statements reject. */
export function cutClient(client: pg.Client): void {
  streamOf(client).destroy();
}

/** Ends the connection after the last answer, and cuts it if the server takes longer than a second. */
export async function endClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => cutClient(client), goodbyeMs);
  await client.end();
  clearTimeout(timer);
}

/** The socket of a connection, or the TLS socket over it. */
function streamOf(client: pg.Client): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

const booleanType = 16;
const byteaType = 17;
/** The types of integers, of their sums, and of doubles. Every number in a store is exact as a double. */
const numberTypes = [20, 21, 23, 701, 1700];

function typeParser(typeId: number): (text: string) => unknown {
  if (typeId === byteaType) return (text) => Buffer.from(text.slice(2), 'hex');
  if (typeId === booleanType) return (text) => text === 't';
  return numberTypes.includes(typeId) ? Number : String;
}
