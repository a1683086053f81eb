/** Makes the responses that are not cached: once for all requests that wait for the same, and few at a time. */
import { AppError } from '../model/app-error.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import { nextTurn } from '../model/next-turn.ts';
import type { ResponseCache } from './cache.ts';
import { clientNetwork } from './client-addresses.ts';
import type { ContentCoding } from './content-coding.ts';
import { type Body, type BodySize, Redirect } from './endpoint.ts';
import { entityTag } from './entity-tag.ts';
import { commonHeaders } from './headers.ts';
import { makeBody, StreamedBody } from './make-body.ts';
import { refused, responses } from './metrics.ts';
import { redirectResponse } from './problem.ts';
import type { Request } from './request.ts';
import { Response } from './response.ts';
import { Abandoned, Semaphore } from './semaphore.ts';

/** Limits on jobs. The memory of the large ones is the largest share of what a busy process takes. */
const limits = {
  small: { maxBegun: 64, maxWaiting: 1000, onRefused: () => refused.overloaded.inc() },
  large: { maxBegun: 2, maxWaiting: 100, onRefused: () => refused.overloaded_large.inc() },
};

/** Limits on the streams that are being sent, in all and to one client. */
const maxStreams = 8;
const maxStreamsOfClient = 2;

/** Options of {@link Jobs}. */
interface JobsOptions {
  readonly reader: MetricsReader;
  readonly cache: ResponseCache;
  /** Time for which clients and proxies may use a response without asking again. */
  readonly maxAgeSeconds: number;
}

/** A response to be made. */
interface Wanted {
  readonly body: Body;
  readonly coding: ContentCoding;
  /** Names the response in the cache. */
  readonly key: string;
  /** Generation of the part of the store that the body is read from. */
  readonly generation: number;
}

/** A response that is being made, and the requests that wait for it. */
interface Job {
  readonly generation: number;
  readonly requests: [Request, ...Request[]];
  readonly made: Promise<Response>;
}

/** The refusal of a stream. */
class TooManyStreams extends AppError {
  constructor() {
    const message = `a response of this size is sent to at most ${maxStreamsOfClient} clients of an address at a time, and to ${maxStreams} in all; try again later`;
    super('unavailable', message, { kind: 'overloaded' });
  }
}

/** The jobs of one server. */
export class Jobs {
  readonly #reader: MetricsReader;
  readonly #cache: ResponseCache;
  readonly #cacheControl: string;
  readonly #jobs = new Map<string, Job>();
  readonly #semaphores: Readonly<Record<BodySize, Semaphore>> = {
    small: new Semaphore(limits.small),
    large: new Semaphore(limits.large),
  };
  /** Number of streams by client. */
  readonly #streams = new Map<string, number>();

  constructor({ reader, cache, maxAgeSeconds }: JobsOptions) {
    this.#reader = reader;
    this.#cache = cache;
    // Caches may use it for ten minutes more while they fetch it again, and for a day if that fails (RFC 5861).
    this.#cacheControl = `public, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
  }

  /**
   * Makes a response, or shares one that is being made. Rejects as the parts of the body do, with AppError `unavailable`, `overloaded`
   * where too many wait, and once no request waits any more.
   */
  make(wanted: Wanted, request: Request): Promise<Response> {
    const { key, generation } = wanted;
    const found = this.#jobs.get(key);
    if (found?.generation === generation) {
      responses.shared.inc();
      found.requests.push(request);
      return found.made.then(
        // A stream has one reader.
        (made) => (made.stream === undefined ? made : this.make(wanted, request)),
        (error) => {
          // What the first client has open is no reason to refuse another; nor is it that all before this one had gone.
          const isOfOthers = error instanceof Abandoned || error instanceof TooManyStreams;
          if (isOfOthers && request.isWaitingFor(wanted.body.size)) return this.make(wanted, request);
          throw error;
        },
      );
    }
    const requests: Job['requests'] = [request];
    const job = { generation, requests, made: this.#run(wanted, requests) };
    this.#jobs.set(key, job);
    const end = () => {
      if (this.#jobs.get(key) === job) this.#jobs.delete(key);
    };
    job.made.then(end, end);
    return job.made;
  }

  async #run(wanted: Wanted, requests: Job['requests']): Promise<Response> {
    const { body, coding, key, generation } = wanted;
    const isWanted = () => requests.some((request) => request.isWaitingFor(body.size));
    using _permit = await this.#semaphores[body.size].enter(isWanted);
    await nextTurn();
    const forecast = { minBytes: 0 };
    const made = await makeBody(body.parts(this.#reader, forecast), { coding, isWanted, forecast });
    responses.miss.inc();
    if (made instanceof Redirect) return redirectResponse(made, this.#cacheControl);
    const codedHeaders = made.coding === 'identity' ? [] : ['Content-Encoding', made.coding];
    const typeHeaders = ['Content-Type', body.mediaType, ...codedHeaders, ...(body.headers ?? [])];
    if (made instanceof StreamedBody) return this.#stream(made, typeHeaders, requests[0]);
    const etag = entityTag(made.digest, made.coding);
    const headers = [
      ...commonHeaders,
      'Cache-Control',
      this.#cacheControl,
      'Vary',
      'Accept-Encoding',
      'ETag',
      etag,
    ];
    const response = new Response({
      status: 200,
      headers: [...headers, ...typeHeaders],
      body: made.bytes,
      etag,
      notModified: new Response({ status: 304, headers }),
    });
    this.#cache.keep(key, body, { generation, response });
    return response;
  }

  /**
   * The response of a body that is sent as it is made.
   * @throws AppError `unavailable`, `overloaded` where too many are being sent already.
   */
  #stream(body: StreamedBody, typeHeaders: readonly string[], request: Request): Response {
    const client = clientNetwork(request.address);
    const count = this.#streams.get(client) ?? 0;
    const allCount = this.#streams.values().reduce((sum, one) => sum + one, 0);
    if (count >= maxStreamsOfClient || allCount >= maxStreams) {
      void body[Symbol.asyncDispose]();
      refused.sending.inc();
      throw new TooManyStreams();
    }
    this.#streams.set(client, count + 1);
    request.whenSent(() => {
      void body[Symbol.asyncDispose]();
      const left = (this.#streams.get(client) ?? 1) - 1;
      if (left === 0) this.#streams.delete(client);
      else this.#streams.set(client, left);
    });
    const headers = [...commonHeaders, 'Cache-Control', 'no-store', 'Vary', 'Accept-Encoding'];
    const notModified = new Response({ status: 304, headers });
    return new Response({ status: 200, headers: [...headers, ...typeHeaders], body, notModified });
  }
}
