/** Makes uncached responses: one job for equal requests, few jobs at a time, client networks in turn. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Links } from '../model/links.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import { FairQueue } from '../runtime/fair-queue.ts';
import { findNetworksBy, nextTurn } from '../runtime/next-turn.ts';
import type { ResponseCache } from './cache.ts';
import { Shares } from './clients.ts';
import type { ContentCoding } from './content-coding.ts';
import { type BodySize, Redirect, type ResponseBody } from './endpoint.ts';
import { Abandoned, makeBody } from './make-body.ts';
import { refused, responses } from './metrics.ts';
import { overloaded } from './problem.ts';
import type { HttpRequest } from './request.ts';
import { commonHeaders, HttpResponse } from './response.ts';

/** Limits on jobs. The memory of the large ones is the largest share of what a busy process takes. */
const limits = {
  small: { maxBegun: 64, maxWaiting: 1000, refusals: refused.overloaded },
  large: { maxBegun: 2, maxWaiting: 100, refusals: refused.overloaded_large },
};

/** The networks that the current work is done for; others may join while it runs. */
const networksOfWork = new AsyncLocalStorage<ReadonlySet<string>>();
findNetworksBy(() => networksOfWork.getStore());

/** Options of {@link Jobs}. */
interface JobsOptions {
  readonly reader: MetricsReader;
  readonly cache: ResponseCache;
  /** Time for which clients and proxies may use a response without asking again. */
  readonly maxAgeSeconds: number;
  readonly links: Links;
}

/** A response to be made. */
interface Wanted {
  readonly body: ResponseBody;
  readonly coding: ContentCoding;
  /** Names the response in the cache. */
  readonly key: string;
  /** Generation of the part of the store that the body is read from. */
  readonly generation: number;
}

/** A response that is being made, and the requests that wait for it. */
interface Job {
  readonly generation: number;
  readonly requests: HttpRequest[];
  /** Networks of these requests: the first network whose turn comes lends it to all. */
  readonly networks: Set<string>;
  readonly made: Promise<HttpResponse>;
}

/** The jobs of one server. */
export class Jobs {
  readonly #reader: MetricsReader;
  readonly #cache: ResponseCache;
  readonly #cacheControl: string;
  readonly #links: Links;
  /** Headers of the responses that are cached, unless they have a `Cache-Control` of their own. */
  readonly #cachedHeaders: readonly string[];
  /** Headers of every stream. */
  readonly #streamHeaders = headersWith('no-store');
  readonly #jobs = new Map<string, Job>();
  readonly #queues: Readonly<Record<BodySize, JobQueue>> = {
    small: new JobQueue(limits.small),
    large: new JobQueue(limits.large),
  };

  constructor({ reader, cache, maxAgeSeconds, links }: JobsOptions) {
    this.#links = links;
    this.#reader = reader;
    this.#cache = cache;
    // Caches may use it for ten minutes more while they fetch it again, and for a day if that fails (RFC
    // 5861).
    this.#cacheControl = `public, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
    this.#cachedHeaders = headersWith(this.#cacheControl);
  }

  /**
   * Makes a response, or shares one that is being made. Rejects as the parts of the body do, with AppError of
   * the kind `overloaded` if too many wait, and with {@link Abandoned} once no request waits any more.
   */
  make(wanted: Wanted, request: HttpRequest): Promise<HttpResponse> {
    const { body, key, generation } = wanted;
    const found = this.#jobs.get(key);
    if (found?.generation !== generation) {
      const job = this.#begin(wanted, request);
      this.#jobs.set(key, job);
      return job.made;
    }
    responses.shared.inc();
    found.requests.push(request);
    if (!found.networks.has(request.network)) {
      found.networks.add(request.network);
      this.#queues[body.size].join(found.networks, request.network);
    }
    // A stream has one reader, so each request gets its own.
    return found.made.then((made) => (made.stream === undefined ? made : this.#begin(wanted, request).made));
  }

  #begin(wanted: Wanted, request: HttpRequest): Job {
    const { body, key, generation } = wanted;
    const requests = [request];
    const networks = new Set([request.network]);
    const forget = () => {
      if (this.#jobs.get(key) === job) this.#jobs.delete(key);
      // V8 keeps a rehashed Map's old table until a major GC; drop the references now.
      requests.length = 0;
    };
    const isWanted = () => {
      if (requests.some((one) => one.isWaitingFor(body.size))) return true;
      // It is abandoned, so no request may join it.
      forget();
      return false;
    };
    const made = networksOfWork.run(networks, () => this.#run(wanted, networks, isWanted)).finally(forget);
    const job = { generation, requests, networks, made };
    return job;
  }

  async #run(
    { body, coding, key, generation }: Wanted,
    networks: ReadonlySet<string>,
    isWanted: () => boolean,
  ): Promise<HttpResponse> {
    using _permit = await this.#queues[body.size].enter(networks, isWanted);
    await nextTurn();
    const forecast = { minBytes: 0 };
    const made = await makeBody(body.parts(this.#reader, forecast), { coding, isWanted, forecast });
    responses.miss.inc();
    if (made instanceof Redirect) {
      const { status, location } = made;
      const headers = [
        ...commonHeaders,
        'Location',
        this.#links.to(location),
        'Cache-Control',
        this.#cacheControl,
      ];
      return new HttpResponse({ status, headers });
    }
    const { content, etag } = made;
    const codedHeaders = made.coding === 'identity' ? [] : ['Content-Encoding', made.coding];
    const typeHeaders = ['Content-Type', body.mediaType];
    const { cacheControl } = body;
    const cachedHeaders = cacheControl === undefined ? this.#cachedHeaders : headersWith(cacheControl);
    const response = new HttpResponse({
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

/** Limits of a {@link JobQueue}. */
interface QueueLimits {
  readonly maxBegun: number;
  readonly maxWaiting: number;
  /** Counts what is refused. */
  readonly refusals: { readonly inc: () => void };
}

/** A job that waits to be let in. */
interface Waiting {
  /** Networks that wait for it; it is in the queue of each. */
  readonly networks: ReadonlySet<string>;
  readonly isWanted: () => boolean;
  readonly admit: (permit: Disposable) => void;
  readonly drop: (error: Abandoned) => void;
}

/** Limits the running and the waiting jobs of one size. Networks share both, and take turns. */
class JobQueue {
  readonly #refusals: QueueLimits['refusals'];
  readonly #begun: Shares;
  readonly #places: Shares;
  readonly #lines = new FairQueue<Waiting>();
  /** Waiting jobs, by their networks. */
  readonly #waiting = new Map<ReadonlySet<string>, Waiting>();

  constructor({ maxBegun, maxWaiting, refusals }: QueueLimits) {
    this.#refusals = refusals;
    this.#begun = new Shares(maxBegun);
    this.#places = new Shares(maxWaiting);
  }

  /**
   * Resolves to a permit when there is room; disposing of it admits the next job. Rejects with {@link
   * Abandoned} if the job is no longer wanted by then.
   * @throws AppError of the kind `overloaded` if too many wait already.
   */
  enter(networks: ReadonlySet<string>, isWanted: () => boolean): Disposable | Promise<Disposable> {
    const [network = ''] = networks;
    if (this.#lines.lengthOf(network) === 0 && this.#begun.hasRoomFor(network)) return this.#begin(network);
    if (!this.#places.hasRoomFor(network)) this.#dropUnwanted();
    if (!this.#places.hasRoomFor(network)) {
      this.#refusals.inc();
      throw overloaded();
    }
    return new Promise((admit, drop) => {
      const waiting = { networks, isWanted, admit, drop };
      this.#places.add(network);
      this.#waiting.set(networks, waiting);
      this.#lines.add(network, waiting);
    });
  }

  /** Adds a waiting job to the queue of another network. */
  join(networks: ReadonlySet<string>, network: string): void {
    const waiting = this.#waiting.get(networks);
    if (waiting === undefined) return;
    this.#lines.add(network, waiting);
    this.#letIn();
  }

  #begin(network: string): Disposable {
    this.#begun.add(network);
    return {
      [Symbol.dispose]: () => {
        this.#begun.add(network, -1);
        this.#letIn();
      },
    };
  }

  #letIn(): void {
    for (;;) {
      const next = this.#lines.take((network) => this.#begun.hasRoomFor(network));
      if (next === undefined) return;
      this.#forget(next.item);
      if (next.item.isWanted()) next.item.admit(this.#begin(next.network));
      else next.item.drop(new Abandoned());
    }
  }

  #dropUnwanted(): void {
    for (const waiting of this.#waiting.values())
      if (!waiting.isWanted()) {
        this.#forget(waiting);
        waiting.drop(new Abandoned());
      }
  }

  #forget(waiting: Waiting): void {
    const { networks } = waiting;
    const [first = ''] = networks;
    this.#places.add(first, -1);
    this.#waiting.delete(networks);
    for (const network of networks) this.#lines.remove(network, waiting);
  }
}
