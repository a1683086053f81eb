/** The admin pages: live, ready and metrics. */
import { isIPv4 } from 'node:net';
import { metricsMediaType } from './metrics-text.ts';
import { shareWork } from './shared-work.ts';

/** Sources of the pages; the functions are called for each page. */
export interface AdminPages {
  /** Finds the reason why requests should go elsewhere; undefined if there is none. */
  readonly findReason: () => Promise<string | undefined>;
  /** Renders the metrics. @param isReady as `/ready` says now. */
  readonly renderMetrics: (isReady: boolean) => Promise<string>;
}

/** Options of {@link createAdminAnswerer}. */
interface AdminOptions extends AdminPages {
  /** Logs why a page could not be made. */
  readonly logFailure: (path: string, error: unknown) => void;
}

/** A request for a page. */
export interface AdminRequest {
  readonly method: string;
  readonly path: string;
  /** The `Host` header: a name or an address, with or without a port; undefined or empty if there is none. */
  readonly host: string | undefined;
  /** The address that the listener is bound to. */
  readonly boundAddress: string;
}

/** The response to a request. */
export interface AdminResponse {
  readonly status: number;
  /** Names and values in turn, without `Content-Length` and `Date`. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Answers a request; never rejects. */
export type AdminAnswerer = (request: AdminRequest) => AdminResponse | Promise<AdminResponse>;

/** Makes the answerer. Concurrent requests share an expensive page, and a pause follows each. */
export function createAdminAnswerer({ findReason, renderMetrics, logFailure }: AdminOptions): AdminAnswerer {
  const findSharedReason = shareWork(findReason);
  const showMetrics = async () => {
    try {
      const text = await renderMetrics((await findSharedReason()) === undefined);
      return { status: 200, headers: headersFor(metricsMediaType), body: Buffer.from(text) };
    } catch (error) {
      logFailure('/metrics', error);
      return json(500, { status: 'error' });
    }
  };
  const pages: Readonly<Record<string, () => AdminResponse | Promise<AdminResponse>>> = {
    '/live': () => json(200, { status: 'live' }),
    '/ready': async () => {
      const reason = await findSharedReason();
      return reason === undefined
        ? json(200, { status: 'ready' })
        : json(503, { status: 'not ready', reason });
    },
    '/metrics': shareWork(showMetrics),
  };
  return ({ method, path, host, boundAddress }) => {
    if (isLoopback(boundAddress) && !isLoopbackHost(host)) return misdirected(host ?? '');
    if (!Object.hasOwn(pages, path)) return json(404, { status: 'not found', paths: Object.keys(pages) });
    if (method !== 'GET' && method !== 'HEAD')
      return json(405, { status: 'not offered' }, ['Allow', 'GET, HEAD']);
    return pages[path]?.() ?? json(500, { status: 'error' });
  };
}

/**
 * Refuses a request for another host. A web page can point its own name to 127.0.0.1 (DNS rebinding) and so read this listener; its
 * requests still have that name in `Host`.
 */
function misdirected(host: string): AdminResponse {
  const detail = `this listener answers requests for localhost, 127.0.0.1 and [::1], not for ${host.slice(0, 200)}`;
  const problem = { type: 'about:blank', title: 'Misdirected Request', status: 421, detail };
  const headers = headersFor('application/problem+json; charset=utf-8');
  return { status: 421, headers, body: Buffer.from(JSON.stringify(problem)) };
}

function isLoopbackHost(host: string | undefined): boolean {
  const name = host?.replace(/:\d*$/, '').toLowerCase() ?? '';
  return name === '' || name === 'localhost' || name === 'localhost.' || isLoopback(name);
}

/** Checks for a loopback address; one of IPv6 may be in brackets (RFC 1122 3.2.1.3, RFC 4291 2.5.3). */
function isLoopback(address: string): boolean {
  return address === '::1' || address === '[::1]' || (isIPv4(address) && address.startsWith('127.'));
}

function json(status: number, body: object, headers: readonly string[] = []): AdminResponse {
  return {
    status,
    headers: [...headersFor('application/json; charset=utf-8'), ...headers],
    body: Buffer.from(JSON.stringify(body)),
  };
}

function headersFor(mediaType: string): readonly string[] {
  return ['Content-Type', mediaType, 'Cache-Control', 'no-store'];
}
