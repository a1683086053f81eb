/** Makes the responses that are not cached: once for all requests that wait for the same, and few at a time. */
import type { MetricsReader } from '../model/metrics-reader.ts';
import { nextTurn } from '../model/next-turn.ts';
import type { ResponseCache } from './cache.ts';
import type { ContentCoding } from './content-coding.ts';
import { type Body, type BodySize, Redirect } from './endpoint.ts';
import { Abandoned, makeBody } from './make-body.ts';
import { refused, responses } from './metrics.ts';
import { overloaded } from './problem.ts';
import type { Request } from './request.ts';
import { commonHeaders, Response } from './response.ts';

/** Limits on jobs. The memory of the large ones is the largest share of what a busy process takes. */
const limits = {
  small: { maxBegun: 64, maxWaiting: 1000, refusals: refused.overloaded },
  large: { maxBegun: 2, maxWaiting: 100, refusals: refused.overloaded_large },
};

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
  readonly requests: Request[];
  readonly made: Promise<Response>;
}

/** The jobs of one server. */
export class Jobs {
  readonly #reader: MetricsReader;
  readonly #cache: ResponseCache;
  readonly #cacheControl: string;
  /** Headers of the responses that are cached, unless they have a `Cache-Control` of their own, and of every stream. */
  readonly #cachedHeaders: readonly string[];
  readonly #streamHeaders = headersWith('no-store');
  readonly #jobs = new Map<string, Job>();
  readonly #semaphores: Readonly<Record<BodySize, Semaphore>> = {
    small: new Semaphore(limits.small),
    large: new Semaphore(limits.large),
  };

  constructor({ reader, cache, maxAgeSeconds }: JobsOptions) {
    this.#reader = reader;
    this.#cache = cache;
    // Caches may use it for ten minutes more while they fetch it again, and for a day if that fails (RFC 5861).
    this.#cacheControl = `public, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
    this.#cachedHeaders = headersWith(this.#cacheControl);
  }

  /**
   * Makes a response, or shares one that is being made. Rejects as the parts of the body do, with AppError of the kind `overloaded` where
   * too many wait, and with {@link Abandoned} once no request waits any more.
   */
  make(wanted: Wanted, request: Request): Promise<Response> {
    const { body, key, generation } = wanted;
    const found = this.#jobs.get(key);
    if (found?.generation === generation) {
      responses.shared.inc();
      found.requests.push(request);
      // A stream has one reader.
      return found.made.then((made) => (made.stream === undefined ? made : this.make(wanted, request)));
    }
    const requests = [request];
    const forget = () => {
      if (this.#jobs.get(key) === job) this.#jobs.delete(key);
      // The table of a Map that has been rehashed keeps what it held then until the next full collection.
      requests.length = 0;
    };
    const isWanted = () => {
      if (requests.some((one) => one.isWaitingFor(body.size))) return true;
      // It is given up: nobody may wait for it any more.
      forget();
      return false;
    };
    const job = { generation, requests, made: this.#run(wanted, isWanted).finally(forget) };
    this.#jobs.set(key, job);
    return job.made;
  }

  async #run({ body, coding, key, generation }: Wanted, isWanted: () => boolean): Promise<Response> {
    using _permit = await this.#semaphores[body.size].enter(isWanted);
    await nextTurn();
    const forecast = { minBytes: 0 };
    const made = await makeBody(body.parts(this.#reader, forecast), { coding, isWanted, forecast });
    responses.miss.inc();
    if (made instanceof Redirect) {
      const { status, location } = made;
      const headers = [...commonHeaders, 'Location', location, 'Cache-Control', this.#cacheControl];
      return new Response({ status, headers });
    }
    const { content, etag } = made;
    const codedHeaders = made.coding === 'identity' ? [] : ['Content-Encoding', made.coding];
    const typeHeaders = ['Content-Type', body.mediaType];
    const { cacheControl } = body;
    const cachedHeaders = cacheControl === undefined ? this.#cachedHeaders : headersWith(cacheControl);
    const response = new Response({
      status: 200,
      headers: etag === undefined ? this.#streamHeaders : cachedHeaders,
      // Joined without spreading, which would take room for more.
      contentHeaders: typeHeaders.concat(codedHeaders, body.headers ?? []),
      body: content,
      etag,
    });
    if (etag !== undefined) this.#cache.keep(key, body, { generation, response });
    return response;
  }
}

function headersWith(cacheControl: string): readonly string[] {
  return [...commonHeaders, 'Cache-Control', cacheControl, 'Vary', 'Accept-Encoding'];
}

/** Limits of a {@link Semaphore}. */
interface SemaphoreLimits {
  readonly maxBegun: number;
  readonly maxWaiting: number;
  /** Counts what is refused. */
  readonly refusals: { readonly inc: () => void };
}

/** A job that waits to be let in. */
interface Waiting {
  readonly isWanted: () => boolean;
  readonly admit: (permit: Disposable) => void;
  readonly drop: (error: Abandoned) => void;
}

/** Bounds how many jobs of one size are begun at a time, and how many more wait: first come, first served. */
class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #permit = { [Symbol.dispose]: () => this.#leave() };
  #begunCount = 0;
  #waiting: Waiting[] = [];

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves to a permit when there is room; disposing of it lets the next one in. Rejects with {@link Abandoned} where that finds a job
   * that is not wanted any more.
   * @throws AppError of the kind `overloaded` where too many wait already.
   */
  enter(isWanted: () => boolean): Disposable | Promise<Disposable> {
    const { maxBegun, maxWaiting, refusals } = this.#limits;
    if (this.#begunCount < maxBegun) {
      this.#begunCount++;
      return this.#permit;
    }
    if (this.#waiting.length >= maxWaiting) this.#dropUnwanted();
    if (this.#waiting.length >= maxWaiting) {
      refusals.inc();
      throw overloaded();
    }
    return new Promise((admit, drop) => this.#waiting.push({ isWanted, admit, drop }));
  }

  #leave(): void {
    let next = this.#waiting.shift();
    while (next !== undefined && !next.isWanted()) {
      next.drop(new Abandoned());
      next = this.#waiting.shift();
    }
    if (next === undefined) this.#begunCount--;
    else next.admit(this.#permit);
  }

  #dropUnwanted(): void {
    for (const { isWanted, drop } of this.#waiting) if (!isWanted()) drop(new Abandoned());
    this.#waiting = this.#waiting.filter(({ isWanted }) => isWanted());
  }
}
