/** Cached responses, within a budget of bytes. A change of the store makes those that depend on it stale. */
import { LRUCache } from 'lru-cache';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { Question } from '../endpoint.ts';
import { cachedBytes } from '../metrics.ts';
import type { Representation } from '../representation.ts';
import { type ContentCoding, contentCodings } from './content-coding.ts';
import { entityTag } from './entity-tag.ts';

// An entry costs more than its bytes: the objects around them, its place in the table, and what allocator and garbage collector hold
// for bytes that come and go. Measured as the resident memory that a larger cache takes under a mixed load.
const entryOverheadBytes = 2800;
const overheadFactor = 2.8;

/** Share of the budget up to which a response is cached; of larger ones only the entity tag is. */
const maxShare = 0.25;

/** Age limit of a known generation. Asking costs 4 µs and more, and an import takes longer than this from its commit to saying that it ended. */
const maxUncheckedMs = 1;

/** The clock, read from its global name once: that is a getter, and takes longer than the clock. */
const { performance: clock } = globalThis;

/** A cached response in one coding. */
interface CacheEntry {
  readonly generation: number;
  /** Undefined for a response that is sent as it is made. */
  readonly etag: string | undefined;
  readonly isValid: Question['isValid'];
  /** Undefined for a response that is too large to be cached. */
  readonly representation: Representation | undefined;
}

/** A response that was made at a generation of the store. */
interface MadeResponse {
  readonly coding: ContentCoding;
  readonly digest: string;
  readonly generation: number;
  readonly representation: Representation;
}

/** Options of {@link ResponseCache}. */
interface ResponseCacheOptions {
  readonly reader: MetricsReader;
  /** Memory for cached responses. */
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
  readonly #endTurn = () => {
    this.#turnStartedAt = Number.NEGATIVE_INFINITY;
  };

  constructor({ reader, budgetBytes }: ResponseCacheOptions) {
    this.#reader = reader;
    this.#maxKeptBytes = budgetBytes * maxShare;
    this.#entries = new LRUCache({ maxSize: budgetBytes });
  }

  /** Time from the start of this turn of the event loop to the latest look at the generation. */
  get turnMs(): number {
    return this.#askedAt - this.#turnStartedAt;
  }

  /**
   * The generation of a part of the store, at most a millisecond old.
   * @throws as the reader does.
   */
  generation(source: Question['source']): number {
    const now = clock.now();
    this.#askedAt = now;
    if (now - this.#checkedAt > maxUncheckedMs) {
      const data = this.#reader.generation('data');
      // The catalogue never changes without the data's generation changing too.
      if (data !== this.#generations.data)
        this.#generations = { catalogue: this.#reader.generation('catalogue'), data };
      this.#checkedAt = now;
    }
    if (this.#turnStartedAt === Number.NEGATIVE_INFINITY) {
      this.#turnStartedAt = now;
      setImmediate(this.#endTurn);
    }
    return this.#generations[source];
  }

  /** Finds the cached response to a question, if it is of this generation and valid. While the store is unreachable, there is nothing better. */
  find(question: Question, coding: ContentCoding, generation: number): CacheEntry | undefined {
    const entry = this.#entries.get(cacheKey(question, coding));
    if (entry?.generation !== generation) return undefined;
    if (entry.isValid === undefined || entry.isValid()) return entry;
    return this.#reader.unreachableMs() > 0 ? entry : undefined;
  }

  /** Caches a response that was made at a generation of the store, if that is still the present one. */
  keep(question: Question, made: MadeResponse): void {
    if (made.generation !== this.generation(question.source)) return;
    this.#add(question, made);
    cachedBytes.set(this.#entries.calculatedSize);
  }

  #add(question: Question, { coding, digest, generation, representation }: MadeResponse): void {
    const { bodyBytes, etag } = representation;
    const { isValid } = question;
    if (bodyBytes <= this.#maxKeptBytes) {
      const size = Math.ceil(bodyBytes * overheadFactor) + entryOverheadBytes;
      this.#entries.set(cacheKey(question, coding), { generation, etag, isValid, representation }, { size });
      return;
    }
    // With the tag, a client that already has the response gets its 304 in any coding.
    this.#note(question, generation, (one) => entityTag(digest, one));
  }

  /** Notes that the response at this generation has to be sent as it is made, in any coding. */
  noteStream(question: Question, generation: number): void {
    if (generation === this.generation(question.source)) this.#note(question, generation, () => undefined);
  }

  /** Keeps what is known of a response that is not cached, unless it is cached in another coding. */
  #note(question: Question, generation: number, tagOf: (coding: ContentCoding) => string | undefined): void {
    for (const one of contentCodings) {
      const entry = { generation, etag: tagOf(one), isValid: question.isValid, representation: undefined };
      if (this.find(question, one, generation) === undefined)
        this.#entries.set(cacheKey(question, one), entry, { size: entryOverheadBytes });
    }
  }
}

/** Names a response in one coding. */
export function cacheKey(question: Question, coding: ContentCoding): string {
  return coding === 'identity' ? question.key : `${question.key} ${coding}`;
}
