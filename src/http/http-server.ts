/** A server of endpoints over a store: requests in, answers out. */
import { addressUrl } from '../model/listen-address.ts';
import type { RequestKind, ServingCounts } from '../model/serving-counts.ts';
import type { Answer, AnswerRequest } from './answer.ts';
import { codingFor } from './cache/content-coding.ts';
import type { Endpoint, Question } from './endpoint.ts';
import { ErrorLog } from './error-log.ts';
import { defaultLimits, defaultTimeouts } from './limits.ts';
import {
  allowedMethods,
  type Notice,
  offeredMethods,
  type Problem,
  problemNotice,
  problemOf,
  problems,
  unknownPath,
} from './problem.ts';
import { tooManyRequests } from './rate-limit.ts';
import { Representation } from './representation.ts';
import { loggingAnswerer } from './request-log.ts';
import { Responder } from './responder.ts';
import { createResolver, type Route } from './router.ts';
import type { HttpServerOptions, MoreEndpoints, ShowProblem } from './server-options.ts';
import { ServingCounter } from './serving-counter.ts';
import { splitTarget } from './target.ts';
import { ClientAddresses } from './wire/client-addresses.ts';
import { Listener } from './wire/listener.ts';

/** The longest request target, in bytes. */
const maxTargetBytes = 8 * 1024;

// Real clients ask for few distinct targets. The map is cleared when full, so hostile ones cost only resolving.
const maxHits = 2000;
const maxHitLength = 200;

/** Hosts that may stand in a URL: a name or an address, and a port. */
const hostPattern = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** A running server. Disposing of it answers what has been asked and stops. */
export class HttpServer implements AsyncDisposable {
  readonly #endpoints: readonly Endpoint[];
  #resolve: (target: string) => Route;
  readonly #loadMore: (() => Promise<MoreEndpoints>) | undefined;
  #more: Promise<void> | undefined;
  #isComplete: boolean;
  readonly #responder: Responder;
  readonly #listener: Listener;
  readonly #errorLog: ErrorLog;
  #showProblem: ShowProblem;
  readonly #publicUrl: string | undefined;
  readonly #counter = new ServingCounter();
  /** The questions of targets that were cache hits: they need not be resolved again. */
  readonly #hits = new Map<string, Question>();
  #url = '';

  private constructor(options: HttpServerOptions) {
    const { endpoints, reader, cacheBytes, maxAgeSeconds, timeouts } = options;
    const limits = { ...defaultLimits, ...options.limits };
    this.#endpoints = endpoints;
    this.#resolve = createResolver(endpoints);
    this.#loadMore = options.loadMore;
    this.#isComplete = options.loadMore === undefined;
    // Ten minutes more while it is fetched anew, a day if that fails (RFC 5861).
    const cacheControl = `public, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
    this.#responder = new Responder({ reader, cacheBytes, cacheControl, counter: this.#counter, limits });
    this.#showProblem = options.showProblem ?? (() => undefined);
    this.#publicUrl = options.publicUrl;
    this.#errorLog = new ErrorLog(options.logStream ?? process.stderr);
    const answer = (request: AnswerRequest) => this.#answer(request);
    const log = options.requestLog;
    this.#listener = new Listener({
      answer: log === undefined ? answer : loggingAnswerer(answer, log),
      log,
      counter: this.#counter,
      timeouts: { ...defaultTimeouts, ...timeouts },
      limits,
      clients: new ClientAddresses(options.trustedProxies ?? []),
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
      openCount: this.#listener.openCount,
      storeChangeCount: changeCount,
      cachedCount: entryCount,
      cachedBytes: sizeBytes,
    };
  }

  /**
   * Takes no new connections, and closes each behind its next answer; resolves when all are closed, or when the time is
   * up. It still has to be disposed of.
   */
  async drain(maxMs: number): Promise<void> {
    await this.#listener.drain(maxMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener.stop();
  }

  #answer(request: AnswerRequest): Answer | Promise<Answer> {
    try {
      return this.#find(request);
    } catch (error) {
      return this.#fail(request, error);
    }
  }

  #find(request: AnswerRequest): Answer | Promise<Answer> {
    const { method, target, rate } = request;
    if (rate?.isExceeded) {
      this.#counter.refusedCounts.rate_limit++;
      return this.#show(tooManyRequests(rate), request);
    }
    const known = method === 'GET' ? this.#hits.get(target) : undefined;
    if (known !== undefined) return this.#ask(known, request);
    if (target.length > maxTargetBytes) {
      const detail = `the request target may have ${maxTargetBytes} bytes, got ${target.length}`;
      return this.#show({ kind: 'uri-too-long', detail }, request);
    }
    if (target === '*') return method === 'OPTIONS' ? offeredMethods : problemNotice(unknownPath(target));
    const route = this.#resolve(target);
    if (typeof route === 'string' && !this.#isComplete)
      return this.#complete().then(
        () => this.#answer(request),
        (error) => this.#fail(request, error),
      );
    if (route === 'unknown') return this.#show(unknownPath(target), request);
    if (route === 'undecodable') {
      const detail = `the path cannot be decoded as percent-encoded UTF-8: ${target.slice(0, 200)}`;
      return this.#show({ kind: 'undecodable-path', detail }, request);
    }
    if (method === 'OPTIONS') return offeredMethods;
    if (!isReading(method)) {
      const detail = `${method} is not offered here, only ${allowedMethods}`;
      return this.#show({ kind: 'method-not-offered', detail }, request);
    }
    const question = route.ask(this.#originOf(request));
    const answer = this.#ask(question, request);
    if (answer instanceof Representation && question.origin === undefined) this.#noteHit(target, question);
    return answer;
  }

  /** Loads the endpoints that are not there yet. One failure is tried again by the next request. */
  #complete(): Promise<void> {
    this.#more ??= this.#addMore().finally(() => {
      this.#more = undefined;
    });
    return this.#more;
  }

  async #addMore(): Promise<void> {
    const more = await this.#loadMore?.();
    if (more === undefined) return;
    this.#resolve = createResolver([...this.#endpoints, ...more.endpoints]);
    this.#showProblem = more.showProblem;
    this.#isComplete = true;
  }

  #originOf(request: AnswerRequest): string {
    if (this.#publicUrl !== undefined) return this.#publicUrl;
    const { scheme = 'http', host = request.host } = splitTarget(request.target);
    return host !== undefined && hostPattern.test(host) ? `${scheme}://${host}` : '';
  }

  #ask(question: Question, request: AnswerRequest): Representation | Promise<Answer> {
    const { acceptEncoding, ifNoneMatch, waiter } = request;
    const coding = codingFor(question.mediaType, acceptEncoding);
    const answer = this.#responder.answer(question, { coding, ifNoneMatch, waiter });
    if (!(answer instanceof Promise)) return answer;
    const startedAt = performance.now() - this.#responder.cache.turnMs;
    return answer.then(
      (made) => {
        this.#counter.latencies[kindOf(question)].observe((performance.now() - startedAt) / 1000);
        return made;
      },
      (error) => this.#fail(request, error),
    );
  }

  #noteHit(target: string, question: Question): void {
    if (target.length > maxHitLength) return;
    if (this.#hits.size >= maxHits) this.#hits.clear();
    this.#hits.set(target, question);
  }

  #fail(request: AnswerRequest, error: unknown): Answer | Promise<Answer> {
    const problem = problemOf(error);
    // Nobody is left to be told, and what was dropped for that is no failure.
    if (request.waiter.isGone) return problemNotice(problem);
    if (problems[problem.kind].status >= 500) this.#errorLog.log(request.target, error);
    return this.#show(problem, request);
  }

  /** A form that cannot be made is no reason not to answer. */
  #show(problem: Problem, request: AnswerRequest): Notice | Promise<Notice> {
    const shown = isReading(request.method) ? this.#showProblem(problem, request) : undefined;
    return (
      shown?.catch((error) => {
        this.#errorLog.log(request.target, error);
        return problemNotice(problem);
      }) ?? problemNotice(problem)
    );
  }
}

function kindOf({ isLarge, mediaType }: Question): RequestKind {
  if (mediaType.startsWith('image/')) return 'image';
  return isLarge ? 'large' : 'read';
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
