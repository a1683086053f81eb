/** Wraps `fetch` with a request rate, timeouts and size limits. */
import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import type { Fetch } from '../../client/http.ts';
import { PluginMetricsError } from '../../client/plugin-metrics-error.ts';
import { type Clock, longestRetryAfterMs, retryAfterMs, systemClock } from '../../client/retry.ts';
import { AppError, quote } from '../../model/app-error.ts';
import type { RequestHeader } from './request-header.ts';
import { maxArchiveBytes, receiveArchive } from './temporary-file.ts';

/** Options of {@link politeFetch}. */
export interface FetchOptions {
  readonly userAgent: string;
  /** Headers of every request. Redirects are not followed, so no other server receives them. */
  readonly headers?: readonly RequestHeader[];
  /** Maximum requests per second. */
  readonly rate: number;
  readonly clock?: Clock;
  /**
   * Time limit for a complete response, in milliseconds; one minute by default. Archives get ten times as
   * long.
   */
  readonly timeoutMs?: number;
  /** Size limit of a decoded body; 64 MiB by default. */
  readonly maxBytes?: number;
  /** Size limit of a decoded archive; {@link maxArchiveBytes} by default. */
  readonly maxArchiveBytes?: number;
}

/** A `fetch` that counts its requests. */
export interface PoliteFetch {
  readonly fetch: Fetch;
  /**
   * Makes a `fetch` for archives: it writes the body of a 200 into the file, as `receiveArchive` does, and
   * returns a response without that body.
   */
  readonly fetchInto: (file: FileHandle) => Fetch;
  /** Returns the number of requests sent. */
  readonly requestCount: () => number;
}

/** Default size limit of a decoded body. */
const maxBodyBytes = 64 * 1024 * 1024;

/** Maximum number of bytes read from an error response: enough for a problem document. */
const maxErrorBytes = 64 * 1024;

const defaultTimeoutMs = 60_000;

/** Multiple of the usual time limit that archives get. */
const archiveFactor = 10;

// Timers are too inexact for shorter waits; the next request makes up for the skipped wait.
const shortestWaitMs = 2;

/** The longest address in a message, in characters. */
const maxAddressLength = 400;

/** Reads the body of a 200 response. */
type Receive = (response: Response) => Promise<Uint8Array<ArrayBuffer>>;

/** Makes a `fetch` that limits the request rate, and pauses all requests if the source asks for it. */
export function politeFetch(options: FetchOptions): PoliteFetch {
  const { clock = systemClock, timeoutMs = defaultTimeoutMs, maxBytes = maxBodyBytes } = options;
  const ownHeaders = Object.fromEntries((options.headers ?? []).map(({ name, value }) => [name, value]));
  let requestCount = 0;
  /** Earliest start of the next request. */
  let nextAt = 0;
  /** End of the pause that the source asked for. */
  let restUntil = 0;

  async function waitForTurn(signal: AbortSignal | undefined): Promise<void> {
    const turn = Math.max(clock.now(), nextAt);
    nextAt = turn + 1000 / options.rate;
    for (;;) {
      const waitMs = Math.max(turn, restUntil) - clock.now();
      if (waitMs < shortestWaitMs) return;
      await clock.wait(waitMs, signal);
    }
  }

  async function receiveBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
    // One extra byte tells a body of exactly this size from a longer one.
    const body = await headOf(response, maxBytes + 1);
    if (body.length > maxBytes) throw new AppError('invalid', `the body has more than ${maxBytes} bytes`);
    if (!isUtf8(body)) throw new AppError('invalid', 'the body is not valid UTF-8');
    if (isCut(body)) throw new Error('the body stops in the middle');
    return body;
  }

  /** Sends one request and reads its whole response, so that a truncated response is noticed and retried. */
  async function exchange(
    url: string,
    { headers, signal }: Parameters<Fetch>[1],
    allowedMs: number,
    receive: Receive,
  ): Promise<Response> {
    await waitForTurn(signal ?? undefined);
    requestCount++;
    const deadline = AbortSignal.timeout(allowedMs);
    try {
      const response = await fetch(url, {
        headers: {
          ...ownHeaders,
          Accept: 'application/json',
          ...headers,
          'User-Agent': options.userAgent,
        },
        redirect: 'manual',
        signal: AbortSignal.any(signal === null ? [deadline] : [signal, deadline]),
      });
      const location = response.headers.get('Location');
      if (location !== null && response.status >= 300 && response.status < 400)
        throw new AppError(
          'invalid',
          `it has moved to ${quote(location, maxAddressLength)}: use that address`,
        );
      const body = await (response.ok ? receive(response) : headOf(response, maxErrorBytes));
      const { status } = response;
      // A `Retry-After` pauses all other requests to the source too.
      const restMs = response.ok ? 0 : retryAfterMs(response.headers.get('Retry-After'), clock);
      restUntil = Math.max(restUntil, clock.now() + Math.min(restMs, longestRetryAfterMs));
      return new Response([204, 205, 304].includes(status) ? null : body, {
        status,
        headers: response.headers,
      });
    } catch (error) {
      // The client retries all errors but its own, so permanent errors become PluginMetricsError.
      if (error instanceof AppError) throw new PluginMetricsError(error.message, { url, cause: error });
      // Without a cause, because the client would show that instead of this message.
      if (deadline.aborted) throw new Error(`it took longer than ${allowedMs / 1000} s`);
      throw error;
    }
  }

  return {
    fetch: (url, init) => exchange(url, init, timeoutMs, receiveBody),
    fetchInto: (file) => (url, init) =>
      exchange(
        url,
        { ...init, headers: { ...init.headers, Accept: 'application/x-ndjson' } },
        timeoutMs * archiveFactor,
        async (response) => {
          await receiveArchive(response, file, options.maxArchiveBytes ?? maxArchiveBytes);
          return new Uint8Array(0);
        },
      ),
    requestCount: () => requestCount,
  };
}

/** Reads the first bytes of a decoded body, and drops the connection if there are more. */
async function headOf(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop cancels the body and drops the connection.
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length;
    chunks.push(chunk);
    if (sizeBytes >= maxBytes) break;
  }
  return Buffer.concat(chunks, Math.min(sizeBytes, maxBytes));
}

/**
 * Detects truncated JSON. All responses of the interface are arrays or objects, so they end with a closing
 * bracket. HTTP cannot detect the truncation of a response without a length.
 */
function isCut(body: Uint8Array): boolean {
  const first = body.find((byte) => byte > 0x20);
  const last = body.findLast((byte) => byte > 0x20);
  return (first === 0x5b && last !== 0x5d) || (first === 0x7b && last !== 0x7d);
}
