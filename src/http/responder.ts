/** Finds the response to a question in the cache, shares one that is being made, or makes it. */
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { Answer, Waiter } from './answer.ts';
import { type ByteBudget, ShareUsed } from './byte-budget.ts';
import type { ContentCoding } from './cache/content-coding.ts';
import { entityTag, matchesTag } from './cache/entity-tag.ts';
import { BodyStream, type CodedBody, codeBody } from './cache/response-body.ts';
import { cacheKey, ResponseCache } from './cache/response-cache.ts';
import { type Question, Redirect } from './endpoint.ts';
import type { Limits } from './limits.ts';
import { refused, responses, responseTimes } from './metrics.ts';
import { redirectNotice } from './problem.ts';
import { Representation } from './representation.ts';
import { ResponseKind } from './response-kind.ts';
import { StreamedAnswer } from './streamed-answer.ts';
import { type Turns, type WorkClass, WorkDropped } from './turns.ts';
import type { Demand } from './work/lane.ts';
import { WorkQueue } from './work/work-queue.ts';
import { createWorkReader } from './work/work-reader.ts';

/** Options of a single answer. */
interface AnswerOptions {
  readonly coding: ContentCoding;
  /** The `If-None-Match` header. */
  readonly ifNoneMatch: string | undefined;
  readonly waiter: Waiter;
}

/** Options of {@link Responder}. */
interface ResponderOptions {
  readonly reader: MetricsReader;
  /** Memory for cached responses. */
  readonly cacheBytes: number;
  /** The `Cache-Control` header of responses with status 200. */
  readonly cacheControl: string;
  /** Number of connections that were accepted so far. */
  readonly acceptedCount: () => number;
  readonly limits: Pick<Limits, 'maxPending' | 'maxPendingLarge'>;
  /** Budget for bodies while they are made. */
  readonly budget: ByteBudget;
}

/**
 * A response that is being made, with all clients that wait for it. It is emptied when it has ended: V8 may keep what was in a Map until
 * the old generation is collected, with all that it leads to.
 */
interface Making {
  readonly generation: number;
  /** The first one is charged for it. */
  readonly waiters: Waiter[];
  made: Promise<Answer> | undefined;
  /** True once it has become a stream, which goes to the first of the clients. */
  isStream: boolean;
}

/** Options of a body that is made. */
interface MakeOptions {
  readonly coding: ContentCoding;
  readonly turns: Turns;
  /** True for a body that is known to be a stream. */
  readonly isLong: boolean;
  readonly making: Making;
}

/** Answers questions over one store. */
export class Responder {
  readonly #reader: MetricsReader;
  readonly #cacheControl: string;
  #hitCount = 0;
  readonly #queue: WorkQueue;
  readonly #budget: ByteBudget;
  readonly #makings = new Map<string, Making>();
  /** Kinds of responses without headers of their own, by coding and media type. */
  readonly #kinds: Readonly<Record<ContentCoding, Map<string, ResponseKind>>> = {
    identity: new Map(),
    gzip: new Map(),
    br: new Map(),
    zstd: new Map(),
  };
  readonly cache: ResponseCache;

  constructor({ reader, cacheBytes, cacheControl, acceptedCount, limits, budget }: ResponderOptions) {
    this.#reader = reader;
    this.#cacheControl = cacheControl;
    const { maxPending, maxPendingLarge } = limits;
    this.#budget = budget;
    this.#queue = new WorkQueue({
      maxCounts: { small: maxPending, large: maxPendingLarge, picture: maxPendingLarge },
      hitCount: () => this.#hitCount,
      acceptedCount,
      onRefused: (workClass) => refused[workClass === 'small' ? 'overloaded' : 'overloaded_large'].inc(),
    });
    this.cache = new ResponseCache({ reader, budgetBytes: cacheBytes });
  }

  /**
   * Answers a question, at once if the response is cached. A client that already has a response which is too large for the cache gets
   * a 304 without reading the store. Throws and rejects as the reader does, throws AppError `unavailable`, `overloaded` where too much is
   * waiting, and may reject once the waiter has gone.
   */
  answer(question: Question, options: AnswerOptions): Representation | Promise<Answer> {
    const generation = this.cache.generation(question.source);
    const entry = this.cache.find(question, options.coding, generation);
    const ageSeconds = Math.floor(this.#reader.unreachableMs() / 1000);
    const cached = entry?.representation;
    if (cached !== undefined) {
      this.#countHit();
      return ageSeconds === 0 ? cached : cached.withAge(ageSeconds);
    }
    const etag = entry?.etag;
    if (etag !== undefined && matchesTag(options.ifNoneMatch, etag)) {
      this.#countHit();
      return this.#represent(question, { coding: options.coding, parts: [] }, etag);
    }
    const isLong = entry !== undefined && etag === undefined;
    return isLong
      ? this.#begin(question, options, { generation, isLong }).made
      : this.#join(question, options, generation);
  }

  /** Counts a hit. Its latency is the time that this turn of the event loop took before it; the hit itself takes microseconds. */
  #countHit(): void {
    this.#hitCount++;
    responses.hit.inc();
    responseTimes.cached.observe(this.cache.turnMs / 1000);
  }

  #join(question: Question, options: AnswerOptions, generation: number): Promise<Answer> {
    const key = cacheKey(question, options.coding);
    const found = this.#makings.get(key);
    if (found?.made !== undefined && found.generation === generation) {
      responses.shared.inc();
      const { waiter } = options;
      const [first] = found.waiters;
      found.waiters.push(waiter);
      return found.made.then(
        // A stream has one reader, so the others begin their own.
        (made) => (made instanceof StreamedAnswer ? this.answer(question, options) : made),
        (error) => {
          // What the first client holds is no reason to refuse another; nor is it that all before this one had gone.
          const isOfOthers =
            error instanceof ShareUsed
              ? first?.network !== waiter.network
              : error instanceof WorkDropped && demandOf([waiter], question.workClass) !== 'none';
          if (isOfOthers) return this.answer(question, options);
          throw error;
        },
      );
    }
    const { making, made } = this.#begin(question, options, { generation, isLong: false });
    this.#makings.set(key, making);
    return made;
  }

  /** Begins to make a response. */
  #begin(
    question: Question,
    { coding, waiter }: AnswerOptions,
    { generation, isLong }: { readonly generation: number; readonly isLong: boolean },
  ): { readonly making: Making; readonly made: Promise<Answer> } {
    const key = cacheKey(question, coding);
    const waiters = [waiter];
    const making: Making = { generation, waiters, made: undefined, isStream: false };
    const made = this.#queue.run({
      workClass: question.workClass,
      demand: () => demandOf(waiters, making.isStream ? 'large' : question.workClass),
      make: (turns) => this.#make(question, { coding, turns, isLong, making }),
      onEnded: () => {
        making.made = undefined;
        waiters.length = making.isStream ? 1 : 0;
        if (this.#makings.get(key) === making) this.#makings.delete(key);
      },
    });
    making.made = made;
    return { making, made };
  }

  #make(question: Question, wanted: MakeOptions): Answer | Promise<Answer> {
    const { coding, turns, isLong, making } = wanted;
    const reader = createWorkReader(this.#reader, turns);
    const { workClass } = question;
    const hold = () => this.#budget.hold(making.waiters[0]?.network);
    const forecast = { minBytes: isLong ? Number.POSITIVE_INFINITY : 0 };
    const parts = question.parts(reader, turns, forecast);
    const body = codeBody(parts, { wanted: coding, workClass, turns, hold, forecast });
    return body instanceof Promise
      ? body.then((made) => this.#keep(question, made, wanted))
      : this.#keep(question, body, wanted);
  }

  /** Makes the answer of a body, and caches it if it is whole. */
  #keep(
    question: Question,
    body: CodedBody | BodyStream | Redirect,
    { coding, making }: MakeOptions,
  ): Answer {
    const { generation } = making;
    responses.miss.inc();
    if (body instanceof Redirect) return redirectNotice(body, this.#cacheControl);
    if (body instanceof BodyStream) {
      making.isStream = true;
      this.cache.noteStream(question, generation);
      return new StreamedAnswer(body, new ResponseKind({ ...question, coding, cacheControl: 'no-store' }));
    }
    const representation = this.#represent(question, body, entityTag(body.digest, body.coding));
    this.#queue.chargeBody(representation.bodyBytes);
    this.cache.keep(question, { coding, digest: body.digest, generation, representation });
    return representation;
  }

  #represent(question: Question, body: Omit<CodedBody, 'digest'>, etag: string): Representation {
    const { coding, parts } = body;
    return new Representation({ body: parts, kind: this.#kindOf(question, coding), etag });
  }

  #kindOf({ mediaType, headers }: Question, coding: ContentCoding): ResponseKind {
    const cacheControl = this.#cacheControl;
    if (headers !== undefined) return new ResponseKind({ mediaType, coding, cacheControl, headers });
    const kinds = this.#kinds[coding];
    let kind = kinds.get(mediaType);
    if (kind === undefined) {
      kind = new ResponseKind({ mediaType, coding, cacheControl });
      kinds.set(mediaType, kind);
    }
    return kind;
  }
}

/**
 * Finds out who waits. Nearly all clients that go away close their sending side first, so a client that has done it has gone, as far as
 * large responses and pictures are concerned: those take many turns, or milliseconds each. It may still be there, as after `nc -N`, so
 * small responses are made, which cost no more than to find out.
 */
function demandOf(waiters: readonly Waiter[], workClass: WorkClass): Demand {
  let demand: Demand = 'none';
  for (const { isGone, isHalfClosed } of waiters) {
    if (isGone || (isHalfClosed && workClass !== 'small')) continue;
    if (!isHalfClosed) return 'certain';
    demand = 'possible';
  }
  return demand;
}
