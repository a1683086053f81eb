/**
 * Sends requests to one server: handles trailing slashes and retries, and returns the response as text.
 * Timeouts, size limits, the user agent and redirects are left to the given `fetch`.
 */
import { PluginMetricsError, type Problem } from './plugin-metrics-error.ts';
import {
  type Clock,
  longestRetryAfterMs,
  mayPass,
  retryAfterMs,
  systemClock,
  waitMsBefore,
} from './retry.ts';

/**
 * The part of `fetch` that the client uses, called once per attempt. Any error it throws, even while the body
 * is read, counts as a network failure and is retried; a PluginMetricsError is not.
 */
export type Fetch = (
  url: string,
  init: { readonly headers: Record<string, string>; readonly signal: AbortSignal | null },
) => Promise<Response>;

/** Options of the HTTP layer. */
export interface HttpOptions {
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Number of retries after 429, 5xx, a network failure or a truncated response; 0 by default. */
  readonly retries?: number | undefined;
  /** Clock for tests. */
  readonly clock?: Clock | undefined;
}

/** Options of one request. */
interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Query with its question mark. */
  readonly query?: string;
  /** Replaces the `fetch` of the server for this request. */
  readonly fetch?: Fetch | undefined;
}

/** A response with a status of 200 to 299. */
export interface ServerAnswer {
  readonly url: string;
  readonly status: number;
  /** Body as text. */
  readonly text: string;
  readonly contentType: string | null;
}

/** Builds the path of an endpoint of `/api/v1`: `pathOf('plugins', 1337, 'charts')`. */
export function pathOf(...steps: ReadonlyArray<string | number>): string {
  return pathBelow('/api/v1/', steps);
}

/** Builds the path of an endpoint of `/api/v2`. */
export function v2PathOf(...steps: ReadonlyArray<string | number>): string {
  return pathBelow('/api/v2/', steps);
}

function pathBelow(start: string, steps: ReadonlyArray<string | number>): string {
  const path = start + steps.map((step) => encodeURIComponent(step)).join('/');
  // URL parsing removes such segments, so the request would reach another resource.
  if (steps.some((step) => /^\.{0,2}$/.test(`${step}`)))
    throw new PluginMetricsError('an id must not be empty, "." or ".."', { url: path });
  return path;
}

type QueryValue = string | number | boolean | Date | ReadonlyArray<string | number> | undefined;

/**
 * Builds a query with its question mark. Undefined parameters are omitted; a `Date` is sent in ISO 8601, an
 * invalid one as `null`, which the server refuses.
 */
export function queryOf(parameters: Readonly<Record<string, QueryValue>>): string {
  const parts = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = `${value instanceof Date ? value.toJSON() : value}`;
    // Encoded, the commas of 1,000 ids are longer than a server allows.
    return [`${name}=${encodeURIComponent(text).replaceAll('%2C', ',')}`];
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Sends requests to one server. */
export class PluginMetricsHttp {
  readonly #base: string;
  readonly #fetch: Fetch;
  readonly #retries: number;
  readonly #clock: Clock;
  /** Trailing slash that worked, by endpoint: some servers accept only one form. */
  readonly #ends = new Map<string, string>();

  /**
   * @throws PluginMetricsError if the base URL is refused. The message omits the URL, which may contain a
   * password.
   */
  constructor(baseUrl: string | URL, options: HttpOptions = {}) {
    this.#base = parseBase(baseUrl);
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#retries = options.retries ?? 0;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Requests a path below the base URL; the path has no trailing slash. After a 404 it tries again with a
   * trailing slash, unless one of the two forms has worked for the same endpoint before. Servers with
   * `/api/v2` accept both forms.
   * @throws PluginMetricsError for any other status or no response; if the signal is aborted, the reason of
   * the signal.
   */
  get(path: string, { query = '', ...options }: RequestOptions = {}): Promise<ServerAnswer> {
    return this.#request(path, readText, { query, ...options });
  }

  /**
   * Requests a path in the same way and returns the body as a stream. If the body breaks off, there is no
   * retry, and reading rejects with PluginMetricsError.
   */
  open(path: string, options: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#request(path, openBody, options);
  }

  async #request<Answer>(
    path: string,
    read: ReadResponse<Answer>,
    { query = '', ...options }: RequestOptions,
  ): Promise<Answer> {
    const endpoint = path.replaceAll(/\/(plugins|charts)\/[^/]+/g, '/$1/*');
    const known = path.startsWith('/api/v2/') ? '' : this.#ends.get(endpoint);
    const ask = async (end: string): Promise<Answer> => {
      const answer = await this.#ask(`${this.#base}${path}${end}${query}`, read, options);
      this.#ends.set(endpoint, end);
      return answer;
    };
    try {
      return await ask(known ?? '');
    } catch (error) {
      if (known !== undefined || !is404(error)) throw error;
      return await ask('/').catch((other: unknown) => {
        throw is404(other) ? error : other;
      });
    }
  }

  async #ask<Answer>(
    url: string,
    read: ReadResponse<Answer>,
    { signal, fetch = this.#fetch }: RequestOptions,
  ): Promise<Answer> {
    for (let retry = 0; ; retry += 1) {
      signal?.throwIfAborted();
      let response: Response | undefined;
      let error: PluginMetricsError;
      try {
        response = await fetch(url, { headers: {}, signal: signal ?? null });
        if (response.ok) return await read(url, response, signal);
        const tooLong = this.#tooLong(response.headers.get('Retry-After'));
        error = refusalOf(await readText(url, response), tooLong);
      } catch (cause) {
        signal?.throwIfAborted();
        if (cause instanceof PluginMetricsError) throw cause;
        error = lostOf(url, response, cause);
      }
      // Network failures have a cause.
      const canRetry = retry < this.#retries && (error.cause !== undefined || mayPass(error.status));
      const retryAfter = response?.headers.get('Retry-After') ?? null;
      const waitMs = canRetry ? waitMsBefore(retry, { retryAfter, clock: this.#clock }) : undefined;
      if (waitMs === undefined) throw error;
      await this.#clock.wait(waitMs, signal);
    }
  }

  /** Explains that `Retry-After` is too long to wait for. */
  #tooLong(retryAfter: string | null): string {
    if (retryAfterMs(retryAfter, this.#clock) <= longestRetryAfterMs) return '';
    return `; its Retry-After is ${cutText(`${retryAfter}`)}, and a retry waits ${longestRetryAfterMs / 1000} s at most`;
  }
}

/** Reads a successful response. */
type ReadResponse<Answer> = (
  url: string,
  response: Response,
  signal: AbortSignal | undefined,
) => Promise<Answer>;

async function readText(url: string, response: Response): Promise<ServerAnswer> {
  const { status, headers } = response;
  return { url, status, text: await response.text(), contentType: headers.get('Content-Type') };
}

async function openBody(
  url: string,
  response: Response,
  signal: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const reader = response.body?.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value } = (await reader?.read()) ?? {};
        if (value === undefined) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        signal?.throwIfAborted();
        throw lostOf(url, response, cause);
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}

function lostOf(url: string, response: Response | undefined, cause: unknown): PluginMetricsError {
  const message = response === undefined ? 'no answer' : 'the answer broke off';
  const { status } = response ?? {};
  return new PluginMetricsError(`${message}: ${reasonOf(cause)}`, { url, status, cause });
}

/** Parses the base URL and removes a trailing slash. */
function parseBase(baseUrl: string | URL): string {
  const text = String(baseUrl);
  if (!/^https?:\/\/[^@/?#]+(\/[^?#]*)?$/i.test(text) || !URL.canParse(text)) {
    const fault = 'must begin with http:// or https://, without user, password, query and fragment';
    throw new PluginMetricsError(fault, { url: 'the base URL' });
  }
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
}

function refusalOf({ url, status, text, contentType }: ServerAnswer, tooLong: string): PluginMetricsError {
  const problem = /^application\/problem\+json\b/i.test(contentType ?? '') ? parseProblem(text) : undefined;
  // The type promises strings, but a server may send anything.
  const detail = [problem?.detail, problem?.title].find((one: unknown) => typeof one === 'string');
  const said = detail === undefined ? '' : `: ${cutText(detail)}`;
  return new PluginMetricsError(`answered ${status}${said}${tooLong}`, { url, status, problem });
}

/** Maximum length of a quoted server message, in characters. */
const maxQuotedLength = 500;

function cutText(text: string): string {
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength - 1)}…` : text;
}

function parseProblem(text: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Problem) : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the reason of a failure; Node hides it in the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error ? (error.cause ?? error) : error;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}

function is404(error: unknown): boolean {
  return error instanceof PluginMetricsError && error.status === 404;
}
