/** A server of endpoints over a store: requests in, answers out. */
import { addressUrl, type ListenAddress } from '../model/listen-address.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { ServingCounts } from '../model/serving-counts.ts';
import type { Answer, AnswerRequest } from './answer.ts';
import { chooseCoding } from './cache/content-coding.ts';
import type { Endpoint } from './endpoint.ts';
import { ErrorLog } from './error-log.ts';
import { allowedMethods, offeredMethods, problem, problemOf, unknownPath } from './problem.ts';
import { Responder } from './responder.ts';
import { createResolver, type Route } from './router.ts';
import { Listener, type Timeouts } from './wire/listener.ts';
import { ServingCounter } from './wire/serving-counter.ts';

/** The longest request target, in bytes. */
const maxTargetBytes = 8 * 1024;

const defaultTimeouts: Timeouts = { requestMs: 30_000, takeMs: 30_000 };

/** What a server needs to know. */
export interface HttpServerOptions extends ListenAddress {
  readonly endpoints: readonly Endpoint[];
  readonly reader: MetricsReader;
  /** How long clients may take an answer for fresh, in seconds. */
  readonly maxAgeSeconds: number;
  /** How much the cached responses may take, in bytes. */
  readonly cacheBytes: number;
  /** How long clients may take; 30 seconds each where left out. */
  readonly timeouts?: Partial<Timeouts>;
  /** Where failures are logged, one JSON object a line; standard error when left out. */
  readonly logStream?: { readonly write: (line: string) => void };
}

/** A running server. Disposing of it answers what has been asked and stops. */
export class HttpServer implements AsyncDisposable {
  readonly #resolve: (target: string) => Route;
  readonly #responder: Responder;
  readonly #listener: Listener;
  readonly #errorLog: ErrorLog;
  readonly #counter = new ServingCounter();
  #url = '';

  private constructor(options: HttpServerOptions) {
    const { endpoints, reader, cacheBytes, maxAgeSeconds, timeouts } = options;
    this.#resolve = createResolver(endpoints);
    // Ten minutes more while it is fetched anew, a day if that fails (RFC 5861).
    const cacheControl = `public, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
    this.#responder = new Responder({ reader, cacheBytes, cacheControl, counter: this.#counter });
    this.#errorLog = new ErrorLog(options.logStream ?? process.stderr);
    const answer = (request: AnswerRequest) => this.#answer(request);
    this.#listener = new Listener({
      answer,
      counter: this.#counter,
      timeouts: { ...defaultTimeouts, ...timeouts },
    });
  }

  /**
   * Starts to listen.
   * @throws AppError `unavailable` for an address that cannot be had.
   */
  static async start(options: HttpServerOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    server.#url = addressUrl(await server.#listener.listen(options));
    return server;
  }

  /** Such as `http://127.0.0.1:8080`. */
  get url(): string {
    return this.#url;
  }

  /** What this server has answered and what it caches; cheap to ask. */
  counts(): ServingCounts {
    const { changeCount, entryCount, sizeBytes } = this.#responder.cache;
    return {
      ...this.#counter.counts(),
      storeChangeCount: changeCount,
      cachedCount: entryCount,
      cachedBytes: sizeBytes,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener.stop();
  }

  #answer(request: AnswerRequest): Answer | Promise<Answer> {
    const { target } = request;
    try {
      const answer = this.#find(request);
      return answer instanceof Promise ? answer.catch((error) => this.#fail(target, error)) : answer;
    } catch (error) {
      return this.#fail(target, error);
    }
  }

  #find({ method, target, acceptEncoding, ifNoneMatch, waiter }: AnswerRequest): Answer | Promise<Answer> {
    if (target.length > maxTargetBytes) {
      const detail = `the request target may have ${maxTargetBytes} bytes, got ${target.length}`;
      return problem('uri-too-long', detail);
    }
    if (method === 'OPTIONS' && target === '*') return offeredMethods;
    const route = this.#resolve(target);
    if (route.kind === 'unknown') return unknownPath(target);
    if (route.kind === 'undecodable') {
      const detail = `the path cannot be decoded as percent-encoded UTF-8: ${target.slice(0, 200)}`;
      return problem('undecodable-path', detail);
    }
    if (method === 'OPTIONS') return offeredMethods;
    if (method !== 'GET' && method !== 'HEAD')
      return problem('method-not-offered', `${method} is not offered here, only ${allowedMethods}`);
    if (route.kind === 'malformed') throw route.error;
    return this.#responder.answer(route.question, {
      coding: chooseCoding(acceptEncoding),
      ifNoneMatch,
      waiter,
    });
  }

  #fail(target: string, error: unknown): Answer {
    const notice = problemOf(error);
    if (notice.status >= 500) this.#errorLog.log(target, error);
    return notice;
  }
}
