/** Answers requests: finds the question of a target, or the error for it. */
import type { Answer, AnswerRequest } from './answer.ts';
import type { Sending } from './byte-budget.ts';
import { CodingChoice } from './cache/content-coding.ts';
import { matchesTag } from './cache/entity-tag.ts';
import type { Endpoint, Question } from './endpoint.ts';
import type { ErrorLog } from './log/error-log.ts';
import { type ResponseKind, refused, responseTimes } from './metrics.ts';
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
import { maxJoinedBytes, Representation } from './representation.ts';
import type { Responder } from './responder.ts';
import { createResolver, type Route, splitTarget } from './router.ts';
import type { HttpServerOptions, MoreEndpoints, ShowProblem } from './server-options.ts';
import { StreamedAnswer } from './streamed-answer.ts';
import type { Streams } from './streams.ts';
import { type WorkClass, WorkDropped } from './turns.ts';
import { tooManyRequests } from './wire/rate-limit.ts';

/** Limit on the length of a request target. */
const maxTargetBytes = 8 * 1024;

// Real clients send few distinct targets. The map is cleared when full, so that hostile ones cost only the routing.
const maxHits = 2000;
const maxHitLength = 200;

/** Hosts that are safe in a URL: a name or an address, and a port. */
const hostPattern = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Options of {@link RequestAnswerer}. */
export interface RequestAnswererOptions
  extends Pick<HttpServerOptions, 'endpoints' | 'loadMore' | 'showProblem' | 'publicUrl'> {
  readonly responder: Responder;
  readonly sending: Sending;
  readonly streams: Streams;
  readonly errorLog: ErrorLog;
}

/** Answers the requests of one server. */
export class RequestAnswerer {
  readonly #endpoints: readonly Endpoint[];
  readonly #loadMore: (() => Promise<MoreEndpoints>) | undefined;
  readonly #publicUrl: string | undefined;
  readonly #responder: Responder;
  readonly #sending: Sending;
  readonly #streams: Streams;
  readonly #errorLog: ErrorLog;
  readonly #codings = new CodingChoice();
  #resolve: (target: string) => Route;
  #showProblem: ShowProblem;
  #isComplete: boolean;
  #more: Promise<void> | undefined;
  /** Questions of targets that were cache hits, so that they need no routing. */
  readonly #hits = new Map<string, Question>();

  constructor(options: RequestAnswererOptions) {
    this.#endpoints = options.endpoints;
    this.#loadMore = options.loadMore;
    this.#publicUrl = options.publicUrl;
    this.#responder = options.responder;
    this.#sending = options.sending;
    this.#streams = options.streams;
    this.#errorLog = options.errorLog;
    this.#resolve = createResolver(options.endpoints);
    this.#showProblem = options.showProblem ?? (() => undefined);
    this.#isComplete = options.loadMore === undefined;
  }

  /** Answers a request. Never throws or rejects: a failure is answered too. */
  answer(request: AnswerRequest): Answer | Promise<Answer> {
    try {
      return this.#find(request);
    } catch (error) {
      return this.#fail(request, error);
    }
  }

  #find(request: AnswerRequest): Answer | Promise<Answer> {
    const { method, target, rate } = request;
    if (rate?.isExceeded) {
      refused.rate_limit.inc();
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
        () => this.answer(request),
        (error) => {
          this.#errorLog.log(request.target, error);
          // The forms of errors are part of what could not be loaded.
          return problemNotice(problemOf(error));
        },
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
    const question = route.ask(() => this.#originOf(request));
    const answer = this.#ask(question, request);
    if (answer instanceof Representation && question.origin === undefined) this.#noteHit(target, question);
    return answer;
  }

  /** Loads the other endpoints. If that fails, the next request tries again. */
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

  #ask(question: Question, request: AnswerRequest): Answer | Promise<Answer> {
    const { acceptEncoding, ifNoneMatch, waiter } = request;
    const coding = this.#codings.choose(question.mediaType, acceptEncoding);
    const answer = this.#responder.answer(question, { coding, ifNoneMatch, waiter });
    if (!(answer instanceof Promise)) return this.#beginSending(answer, request);
    const startedAt = performance.now() - this.#responder.cache.turnMs;
    return answer.then(
      (made) => {
        responseTimes[kinds[question.workClass]].observe((performance.now() - startedAt) / 1000);
        return this.#beginSending(made, request);
      },
      (error) => this.#fail(request, error),
    );
  }

  /** Charges the budget for a large body, or counts a stream; refuses the request if there is no room. */
  #beginSending(answer: Answer, request: AnswerRequest): Answer | Promise<Answer> {
    if (answer instanceof StreamedAnswer) return this.#beginStream(answer, request);
    if (!(answer instanceof Representation) || answer.bodyBytes <= maxJoinedBytes) return answer;
    const { method, ifNoneMatch, waiter } = request;
    if (method !== 'GET' || matchesTag(ifNoneMatch, answer.etag)) return answer;
    try {
      waiter.whenSent(this.#sending.begin(answer, waiter.network));
      return answer;
    } catch (error) {
      return this.#fail(request, error);
    }
  }

  #beginStream(stream: StreamedAnswer, request: AnswerRequest): Answer | Promise<Answer> {
    const { target, waiter } = request;
    try {
      this.#streams.begin(stream, waiter, (error) => this.#errorLog.log(target, error));
      return stream;
    } catch (error) {
      return stream[Symbol.asyncDispose]().then(() => this.#fail(request, error));
    }
  }

  #noteHit(target: string, question: Question): void {
    if (target.length > maxHitLength) return;
    if (this.#hits.size >= maxHits) this.#hits.clear();
    this.#hits.set(target, question);
  }

  #fail(request: AnswerRequest, error: unknown): Answer | Promise<Answer> {
    const problem = problemOf(error);
    // The client has gone, or at least its sending side, and work that was dropped for that is no failure.
    if (error instanceof WorkDropped) request.waiter.cut();
    if (request.waiter.isGone) return problemNotice(problem);
    if (problems[problem.kind].status >= 500) this.#errorLog.log(request.target, error);
    return this.#show(problem, request);
  }

  /** Renders an error in a form that its client can show. If rendering fails, sends the problem document. */
  #show(problem: Problem, request: AnswerRequest): Notice | Promise<Notice> {
    if (!isReading(request.method)) return problemNotice(problem);
    const shown =
      this.#isComplete || request.target.startsWith('/api/')
        ? this.#showProblem(problem, request)
        : this.#complete().then(() => this.#showProblem(problem, request) ?? problemNotice(problem));
    return (
      shown?.catch((error) => {
        this.#errorLog.log(request.target, error);
        return problemNotice(problem);
      }) ?? problemNotice(problem)
    );
  }
}

const kinds: Readonly<Record<WorkClass, ResponseKind>> = { small: 'read', large: 'large', picture: 'image' };

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
