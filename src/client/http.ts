/**
 * Requests to one server of the interface: both slash forms, retries, and the text of the answer. Limits of time and
 * size, the user agent and rules for redirects are the business of the `fetch` that it is given.
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
 * The part of `fetch` that the client needs. It is called once for each attempt. An error, also one while the body is read,
 * counts as a network failure and is retried, except a PluginMetricsError.
 */
export type Fetch = (
  url: string,
  init: { readonly headers: Record<string, string>; readonly signal: AbortSignal | null },
) => Promise<Response>;

/** Options of requests. */
export interface HttpOptions {
  /** Used in place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Number of retries after 429, 5xx, a network failure or a cut answer; 0 unless given. */
  readonly retries?: number | undefined;
  /** Clock for tests. */
  readonly clock?: Clock | undefined;
}

/** Options of one request. */
interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** The query with its question mark. */
  readonly query?: string;
  /** Used for this request in place of that of the server. */
  readonly fetch?: Fetch | undefined;
}

/** An answer: 200 to 299. */
export interface ServerAnswer {
  readonly url: string;
  readonly status: number;
  /** The body as text. */
  readonly text: string;
  readonly contentType: string | null;
}

/** The path of an endpoint: `pathOf('plugins', 1337, 'charts')`. */
export function pathOf(...steps: ReadonlyArray<string | number>): string {
  return pathBelow('/api/v1/', steps);
}

/** The path of an endpoint of `/api/v2`. */
export function v2PathOf(...steps: ReadonlyArray<string | number>): string {
  return pathBelow('/api/v2/', steps);
}

function pathBelow(start: string, steps: ReadonlyArray<string | number>): string {
  const path = start + steps.map((step) => encodeURIComponent(step)).join('/');
  // A URL drops such steps, and would lead to something else.
  if (steps.some((step) => /^\.{0,2}$/.test(`${step}`)))
    throw new PluginMetricsError('an id must not be empty, "." or ".."', { url: path });
  return path;
}

type QueryValue = string | number | boolean | Date | ReadonlyArray<string | number> | undefined;

/** A query with its question mark, without parameters that are undefined; a `Date` is sent in ISO 8601. */
export function queryOf(parameters: Readonly<Record<string, QueryValue>>): string {
  const parts = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${name}=${encodeURIComponent(value instanceof Date ? value.toISOString() : `${value}`)}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** One server. */
export class PluginMetricsHttp {
  readonly #base: string;
  readonly #fetch: Fetch;
  readonly #retries: number;
  readonly #clock: Clock;
  /** The slash form that worked, by endpoint: some servers know only one. */
  readonly #ends = new Map<string, string>();

  /** @throws PluginMetricsError for a base URL that is refused. The message leaves the URL out, as it may have a password. */
  constructor(baseUrl: string | URL, options: HttpOptions = {}) {
    this.#base = parseBase(baseUrl);
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#retries = options.retries ?? 0;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Requests a path below the base URL, without a slash at its end. After 404 it tries the other slash form, unless one has
   * worked for the same endpoint before. Servers with `/api/v2` know both.
   * @throws PluginMetricsError for any other answer or none, and the reason of the signal if it is aborted
   */
  async get(path: string, { query = '', ...options }: RequestOptions = {}): Promise<ServerAnswer> {
    const endpoint = path.replaceAll(/\/(plugins|charts)\/[^/]+/g, '/$1/*');
    const known = path.startsWith('/api/v2/') ? '' : this.#ends.get(endpoint);
    const ask = async (end: string): Promise<ServerAnswer> => {
      const answer = await this.#ask(`${this.#base}${path}${end}${query}`, options);
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

  async #ask(url: string, { signal, fetch = this.#fetch }: RequestOptions): Promise<ServerAnswer> {
    for (let retry = 0; ; retry += 1) {
      signal?.throwIfAborted();
      let response: Response | undefined;
      let error: PluginMetricsError;
      try {
        response = await fetch(url, { headers: {}, signal: signal ?? null });
        const { status, headers } = response;
        const answer = { url, status, text: await response.text(), contentType: headers.get('Content-Type') };
        if (response.ok) return answer;
        error = refusalOf(answer, this.#tooLong(headers.get('Retry-After')));
      } catch (cause) {
        signal?.throwIfAborted();
        if (cause instanceof PluginMetricsError) throw cause;
        const message = response === undefined ? 'no answer' : 'the answer broke off';
        error = new PluginMetricsError(`${message}: ${reasonOf(cause)}`, {
          url,
          status: response?.status,
          cause,
        });
      }
      // What broke off has a cause.
      const canRetry = retry < this.#retries && (error.cause !== undefined || mayPass(error.status));
      const retryAfter = response?.headers.get('Retry-After') ?? null;
      const waitMs = canRetry ? waitMsBefore(retry, { retryAfter, clock: this.#clock }) : undefined;
      if (waitMs === undefined) throw error;
      await this.#clock.wait(waitMs, signal);
    }
  }

  /** Says that a `Retry-After` is not waited for. */
  #tooLong(retryAfter: string | null): string {
    if (retryAfterMs(retryAfter, this.#clock) <= longestRetryAfterMs) return '';
    return `; its Retry-After is ${cutText(`${retryAfter}`)}, and a retry waits ${longestRetryAfterMs / 1000} s at most`;
  }
}

/** The base without a slash at its end. */
function parseBase(baseUrl: string | URL): string {
  const text = String(baseUrl);
  if (!/^https?:\/\/[^@/?#]+(\/[^?#]*)?$/i.test(text) || !URL.canParse(text)) {
    const fault = 'must begin with http:// or https://, and have no user name, password, query and fragment';
    throw new PluginMetricsError(fault, { url: 'the base URL' });
  }
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
}

function refusalOf({ url, status, text, contentType }: ServerAnswer, tooLong: string): PluginMetricsError {
  const problem = /^application\/problem\+json\b/i.test(contentType ?? '') ? parseProblem(text) : undefined;
  // The interface promises these types, but a server may send anything.
  const detail = [problem?.detail, problem?.title].find((one: unknown) => typeof one === 'string');
  const said = detail === undefined ? '' : `: ${cutText(detail)}`;
  return new PluginMetricsError(`answered ${status}${said}${tooLong}`, { url, status, problem });
}

/** Longest quote from a server in a message, in characters. */
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

/** Node hides what went wrong in the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error ? (error.cause ?? error) : error;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}

function is404(error: unknown): boolean {
  return error instanceof PluginMetricsError && error.status === 404;
}
