/** Connections to the server, through pg. */
import { Socket } from 'node:net';
import pg from 'pg';
import type { Values } from '../statement.ts';
import { isConnectionLost, postgresFault } from './postgres-fault.ts';
import type { PostgresSettings } from './postgres-settings.ts';

// pg warns that it will read password files differently in a later version. Operators cannot act on that, and
// the warning is not a line of JSON.
process.noDeprecation = true;

/** Options of a connection. */
export interface ConnectionOptions {
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
