/** Bodies of responses, to be asked for again with their entity tags. */

/** A body with its tag. */
export interface KeptBody {
  /** The query that it answers. */
  readonly query: string;
  readonly entityTag: string;
  readonly json: Uint8Array;
}

/** Budget for all bodies together. */
const defaultMaxBytes = 64 * 1024 * 1024;

/** Cost of a body beside its bytes. */
const overheadBytes = 1024;

/** An entity tag (RFC 9110 8.8.3) of a length that servers send. */
const tagPattern = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]{0,200}"$/;

/**
 * The latest body of each path, from visit to visit. They are kept in memory alone: in a store they would be one more thing
 * that can be wrong, to spare one transfer at each start. Where the budget is used up nothing more is kept: to drop the
 * oldest would drop each of them shortly before it is asked for again.
 */
export class KeptBodies {
  readonly #maxBytes: number;
  readonly #bodies = new Map<string, KeptBody>();
  #sizeBytes = 0;

  /** @param maxBytes the budget. */
  constructor(maxBytes: number = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  /** The body that answers this query at this path. */
  find(path: string, query: string): KeptBody | undefined {
    const body = this.#bodies.get(path);
    return body?.query === query ? body : undefined;
  }

  /** Keeps a body in the place of the one before; without a tag it is of no use. */
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
