/** Keeps bodies of responses for conditional requests. */

/** A body with its entity tag. */
interface KeptBody {
  /** The query of the request. */
  readonly query: string;
  readonly entityTag: string;
  readonly json: Uint8Array;
}

/** Budget for all bodies together. */
const defaultMaxBytes = 64 * 1024 * 1024;

/** Memory of a body in addition to its bytes. */
const overheadBytes = 1024;

/** An entity tag (RFC 9110 8.8.3) of a length that servers send. */
const tagPattern = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]{0,200}"$/;

/**
 * The latest body of each path, from run to run. Bodies are kept in memory alone: storing them would only save one transfer
 * at each start. When the budget is used up, nothing more is kept: each run asks in the same order, so dropping the oldest would
 * drop each body shortly before its next use.
 */
export class KeptBodies {
  readonly #maxBytes: number;
  readonly #bodies = new Map<string, KeptBody>();
  #sizeBytes = 0;

  /** @param maxBytes the budget. */
  constructor(maxBytes: number = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Finds the body for a path and a query. */
  find(path: string, query: string): KeptBody | undefined {
    const body = this.#bodies.get(path);
    return body?.query === query ? body : undefined;
  }

  /** Replaces the body of a path. A body without a tag is not kept. */
  keep(
    path: string,
    { entityTag, ...body }: Omit<KeptBody, 'entityTag'> & { readonly entityTag: string | null },
  ) {
    this.drop(path);
    if (entityTag === null || !tagPattern.test(entityTag)) return;
    const sizeBytes = sizeOf(body);
    if (this.#sizeBytes + sizeBytes > this.#maxBytes) return;
    this.#sizeBytes += sizeBytes;
    this.#bodies.set(path, { ...body, entityTag });
  }

  /** Forgets the body of a path. */
  drop(path: string): void {
    const body = this.#bodies.get(path);
    if (body === undefined) return;
    this.#sizeBytes -= sizeOf(body);
    this.#bodies.delete(path);
  }
}

function sizeOf({ json }: Pick<KeptBody, 'json'>): number {
  return json.length + overheadBytes;
}
