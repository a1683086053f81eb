/** The admin pages: live, ready and metrics. */
import { isIPv4 } from 'node:net';
import { Gauge, Registry } from '@prometheus-io/client';
import type { MetricsReader } from '../model/metrics-reader.ts';

/** Sources of the pages; the functions are called for each page. */
export interface AdminPagesOptions {
  /** Version of the program. */
  readonly version: string;
  /** Finds the reason why requests should go elsewhere once the store has been opened; undefined if there is none but what the store says. */
  readonly findReason: () => string | undefined;
  /** Undefined until the store has been opened. */
  readonly reader: () => MetricsReader | undefined;
  /** Renders what the processes of the server count. */
  readonly renderCounts: () => Promise<string>;
  /** Logs why a part of a page is missing. */
  readonly logFailure: (path: string, error: unknown) => void;
}

/** A request for a page. */
export interface AdminRequest {
  readonly method: string | undefined;
  readonly path: string;
  /** The `Host` headers, or the host of the target: names or addresses, with or without a port. */
  readonly hosts: readonly string[];
  /** The address that the listener is bound to. */
  readonly boundAddress: string;
}

/** The response to a request. */
export interface AdminResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Time limit for a read of the store, below the time limits of probes. */
const readTimeoutMs = 500;

/** The pages of one server. */
export class AdminPages {
  readonly #options: AdminPagesOptions;
  /** Metrics of the server as a whole, of which there is one however many processes it has. */
  readonly registry = new Registry();
  readonly #pages = new Map<string, () => AdminResponse | Promise<AdminResponse>>([
    ['/live', () => json(200, { status: 'live' })],
    ['/ready', () => this.#showReadiness()],
    ['/metrics', () => this.#showMetrics()],
  ]);

  constructor(options: AdminPagesOptions) {
    this.#options = options;
    const findUnreadiness = () => this.#findUnreadiness();
    new Gauge({
      name: 'plugin_metrics_ready',
      help: '1 while /ready answers 200, otherwise 0',
      registers: [this.registry],
      async collect() {
        this.set((await findUnreadiness()) === undefined ? 1 : 0);
      },
    });
    const startTime = new Gauge({
      name: 'process_start_time_seconds',
      help: 'when the program started, in seconds since 1970',
      registers: [this.registry],
    });
    startTime.set(performance.timeOrigin / 1000);
    const build = new Gauge({
      name: 'plugin_metrics_build_info',
      help: 'always 1; the labels are the version of the program and of Node',
      labelNames: ['version', 'node'],
      registers: [this.registry],
    });
    build.set({ version: options.version, node: process.versions.node }, 1);
  }

  /** Answers a request; never rejects. */
  answer({ method, path, hosts, boundAddress }: AdminRequest): AdminResponse | Promise<AdminResponse> {
    const [host = '', ...others] = hosts;
    if (others.length > 0) return json(400, { status: 'two Host headers' });
    if (isLoopback(boundAddress) && !isLoopbackHost(host)) return misdirected(host);
    const show = this.#pages.get(path);
    if (show === undefined) return json(404, { status: 'not found', paths: [...this.#pages.keys()] });
    if (method !== 'GET' && method !== 'HEAD')
      return json(405, { status: 'not offered' }, { Allow: 'GET, HEAD' });
    return show();
  }

  async #showReadiness(): Promise<AdminResponse> {
    const reason = await this.#findUnreadiness();
    return reason === undefined ? json(200, { status: 'ready' }) : json(503, { status: 'not ready', reason });
  }

  /** Shows what can be known: monitoring must not be blind while something is wrong. */
  async #showMetrics(): Promise<AdminResponse> {
    const counts = this.#options.renderCounts().catch((error) => {
      this.#options.logFailure('/metrics', error);
      return '';
    });
    const body = `${await this.registry.metrics()}\n${await counts}`;
    return { status: 200, headers: headersFor(this.registry.contentType), body };
  }

  /** Finds the reason why requests should go elsewhere, without names of files and hosts. */
  async #findUnreadiness(): Promise<string | undefined> {
    const reader = this.#options.reader();
    if (reader === undefined) return 'the store has not been opened yet';
    return this.#options.findReason() ?? findFault(reader);
  }
}

async function findFault(reader: MetricsReader): Promise<string | undefined> {
  // A slow store counts as ready: taking a busy node out makes the others busier.
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, readTimeoutMs);
  try {
    // SQLite checks its file only when the generation is read.
    reader.generation('data');
    if (reader.unreachableMs() > 0) return 'the store is unreachable';
    // The shortest list, read from the store and not from the cache.
    await Promise.race([timeout.promise, reader.listSoftware()]);
    return undefined;
  } catch {
    // The reason is logged by the next request that fails.
    return 'the store cannot be read';
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Refuses a request for another host. A web page can point its own name to 127.0.0.1 (DNS rebinding) and so read this listener; its
 * requests still have that name in `Host`.
 */
function misdirected(host: string): AdminResponse {
  const detail = `this listener answers requests for localhost, 127.0.0.1 and [::1], not for ${host.slice(0, 200)}`;
  const problem = { type: 'about:blank', title: 'Misdirected Request', status: 421, detail };
  const headers = headersFor('application/problem+json; charset=utf-8');
  return { status: 421, headers, body: JSON.stringify(problem) };
}

function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return name === '' || name === 'localhost' || name === 'localhost.' || isLoopback(name);
}

/** Checks for a loopback address; one of IPv6 may be in brackets (RFC 1122 3.2.1.3, RFC 4291 2.5.3). */
function isLoopback(address: string): boolean {
  return address === '::1' || address === '[::1]' || (isIPv4(address) && address.startsWith('127.'));
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): AdminResponse {
  return {
    status,
    headers: { ...headersFor('application/json; charset=utf-8'), ...headers },
    body: JSON.stringify(body),
  };
}

/** There are no CORS headers: web pages must not read this. */
function headersFor(mediaType: string): Readonly<Record<string, string>> {
  return { 'Content-Type': mediaType, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
}
