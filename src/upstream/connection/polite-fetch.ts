/** Wraps `fetch` with a rate limit, timeouts, and bounds for bodies and redirects. */
import { isUtf8 } from 'node:buffer';
import type { Fetch } from '../../client/http.ts';
import { PluginMetricsError } from '../../client/plugin-metrics-error.ts';
import { type Clock, retryAfterMs, systemClock } from '../../client/retry.ts';
import { AppError } from '../../model/app-error.ts';
import { Deadline } from './deadline.ts';
import type { HeldBody } from './held-body.ts';
import { maxArchiveBytes, readArchiveBody } from './read-archive.ts';
import { isCut, maxBodyBytes, readBody, readBodyHead } from './read-body.ts';
import { followRedirect } from './redirects.ts';
import { type GateLimits, RequestGate } from './request-gate.ts';

/** Options of {@link politeFetch}. */
export interface FetchOptions extends GateLimits {
  readonly userAgent: string;
  readonly clock?: Clock;
  /** Longest time to the last byte of a response, an archive aside; a minute by default. */
  readonly timeoutMs?: number;
  /** The largest body, decoded; {@link maxBodyBytes} by default. */
  readonly maxBytes?: number;
  /** The largest archive, decoded; {@link maxArchiveBytes} by default. */
  readonly maxArchiveBytes?: number;
}

/** A `fetch` that counts its requests. */
export interface PoliteFetch {
  readonly fetch: Fetch;
  /** Makes a `fetch` for archives: it reads that of a 200 into `body`, as `readArchiveBody` does, and gives a response without it. */
  readonly fetchInto: (body: HeldBody) => Fetch;
  /** Returns the number of requests sent. */
  readonly requestCount: () => number;
}

/** The most bytes read of an error response: enough for a problem document. */
const maxErrorBytes = 64 * 1024;

const maxRedirects = 5;
const defaultTimeoutMs = 60_000;
/** Longest pause for a `Retry-After`, so that a source cannot hold everything up. */
const longestRestMs = 300_000;

/** A request, and the reader of a body that came with 200. */
type Exchange = Parameters<Fetch>[1] & {
  readonly receive: (
    response: Response,
    onBytes: (count: number) => void,
  ) => Promise<Uint8Array<ArrayBuffer>>;
};

/** Makes a `fetch` all of whose requests pass one gate. */
export function politeFetch(options: FetchOptions): PoliteFetch {
  const { clock = systemClock, timeoutMs = defaultTimeoutMs } = options;
  const { maxBytes = maxBodyBytes, maxArchiveBytes: maxArchive = maxArchiveBytes } = options;
  const gate = new RequestGate(options, clock);
  let requestCount = 0;

  async function receiveBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
    const body = await readBody(response, maxBytes);
    if (!isUtf8(body)) throw new AppError('invalid', 'the body is not valid UTF-8');
    if (response.status === 200 && isCut(body)) throw new Error('the body stops in the middle');
    return body;
  }

  /** Sends one request and reads its response to the last byte, so that a cut response is noticed here and retried. */
  async function exchange(url: string, { receive, ...init }: Exchange): Promise<Response> {
    using deadline = new Deadline(timeoutMs);
    const signal = AbortSignal.any(init.signal === null ? [deadline.signal] : [init.signal, deadline.signal]);
    const headers = {
      Accept: 'application/json',
      ...init.headers,
      ...codingsFor(url),
      'User-Agent': options.userAgent,
    };
    requestCount++;
    try {
      const response = await fetch(url, { headers, redirect: 'manual', signal });
      if (!response.ok) return wholeResponse(response, await readBodyHead(response, maxErrorBytes));
      return wholeResponse(response, await receive(response, (count) => deadline.extendFor(count)));
    } catch (error) {
      // The client shows the cause of an error, so there is none here.
      if (deadline.signal.aborted) throw new Error(`it took longer than ${deadline.allowedSeconds} s`);
      throw error;
    }
  }

  async function follow(firstUrl: string, init: Exchange): Promise<Response> {
    let url = firstUrl;
    for (let count = 0; count <= maxRedirects; count++) {
      const response = await exchange(url, init);
      if (response.status < 300 || response.status >= 400 || response.status === 304) return response;
      url = followRedirect(url, response.headers.get('Location'));
    }
    throw new AppError('invalid', `it redirects more than ${maxRedirects} times`);
  }

  /** Turns permanent errors into errors of the client; it retries any other as a failure of the network. */
  async function answer(url: string, init: Exchange): Promise<Response> {
    try {
      return await follow(url, init);
    } catch (error) {
      throw error instanceof AppError ? new PluginMetricsError(error.message, { url, cause: error }) : error;
    }
  }

  async function pass(url: string, init: Exchange): Promise<Response> {
    const signal = init.signal ?? AbortSignal.any([]);
    const response = await gate.pass(() => answer(url, init), signal);
    // Other requests to the source pause as well.
    const restMs = response.ok ? 0 : retryAfterMs(response.headers.get('Retry-After'), clock);
    if (restMs > 0) gate.rest(Math.min(restMs, longestRestMs));
    return response;
  }

  return {
    fetch: (url, init) => pass(url, { ...init, receive: receiveBody }),
    fetchInto: (body) => (url, init) =>
      pass(url, {
        ...init,
        headers: { ...init.headers, Accept: 'application/x-ndjson' },
        receive: async (response, onBytes) => {
          await readArchiveBody(response, body, { maxBytes: maxArchive, onBytes });
          return new Uint8Array(0);
        },
      }),
    requestCount: () => requestCount,
  };
}

/** Asks for uncompressed bodies on loopback, where compression costs time and saves none; otherwise `fetch` asks for gzip and br. */
function codingsFor(url: string): Readonly<Record<string, string>> {
  const isLoopback = /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
  return isLoopback ? { 'Accept-Encoding': 'identity' } : {};
}

/** Makes a response with a decoded body; null for a status that must not have one. */
function wholeResponse({ status, headers }: Response, body: Uint8Array<ArrayBuffer>): Response {
  return new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
}
