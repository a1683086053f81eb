/** The admin listener: whether the server is alive and ready for requests, and its metrics. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressUrl, type ListenAddress, listenOn } from '../model/listen-address.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { StoreStats } from '../model/store-stats.ts';
import { metricsMediaType, metricsText } from './metrics-text.ts';
import { addReports, type ProcessReport } from './process-report.ts';
import { findUnreadiness } from './readiness.ts';

/** What the listener reports on; the functions are called for every request. */
export interface AdminServerOptions extends ListenAddress {
  /** Of the program. */
  readonly version: string;
  readonly isStopping: () => boolean;
  /** Undefined until the store has been opened. */
  readonly reader: () => MetricsReader | undefined;
  /** How many processes serve. */
  readonly processCount: () => number;
  /** How many should serve. */
  readonly wantedProcessCount: number;
  /** What the store holds; undefined before it has been counted. */
  readonly storeStats: () => Promise<StoreStats | undefined>;
  /** A report of every process, those that have ended included. */
  readonly reports: () => Promise<readonly ProcessReport[]>;
}

/** A running listener. Disposing of it closes all its connections. */
export interface AdminServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:9090`. */
  readonly url: string;
}

interface AdminResponse {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

/**
 * Starts to listen.
 * @throws AppError `unavailable` for an address that cannot be used.
 */
export async function startAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  const server = createServer((request, response) => void respond(options, request, response));
  await listenOn(server, options);
  const { address, port } = server.address() as AddressInfo;
  return { url: addressUrl({ host: address, port }), [Symbol.asyncDispose]: () => close(server) };
}

const pages: Readonly<Record<string, (options: AdminServerOptions) => Promise<AdminResponse>>> = {
  '/live': async () => json(200, { status: 'live' }),
  '/ready': async (options) => {
    const reason = await findUnreadyReason(options);
    return reason === undefined ? json(200, { status: 'ready' }) : json(503, { status: 'not ready', reason });
  },
  '/metrics': async (options) => ({
    status: 200,
    mediaType: metricsMediaType,
    body: await currentMetrics(options),
  }),
};

async function respond(
  options: AdminServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, mediaType, body } = await responseTo(options, request);
  response
    .writeHead(status, {
      'content-type': mediaType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
    })
    .end(request.method === 'HEAD' ? '' : body);
}

async function responseTo(options: AdminServerOptions, request: IncomingMessage): Promise<AdminResponse> {
  const [path = ''] = (request.url ?? '').split('?');
  if (!Object.hasOwn(pages, path)) return json(404, { status: 'not found', paths: Object.keys(pages) });
  if (request.method !== 'GET' && request.method !== 'HEAD') return json(405, { status: 'not offered' });
  try {
    return (await pages[path]?.(options)) ?? json(500, { status: 'error' });
  } catch (error) {
    process.stderr.write(`the admin listener could not answer ${path}: ${error}\n`);
    return json(500, { status: 'error' });
  }
}

function json(status: number, body: object): AdminResponse {
  return { status, mediaType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

function findUnreadyReason(options: AdminServerOptions): Promise<string | undefined> {
  return findUnreadiness({
    isStopping: options.isStopping(),
    reader: options.reader(),
    processCount: options.processCount(),
    wantedProcessCount: options.wantedProcessCount,
  });
}

async function currentMetrics(options: AdminServerOptions): Promise<string> {
  const [reports, reason, storeStats] = await Promise.all([
    options.reports(),
    findUnreadyReason(options),
    options.storeStats(),
  ]);
  return metricsText({
    ...addReports(reports),
    storeStats,
    nowMs: Date.now(),
    isReady: reason === undefined,
    unreachableSeconds: (options.reader()?.unreachableMs() ?? 0) / 1000,
    processCount: options.processCount(),
    uptimeSeconds: performance.now() / 1000,
    startTimeSeconds: performance.timeOrigin / 1000,
    version: options.version,
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
