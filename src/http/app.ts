/**
 * The application: answers requests for endpoints over one store, without a socket. A request finds its
 * endpoint, and the endpoint names the body. The response comes from the cache, from a running job for equal
 * requests, or from a new job.
 */
import { AppError } from '../model/app-error.ts';
import { Links } from '../model/links.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import { countHit } from '../runtime/next-turn.ts';
import { ResponseCache } from './cache.ts';
import { chooseCoding } from './content-coding.ts';
import type { Endpoint, ResponseBody } from './endpoint.ts';
import { Jobs } from './jobs.ts';
import type { ErrorLog } from './logs.ts';
import { Abandoned } from './make-body.ts';
import { type ResponseKind, refused, responses, responseTimes } from './metrics.ts';
import {
  allowedMethods,
  offeredMethods,
  type ProblemDetails,
  problemOf,
  problemResponse,
  problems,
} from './problem.ts';
import type { HttpRequest } from './request.ts';
import { type HttpResponse, maxJoinedBytes } from './response.ts';
import { createRouter, splitTarget } from './router.ts';
import type { Sending } from './sending.ts';

/** Renders an error in a form that its client can show; undefined if that is a problem document. */
export type ShowProblem = (
  problem: ProblemDetails,
  request: Pick<HttpRequest, 'target' | 'headers'> & { readonly links: Links },
) => Promise<HttpResponse> | undefined;

/** Endpoints for people, and the form of errors. */
export interface Site {
  readonly endpoints: readonly Endpoint[];
  /** Renders errors for clients of GET and HEAD, as pages or pictures. */
  readonly showProblem: ShowProblem;
}

/** Options of {@link App}. Without `showProblem`, all errors are problem documents. */
export interface AppOptions extends Pick<Site, 'endpoints'>, Partial<Pick<Site, 'showProblem'>> {
  /** Loads more endpoints and the form of errors, before the first request outside `/api` is answered. */
  readonly loadSite?: (() => Promise<Site>) | undefined;
  readonly reader: MetricsReader;
  /** Memory for cached responses. */
  readonly cacheBytes: number;
  /** Time for which clients and proxies may use a response without asking again. */
  readonly maxAgeSeconds: number;
  /**
   * Public address of the server, such as `https://example.org/metrics`; taken from each request if left out.
   */
  readonly publicUrl?: string | undefined;
  /** Responses that are being sent; shared with the server of the application. */
  readonly sending: Sending;
  readonly errorLog: ErrorLog;
}

/** Limit on the length of a request target: 1,000 plugins fit, each with the name of its parameter. */
const maxTargetBytes = 16 * 1024;

/** Limits on the remembered targets of cache hits: real clients send few. */
const maxKnownTargets = 2000;
const maxKnownTargetLength = 200;

/** Hosts that are safe in a URL: a name or an address, and a port. */
const hostPattern = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Answers requests. */
export class App {
  #options: AppOptions;
  #route: ReturnType<typeof createRouter>;
  #loading: Promise<void> | undefined;
  readonly #cache: ResponseCache;
  readonly #jobs: Jobs;
  readonly #sending: Sending;
  readonly #links: Links;
  /** Bodies by the targets that were cache hits, so that they need no routing. */
  readonly #known = new Map<string, ResponseBody>();

  constructor(options: AppOptions) {
    const { endpoints, reader, cacheBytes, maxAgeSeconds, sending, publicUrl } = options;
    this.#options = options;
    this.#route = createRouter(endpoints);
    this.#cache = new ResponseCache(reader, cacheBytes);
    this.#links = publicUrl === undefined ? new Links() : Links.ofPublicUrl(publicUrl);
    this.#jobs = new Jobs({ reader, cache: this.#cache, maxAgeSeconds, links: this.#links });
    this.#sending = sending;
  }

  /**
   * Answers a request, and a cache hit without a promise. Rejects only with {@link Abandoned}, when nobody
   * waits any more; it answers all other failures.
   */
  answer(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    try {
      const { loadSite } = this.#options;
      if (loadSite === undefined || this.#links.targetOf(request.target).startsWith('/api/'))
        return this.#find(request);
      return this.load()
        .then(() => this.#find(request))
        .catch((error) => this.#fail(request, error));
    } catch (error) {
      return this.#fail(request, error);
    }
  }

  /**
   * Loads the site, unless that is done. After a failure, the next call tries again.
   * @throws AppError `unavailable` if a file of the program is missing, for example during an upgrade.
   */
  load(): Promise<void> {
    this.#loading ??= this.#add().catch((cause) => {
      this.#loading = undefined;
      throw new AppError('unavailable', `a part of the program could not be loaded: ${cause}`, { cause });
    });
    return this.#loading;
  }

  async #add(): Promise<void> {
    const site = await this.#options.loadSite?.();
    if (site === undefined) return;
    const { endpoints, showProblem } = site;
    this.#route = createRouter([...this.#options.endpoints, ...endpoints]);
    this.#options = { ...this.#options, showProblem, loadSite: undefined };
  }

  #find(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    const { method, rateRefusal } = request;
    if (rateRefusal !== undefined) {
      refused.rate_limit.inc();
      return this.#show({ kind: 'too-many-requests', ...rateRefusal }, request);
    }
    const known = method === 'GET' ? this.#known.get(request.target) : undefined;
    if (known !== undefined) return this.#respond(known, request);
    const target = this.#links.targetOf(request.target);
    if (target.length > maxTargetBytes)
      throw new AppError(
        'uri-too-long',
        `the request target may have at most ${maxTargetBytes} bytes, got ${target.length}`,
      );
    if (target === '*' && method === 'OPTIONS') return offeredMethods;
    const { endpoint, params, searchParams } = this.#route(target);
    if (method === 'OPTIONS') return offeredMethods;
    if (!isReading(method))
      throw new AppError('method-not-offered', `${method} is not offered here, only ${allowedMethods}`);
    const body = endpoint.ask({ params, searchParams, links: this.#linksFor(request) });
    const response = this.#respond(body, request);
    if (!(response instanceof Promise) && body.server === undefined) this.#remember(request.target, body);
    return response;
  }

  /** Finds the response in the cache, or has it made. */
  #respond(body: ResponseBody, request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    const coding = chooseCoding(body.mediaType, request.headers['accept-encoding']);
    const key = coding === 'identity' ? body.key : `${body.key} ${coding}`;
    const generation = this.#cache.generation(body.source);
    const cached = this.#cache.find(key, generation);
    if (cached !== undefined) {
      countHit();
      responses.hit.inc();
      responseTimes.cached.observe((performance.now() - request.receivedAt) / 1000);
      return this.#finish(cached, request);
    }
    return this.#jobs
      .make({ body, coding, key, generation }, request)
      .then((response) => {
        responseTimes[kindOf(body)].observe((performance.now() - request.receivedAt) / 1000);
        return this.#finish(response, request);
      })
      .catch((error: unknown) => this.#fail(request, error));
  }

  /**
   * Makes the response for one client from the shared one: a 304, or one with an age.
   * @throws AppError of the kind `overloaded` if too much is being sent already.
   */
  #finish(response: HttpResponse, request: HttpRequest): HttpResponse {
    const { bodyBytes, stream } = response;
    const isMatched = response.isMatchedBy(request.headers['if-none-match']);
    if (stream !== undefined) this.#sending.holdStream(stream, request);
    else if (bodyBytes > maxJoinedBytes && request.method === 'GET' && !isMatched)
      this.#sending.holdLarge(response.body, request);
    const chosen = isMatched ? response.notModified() : response;
    const ageSeconds = Math.floor(this.#options.reader.unreachableMs() / 1000);
    return ageSeconds === 0 ? chosen : chosen.withHeaders(['Age', String(ageSeconds)]);
  }

  #linksFor({ target, headers }: HttpRequest): Links {
    if (this.#links.isPublic) return this.#links;
    const { scheme = 'http', host = headers.host } = splitTarget(target);
    return host !== undefined && hostPattern.test(host) ? new Links(`${scheme}://${host}`) : this.#links;
  }

  #remember(target: string, body: ResponseBody): void {
    if (target.length > maxKnownTargetLength) return;
    if (this.#known.size >= maxKnownTargets) this.#known.clear();
    this.#known.set(target, body);
  }

  /** Answers an error that was thrown. */
  #fail(request: HttpRequest, error: unknown): HttpResponse | Promise<HttpResponse> {
    // Nearly all clients that have closed their sending side have left, so close the rest of the connection
    // too.
    if (error instanceof Abandoned) throw error;
    const problem = problemOf(error);
    if (problems[problem.kind].status >= 500) this.#options.errorLog.log(request.target, error);
    return this.#show(problem, request);
  }

  /** Answers an error in a form that the client can show. If rendering fails, sends the problem document. */
  #show(problem: ProblemDetails, request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    const { errorLog, showProblem } = this.#options;
    const { method, target, headers } = request;
    const asked = { target: this.#links.targetOf(target), headers, links: this.#links };
    const shown = isReading(method) ? showProblem?.(problem, asked) : undefined;
    return (
      shown?.catch((failure: unknown) => {
        errorLog.log(request.target, failure);
        return problemResponse(problem);
      }) ?? problemResponse(problem)
    );
  }
}

/** The label `kind` of the metric of durations. */
function kindOf({ mediaType, size }: ResponseBody): ResponseKind {
  if (mediaType.startsWith('image/')) return 'image';
  return size === 'small' ? 'read' : 'large';
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
