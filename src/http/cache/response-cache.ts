/** Cached responses, within a budget of bytes; a change of the store makes those that it concerns stale. */
import { LRUCache } from 'lru-cache';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { Question } from '../endpoint.ts';
import type { Representation } from '../representation.ts';
import { type ContentCoding, contentCodings } from './content-coding.ts';
import { entityTag } from './entity-tag.ts';

// An entry costs more than its bytes: the objects around them, its place in the table, and what allocator and garbage collector hold
// for bytes that come and go. Measured as the resident memory that a larger cache takes under a mixed load.
const entryOverheadBytes = 2800;
const overheadFactor = 2.8;

/** A response that takes more than this part of the budget is not kept; its entity tag is. */
const maxShare = 0.25;

/** Age limit of a known generation. Asking costs 2 µs, and an import takes longer than this from its commit to saying that it ended. */
const maxUncheckedMs = 1;

/** What is known of one response in one coding. */
export interface CacheEntry {
  readonly generation: number;
  readonly etag: string;
  /** Undefined for one that is too large to be kept. */
  readonly representation: Representation | undefined;
}

/** What a cache needs. */
export interface ResponseCacheOptions {
  readonly reader: MetricsReader;
  /** How much the cached responses may take. */
  readonly budgetBytes: number;
}

/** Responses by question and content coding. */
export class ResponseCache {
  readonly #reader: MetricsReader;
  readonly #maxKeptBytes: number;
  readonly #entries: LRUCache<string, CacheEntry>;
  #generations = { catalogue: Number.NaN, data: Number.NaN };
  #checkedAt = Number.NEGATIVE_INFINITY;
  #turnStartedAt = Number.NEGATIVE_INFINITY;
  #askedAt = 0;
  #changeCount = 0;
  readonly #endTurn = () => {
    this.#turnStartedAt = Number.NEGATIVE_INFINITY;
  };

  constructor({ reader, budgetBytes }: ResponseCacheOptions) {
    this.#reader = reader;
    this.#maxKeptBytes = budgetBytes * maxShare;
    this.#entries = new LRUCache({ maxSize: budgetBytes });
  }

  /** How many responses are cached, stale ones included until others take their place. */
  get entryCount(): number {
    return this.#entries.size;
  }

  /** What they take, in bytes. */
  get sizeBytes(): number {
    return this.#entries.calculatedSize;
  }

  /** How often a request has met a store that had changed. */
  get changeCount(): number {
    return this.#changeCount;
  }

  /** How long the turn of the event loop had taken when the generation was last asked for, in milliseconds. */
  get turnMs(): number {
    return this.#askedAt - this.#turnStartedAt;
  }

  /**
   * The generation of a part of the store, at most a millisecond old.
   * @throws what the reader throws.
   */
  generation(source: Question['source']): number {
    const now = performance.now();
    this.#askedAt = now;
    if (now - this.#checkedAt > maxUncheckedMs) {
      const data = this.#reader.generation('data');
      // The catalogue never changes without the data's generation changing too.
      if (data !== this.#generations.data) {
        if (!Number.isNaN(this.#generations.data)) this.#changeCount++;
        this.#generations = { catalogue: this.#reader.generation('catalogue'), data };
      }
      this.#checkedAt = now;
    }
    if (this.#turnStartedAt === Number.NEGATIVE_INFINITY) {
      this.#turnStartedAt = now;
      setImmediate(this.#endTurn);
    }
    return this.#generations[source];
  }

  /** What is cached for a question; throws what the reader throws. */
  find(question: Question, coding: ContentCoding): CacheEntry | undefined {
    const generation = this.generation(question.source);
    const entry = this.#entries.get(cacheKey(question, coding));
    return entry?.generation === generation ? entry : undefined;
  }

  /** Keeps a response that was made when the store had this generation, if it still has. */
  keep(
    question: Question,
    made: {
      readonly coding: ContentCoding;
      readonly digest: string;
      readonly generation: number;
      readonly representation: Representation;
    },
  ): void {
    const { coding, digest, generation, representation } = made;
    if (generation !== this.generation(question.source)) return;
    const { bodyBytes, etag } = representation;
    if (bodyBytes <= this.#maxKeptBytes) {
      const size = Math.ceil(bodyBytes * overheadFactor) + entryOverheadBytes;
      this.#entries.set(cacheKey(question, coding), { generation, etag, representation }, { size });
      return;
    }
    // With its tag, a client that has the response already gets its 304 in whatever coding.
    for (const one of contentCodings) {
      const entry = { generation, etag: entityTag(digest, one), representation: undefined };
      if (this.find(question, one) === undefined)
        this.#entries.set(cacheKey(question, one), entry, { size: entryOverheadBytes });
    }
  }
}

/** A response in one coding by name. */
export function cacheKey(question: Question, coding: ContentCoding): string {
  return coding === 'identity' ? question.key : `${question.key} ${coding}`;
}
