/** Cached responses, within a budget of bytes. A change of the store makes those that depend on it stale. */
import { LRUCache } from 'lru-cache';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { ResponseBody } from './endpoint.ts';
import { cachedBytes } from './metrics.ts';
import type { HttpResponse } from './response.ts';

// An entry costs more than its bytes: the objects around them, its place in the table, and what allocator and
// garbage collector hold for bytes that come and go. Measured as the resident memory that a larger cache
// takes under a mixed load.
const entryOverheadBytes = 2800;
const overheadFactor = 2.8;

/** Share of the budget up to which a response is cached. */
const maxShare = 0.25;

/**
 * Age limit of a known generation. Asking costs at least 4 µs, and an import takes longer than this from its
 * commit to its last message.
 */
const maxUncheckedMs = 1;

/** A cached response. */
interface CacheEntry {
  readonly generation: number;
  readonly response: HttpResponse;
}

/** Responses by key and content coding. */
export class ResponseCache {
  readonly #reader: MetricsReader;
  readonly #maxKeptBytes: number;
  readonly #entries: LRUCache<string, CacheEntry>;
  #generations = { catalogue: Number.NaN, data: Number.NaN };
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** @param budgetBytes memory for cached responses. */
  constructor(reader: MetricsReader, budgetBytes: number) {
    this.#reader = reader;
    this.#maxKeptBytes = budgetBytes * maxShare;
    this.#entries = new LRUCache({ maxSize: budgetBytes });
  }

  /**
   * Returns the generation of a part of the store, at most a millisecond old.
   * @throws as the reader does.
   */
  generation(source: ResponseBody['source']): number {
    const now = performance.now();
    if (now - this.#checkedAt > maxUncheckedMs) {
      const data = this.#reader.generation('data');
      // The catalogue never changes without the data's generation changing too.
      if (data !== this.#generations.data)
        this.#generations = { catalogue: this.#reader.generation('catalogue'), data };
      this.#checkedAt = now;
    }
    return this.#generations[source];
  }

  /** Finds the cached response of a key, if it is of this generation. */
  find(key: string, generation: number): HttpResponse | undefined {
    const entry = this.#entries.get(key);
    return entry?.generation === generation ? entry.response : undefined;
  }

  /** Caches a response made at a generation of a part of the store, if that generation is still current. */
  keep(key: string, { source }: ResponseBody, { generation, response }: CacheEntry): void {
    const { bodyBytes } = response;
    if (bodyBytes > this.#maxKeptBytes || generation !== this.generation(source)) return;
    const size = Math.ceil(bodyBytes * overheadFactor) + entryOverheadBytes;
    this.#entries.set(key, { generation, response }, { size });
    cachedBytes.set(this.#entries.calculatedSize);
  }
}
