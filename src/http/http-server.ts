/** A server of endpoints over a store: requests in, answers out. */
import { addressUrl } from '../model/listen-address.ts';
import type { ServingCounts } from '../model/serving-counts.ts';
import type { AnswerRequest } from './answer.ts';
import { ByteBudget, Sending } from './byte-budget.ts';
import { defaultLimits, defaultTimeouts } from './limits.ts';
import { ErrorLog } from './log/error-log.ts';
import { loggingAnswerer } from './log/request-log.ts';
import { RequestAnswerer } from './request-answerer.ts';
import { Responder } from './responder.ts';
import type { HttpServerOptions } from './server-options.ts';
import { ServingCounter } from './serving-counter.ts';
import { ClientAddresses } from './wire/client-addresses.ts';
import { commonHeaders } from './wire/headers.ts';
import { Listener } from './wire/listener.ts';

/** A running server. Disposing of it answers what has been asked and stops. */
export class HttpServer implements AsyncDisposable {
  readonly #responder: Responder;
  readonly #listener: Listener;
  readonly #counter = new ServingCounter();
  #url = '';

  private constructor(options: HttpServerOptions) {
    const { reader, cacheBytes, maxAgeSeconds, timeouts } = options;
    const limits = { ...defaultLimits, ...options.limits };
    const counter = this.#counter;
    // Ten minutes more while it is fetched anew, a day if that fails (RFC 5861).
    const cacheControl = `public, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
    const budget = new ByteBudget(limits.maxSendingBytes, () => counter.refusedCounts.sending++);
    this.#responder = new Responder({ reader, cacheBytes, cacheControl, counter, limits, budget });
    const errorLog = new ErrorLog(options.logStream ?? process.stderr);
    const sending = new Sending(budget);
    const answerer = new RequestAnswerer({
      ...options,
      responder: this.#responder,
      sending,
      counter,
      errorLog,
    });
    const answer = (request: AnswerRequest) => answerer.answer(request);
    const log = options.requestLog;
    this.#listener = new Listener({
      answer: log === undefined ? answer : loggingAnswerer(answer, log),
      commonHeaders,
      log,
      counter,
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
}
