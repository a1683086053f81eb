/** The admin listener and its pages: live, ready and metrics. */
import { isIPv4 } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Gauge, Registry } from '@prometheus-io/client';
import type { ErrorLog } from '../http/logs.ts';
import type { HttpRequest } from '../http/request.ts';
import { HttpResponse } from '../http/response.ts';
import { splitTarget } from '../http/router.ts';
import { HttpServer } from '../http/server.ts';
import { isOtherVersion } from '../model/app-error.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { ListenAddress } from '../runtime/listen-address.ts';

/** The reads of the store that the pages need. */
type WatchedReader = Pick<MetricsReader, 'generation' | 'measureBytes' | 'read' | 'stream' | 'unreachableMs'>;

/** Sources of the pages; the functions are called for each page. */
export interface AdminPagesOptions {
  /** Version of the program. */
  readonly version: string;
  /**
   * Finds a reason other than the store why requests should go elsewhere; undefined if there is none. Called
   * once the store has been opened.
   */
  readonly findReason: () => string | undefined;
  /** Undefined until the store has been opened. */
  readonly reader: () => WatchedReader | undefined;
  /** Renders the counts of the processes of the server. */
  readonly renderCounts: () => Promise<string>;
  /** Says why a part of a page is missing. */
  readonly errorLog: ErrorLog;
}

const limits = { maxConnections: 256 };

/** Time for a client to send a request and to read its response, and for both when the server stops. */
const timeouts = { headersMs: 10_000, requestMs: 10_000, stopMs: 500 };

/**
 * Starts the listener of some pages.
 * @throws AppError `unavailable` for an address that cannot be used.
 */
export async function startAdminServer(pages: AdminPages, address: ListenAddress): Promise<HttpServer> {
  const { host, port } = address;
  const { errorLog } = pages;
  const server = await HttpServer.start({
    ...{ host, port, limits, timeouts, errorLog, isCounted: false },
    answer: (request) => pages.answer(request, new URL(server.url).hostname),
  });
  return server;
}

/** Time limit for a read of the store, below the time limits of probes. */
const readTimeoutMs = 500;

/** The pages of one server. */
export class AdminPages {
  readonly #options: AdminPagesOptions;
  /** Metrics of the server as a whole, whatever its number of processes. */
  readonly registry = new Registry();
  readonly #pages = new Map<string, () => HttpResponse | Promise<HttpResponse>>([
    ['/live', () => json(200, { status: 'live' })],
    ['/ready', () => this.#showReadiness()],
    ['/metrics', () => this.#showMetrics()],
  ]);

  constructor(options: AdminPagesOptions) {
    this.#options = options;
    const registers = [this.registry];
    const findUnreadiness = () => this.#findUnreadiness();
    new Gauge({
      name: 'plugin_metrics_ready',
      help: '1 while /ready answers 200',
      registers,
      async collect() {
        this.set((await findUnreadiness()) === undefined ? 1 : 0);
      },
    });
    const startTime = new Gauge({
      name: 'process_start_time_seconds',
      help: 'when the program started, in seconds since 1970',
      registers,
    });
    startTime.set(performance.timeOrigin / 1000);
    const build = new Gauge({
      name: 'plugin_metrics_build_info',
      help: '1, with the version of the program and of Node',
      labelNames: ['version', 'node'],
      registers,
    });
    build.set({ version: options.version, node: process.versions.node }, 1);
    addStoreMetrics(this.registry, options.reader);
  }

  get errorLog(): ErrorLog {
    return this.#options.errorLog;
  }

  /**
   * Answers a request; never rejects.
   * @param boundAddress the address that the listener is bound to.
   */
  answer(
    { method, target, headers }: Pick<HttpRequest, 'method' | 'target' | 'headers'>,
    boundAddress: string,
  ): HttpResponse | Promise<HttpResponse> {
    const { path, host = headers.host ?? '' } = splitTarget(target);
    if (isLoopback(boundAddress) && !isLoopbackHost(host)) return misdirected(host);
    const show = this.#pages.get(path);
    if (show === undefined) return json(404, { status: 'not found', paths: [...this.#pages.keys()] });
    if (method !== 'GET' && method !== 'HEAD')
      return json(405, { status: 'not offered' }, ['Allow', 'GET, HEAD']);
    return show();
  }

  async #showReadiness(): Promise<HttpResponse> {
    const reason = await this.#findUnreadiness();
    return reason === undefined ? json(200, { status: 'ready' }) : json(503, { status: 'not ready', reason });
  }

  /** Shows all metrics that are available, because monitoring must not be blind during a fault. */
  async #showMetrics(): Promise<HttpResponse> {
    const counts = this.#options.renderCounts().catch((error) => {
      this.errorLog.log('/metrics', error);
      return '';
    });
    const body = `${await this.registry.metrics()}\n${await counts}`;
    return page(200, { mediaType: this.registry.contentType, body });
  }

  /** Finds the reason why requests should go elsewhere, without names of files and hosts. */
  async #findUnreadiness(): Promise<string | undefined> {
    const reader = this.#options.reader();
    if (reader === undefined) return 'the store has not been opened yet';
    return this.#options.findReason() ?? findFault(reader);
  }
}

async function findFault(reader: WatchedReader): Promise<string | undefined> {
  try {
    // SQLite checks its file only when the generation is read.
    reader.generation('data');
    if (reader.unreachableMs() > 0) return 'the store is unreachable';
    // The shortest list, read from the store and not from the cache. A slow store counts as ready: removing a
    // busy node would make the others busier.
    await Promise.race([
      sleep(readTimeoutMs, undefined, { ref: false }),
      reader.read((view) => view.listSoftware()),
    ]);
    return undefined;
  } catch (error) {
    // The reason is logged by the next request that fails.
    return isOtherVersion(error) ? 'the store has another version' : 'the store cannot be read';
  }
}

/** Shortest interval between two looks into the store. */
const minPauseMs = 60_000;

/** Largest part of the time spent on looks, whatever the size of the store. */
const maxShare = 1 / 50;

/** Longest wait of a scrape for the first look. */
const maxWaitMs = 1000;

/** Adds the metrics of the store to a registry. @param reader the reader, once the store has been opened. */
function addStoreMetrics(registry: Registry, reader: () => WatchedReader | undefined): void {
  const registers = [registry];
  new Gauge({
    name: 'plugin_metrics_store_unreachable_seconds',
    help: 'how long the store has been unreachable',
    registers,
    collect() {
      this.set((reader()?.unreachableMs() ?? 0) / 1000);
    },
  });
  const look = new StoreLook();
  new Gauge({
    name: 'plugin_metrics_store_bytes',
    help: 'size of the store on disk',
    registers,
    async collect() {
      await look.renew(reader());
      if (look.sizeBytes === undefined) this.remove();
      else this.set(look.sizeBytes);
    },
  });
  new Gauge({
    name: 'plugin_metrics_newest_point_age_seconds',
    help: 'age of the newest point of all charts that is not in the future',
    registers,
    async collect() {
      await look.renew(reader());
      if (look.newestTime === undefined) this.remove();
      else this.set(Math.max(0, Date.now() - look.newestTime) / 1000);
    },
  });
}

/**
 * The size of the store, and the time of its newest point. Finding that time reads the last chunk of every
 * line, so it is done rarely, and only if the store has changed.
 */
class StoreLook {
  /** Undefined until a look has found it. */
  sizeBytes: number | undefined;
  /** In Unix milliseconds; undefined until a look has found one. */
  newestTime: number | undefined;
  #generation: number | undefined;
  #nextAt = 0;
  #looking: Promise<void> | undefined;

  /** Begins a look if one is due, and waits for the first for a while. */
  async renew(reader: WatchedReader | undefined): Promise<void> {
    if (reader !== undefined && performance.now() >= this.#nextAt)
      this.#looking ??= this.#look(reader).finally(() => {
        this.#looking = undefined;
      });
    if (this.newestTime === undefined)
      await Promise.race([this.#looking, sleep(maxWaitMs, undefined, { ref: false })]);
  }

  async #look(reader: WatchedReader): Promise<void> {
    const startedAt = performance.now();
    try {
      const generation = reader.generation('data');
      if (reader.unreachableMs() > 0) return;
      this.sizeBytes = await reader.measureBytes();
      if (generation === this.#generation) return;
      let newest: number | undefined;
      for await (const time of reader.stream((view) => view.listNewestTimes(Date.now()))) {
        newest = Math.max(time, newest ?? time);
        await setImmediate();
      }
      [this.newestTime, this.#generation] = [newest, generation];
    } catch {
      // `/ready` and the log of failed requests have the reason.
    } finally {
      this.#nextAt = startedAt + Math.max(minPauseMs, (performance.now() - startedAt) / maxShare);
    }
  }
}

/**
 * Refuses a request for another host. A web page can point its own name to 127.0.0.1 (DNS rebinding) and so
 * read this listener; its requests still have that name in `Host`.
 */
function misdirected(host: string): HttpResponse {
  const reason = `this listener answers requests for localhost, 127.0.0.1 and [::1], not for ${host.slice(0, 200)}`;
  return json(421, { status: 'misdirected', reason });
}

function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return name === '' || name === 'localhost' || name === 'localhost.' || isLoopback(name);
}

/** Checks for a loopback address; one of IPv6 may be in brackets (RFC 1122 3.2.1.3, RFC 4291 2.5.3). */
function isLoopback(address: string): boolean {
  return address === '::1' || address === '[::1]' || (isIPv4(address) && address.startsWith('127.'));
}

function json(status: number, body: object, headers: readonly string[] = []): HttpResponse {
  return page(status, { mediaType: 'application/json; charset=utf-8', body: JSON.stringify(body), headers });
}

/** There are no CORS headers, because web pages must not read this. */
function page(
  status: number,
  form: { readonly mediaType: string; readonly body: string; readonly headers?: readonly string[] },
): HttpResponse {
  const { mediaType, body, headers = [] } = form;
  return new HttpResponse({
    status,
    headers: [
      'Content-Type',
      mediaType,
      'Cache-Control',
      'no-store',
      'X-Content-Type-Options',
      'nosniff',
      ...headers,
    ],
    body: Buffer.from(body),
  });
}
