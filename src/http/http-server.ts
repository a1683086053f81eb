/** The interface over a reader: Fastify routes the requests, this room answers them. */
import type { AddressInfo } from 'node:net';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { endpoints, openapiPath } from '../api/routes.ts';
import { addressUrl, unusableAddress } from '../model/listen-address.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { ServingCounts } from '../model/serving-counts.ts';
import { chooseCoding } from './cache/content-coding.ts';
import { AnswerCache } from './cache/response-cache.ts';
import type { Endpoint, Question } from './endpoint.ts';
import { createErrorLog, type ErrorLog } from './error-log.ts';
import { createFastPath, createPlainAnswerer } from './fast-path.ts';
import { internalProblem, problem, problemOf } from './problem.ts';
import { createFrontServer, maxUrlBytes, splitTarget, unknownPath } from './wire/front-server.ts';
import { cacheControl } from './wire/headers.ts';
import { sendAnswer, sendProblem } from './wire/send.ts';
import { countsByStatus, tally } from './wire/serving-counter.ts';

/** What a server needs to know. */
export interface HttpServerOptions {
  readonly reader: MetricsReader;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** How long clients may take an answer for fresh, in seconds. */
  readonly maxAgeSeconds: number;
  /** How much the remembered answers may hold, in bytes. */
  readonly cacheBytes: number;
  /** Where bugs are logged; standard error when left out. */
  readonly logStream?: { readonly write: (line: string) => void };
}

/** A running server. Disposing of it answers what has been asked and stops. */
export interface HttpServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** What this process has answered and what this server remembers; cheap to ask. */
  readonly counts: () => ServingCounts;
}

/** How long a stop waits for clients that do not take their answers. */
const stopTimeoutMs = 10_000;

/** How often a stop closes what has become idle. */
const sweepMs = 20;

/**
 * Starts to listen.
 * @throws AppError `unavailable` for an address that cannot be had.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const cache = new AnswerCache({
    reader: options.reader,
    budgetBytes: options.cacheBytes,
    cacheControl: cacheControl(options.maxAgeSeconds),
  });
  const app = buildApp(options, cache);
  try {
    await app.listen({ host: options.host, port: options.port });
  } catch (error) {
    await app.close();
    throw unusableAddress(options, error);
  }
  const { address, port } = app.server.address() as AddressInfo;
  return {
    url: addressUrl({ host: address, port }),
    counts: () => countsNow(cache),
    [Symbol.asyncDispose]: () => stop(app),
  };
}

function countsNow(cache: AnswerCache): ServingCounts {
  const { bodyBytes, storeChangeCount, remembered, shared, read } = tally;
  return {
    requestCounts: countsByStatus(),
    bodyBytes,
    originCounts: { remembered, shared, read },
    storeChangeCount,
    rememberedCount: cache.answerCount,
    rememberedBytes: cache.sizeBytes,
  };
}

function buildApp(options: HttpServerOptions, cache: AnswerCache): FastifyInstance {
  const ways = { answersAtOnce: createFastPath(cache), answersPlain: createPlainAnswerer(cache) };
  const app = fastify({
    // Only what went wrong inside is logged, with the target that met it.
    logger: { level: 'warn', stream: options.logStream ?? process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxUrlBytes },
    serverFactory: (router) => createFrontServer(router, ways),
    // The front server answers what the parser refuses.
    clientErrorHandler: () => {},
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      const detail = `the path cannot be decoded as percent-encoded UTF-8: ${request.url.slice(0, 200)}`;
      const isPath = error.code === 'FST_ERR_BAD_URL';
      sendProblem(
        reply.raw,
        problem(isPath ? 'undecodable-path' : 'malformed-request', isPath ? detail : error.message),
      );
    },
  });
  const logError = createErrorLog();
  const routed =
    (ask: (request: FastifyRequest) => Question) => async (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      try {
        const question = ask(request);
        const answer = await cache.get(question);
        const coding = chooseCoding(request.headers['accept-encoding']?.toString());
        const coded = answer.find(coding) ?? (await cache.encode(question.key, answer, coding));
        sendAnswer(request.raw, reply.raw, { coded, ageSeconds: cache.ageSeconds() });
      } catch (error) {
        sendError(request, reply, { error, logError });
      }
    };
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.get(
      path,
      routed((request) => askEndpoint(endpoint, request)),
    );
  }
  app.get(
    openapiPath,
    routed(() => openapiQuestion),
  );
  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    sendProblem(reply.raw, unknownPath(request.url));
  });
  return app;
}

function askEndpoint(endpoint: Endpoint, request: FastifyRequest): Question {
  const { pluginId = '', chartId = '' } = request.params as {
    readonly pluginId?: string;
    readonly chartId?: string;
  };
  const [, query = ''] = splitTarget(request.url);
  return endpoint.ask({ pluginId, chartId, query });
}

/** The document is made when it is first asked for: nobody else needs the schemas. */
const openapiQuestion: Question = {
  key: openapiPath,
  read: async () => {
    const { openapiJson } = await import('../api/openapi.ts');
    return { whole: openapiJson };
  },
};

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: { readonly error: unknown; readonly logError: ErrorLog },
): void {
  const known = problemOf(failure.error);
  if (known === undefined || known.status >= 500) failure.logError(request.log, request.url, failure.error);
  if (!reply.raw.headersSent) sendProblem(reply.raw, known ?? internalProblem());
  else reply.raw.destroy();
}

async function stop(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), stopTimeoutMs);
  // A connection that was answering when the stop began is idle later.
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs);
  await app.close();
  clearInterval(sweep);
  clearTimeout(timer);
}
