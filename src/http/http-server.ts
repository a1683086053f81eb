/** An HTTP server of endpoints over a store. */
import { addressUrl } from '../model/listen-address.ts';
import type { AnswerRequest } from './answer.ts';
import { ByteBudget, Sending } from './byte-budget.ts';
import { defaultLimits, defaultTimeouts } from './limits.ts';
import { ErrorLog } from './log/error-log.ts';
import { loggingAnswerer } from './log/request-log.ts';
import { dropped, refused } from './metrics.ts';
import { RequestAnswerer } from './request-answerer.ts';
import { Responder } from './responder.ts';
import type { HttpServerOptions } from './server-options.ts';
import { Streams } from './streams.ts';
import { ClientAddresses } from './wire/client-addresses.ts';
import { commonHeaders } from './wire/headers.ts';
import { Listener } from './wire/listener.ts';

/** A running server. Disposing of it finishes pending requests and stops. */
export class HttpServer implements AsyncDisposable {
  readonly #responder: Responder;
  readonly #listener: Listener;
  #url = '';

  private constructor(options: HttpServerOptions) {
    const { reader, cacheBytes, maxAgeSeconds, timeouts } = options;
    const limits = { ...defaultLimits, ...options.limits };
    // Caches may use it for ten minutes more while they fetch it again, and for a day if that fails (RFC 5861).
    const cacheControl = `public, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
    const budget = new ByteBudget(limits.maxSendingBytes, () => refused.sending.inc());
    this.#responder = new Responder({
      ...{ reader, cacheBytes, cacheControl, limits, budget },
      acceptedCount: () => this.#listener.acceptedCount,
    });
    const errorLog = new ErrorLog(options.logStream ?? process.stderr);
    const sending = new Sending(budget);
    const streams = new Streams({
      now: options.now ?? (() => performance.now()),
      onRefused: () => refused.sending.inc(),
      onCut: () => dropped.not_reading.inc(),
    });
    const answerer = new RequestAnswerer({
      ...options,
      responder: this.#responder,
      sending,
      streams,
      errorLog,
    });
    const answer = (request: AnswerRequest) => answerer.answer(request);
    const log = options.requestLog;
    this.#listener = new Listener({
      answer: log === undefined ? answer : loggingAnswerer(answer, log),
      commonHeaders,
      log,
      timeouts: { ...defaultTimeouts, ...timeouts },
      limits,
      clients: new ClientAddresses(options.trustedProxies ?? []),
    });
  }

  /**
   * Starts to listen.
   * @throws AppError `unavailable` for an address that cannot be used.
   */
  static async start(options: HttpServerOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    server.#url = addressUrl(await server.#listener.listen(options));
    return server;
  }

  /** Address of the server, such as `http://127.0.0.1:8080`. */
  get url(): string {
    return this.#url;
  }

  /**
   * Accepts no new connections, and closes each after its next response. Resolves when all are closed, or after `maxMs`. The server
   * still has to be disposed of.
   */
  async drain(maxMs: number): Promise<void> {
    await this.#listener.drain(maxMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener.stop();
  }
}
