/** An endpoint: a path, and how the bodies of its responses are made. */
import type { Links } from '../model/links.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { Query } from '../model/parameter.ts';

/** The target of a request, decoded but not yet checked. */
export interface EndpointRequest {
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly searchParams: Query;
  readonly links: Links;
}

/** A redirect, permanent (308) or temporary (302). */
export class Redirect {
  /** A path of this server with its query, percent-encoded. */
  readonly location: string;
  readonly status: 302 | 308;

  constructor(location: string, status: 302 | 308 = 308) {
    this.location = location;
    this.status = status;
  }
}

/**
 * A part of a body, as text or as UTF-8; or a redirect, which is then the only part. The bytes belong to the
 * caller.
 */
export type BodyPart = string | Uint8Array | Redirect;

/** Facts about a body that are known before it is made. */
export interface BodyForecast {
  /**
   * Lower bound on the uncompressed size in bytes, at first 0; renderers raise it so that oversized bodies
   * stream at once.
   */
  minBytes: number;
}

/**
 * Work for a body: `small` takes some milliseconds at most; `large` takes longer, or much memory, and waits
 * in a queue of its own.
 */
export type BodySize = 'small' | 'large';

/** The body of a response: what it depends on, and how it is made. */
export interface ResponseBody {
  /** Cache key: the path and the parsed query. Requests with the same key have the same response. */
  readonly key: string;
  readonly mediaType: string;
  /** Part of the store that the body is read from; the body is valid until that part changes. */
  readonly source: 'catalogue' | 'data';
  /** The `Cache-Control` of the 200 and the 304; left out for the usual one of responses from the store. */
  readonly cacheControl?: string;
  /** More headers of the 200, as names and values in turn. */
  readonly headers?: readonly string[];
  /** The address of the server if the body contains it; it is then part of the key. */
  readonly server?: string;
  readonly size: BodySize;
  /**
   * Reads the body. Each part takes at most a few milliseconds and 256 KiB; an empty part only ends a turn.
   * Reads that must see one state share a view. Throws and rejects as the reader does.
   */
  readonly parts: (
    reader: MetricsReader,
    forecast: BodyForecast,
  ) => Iterable<BodyPart> | AsyncIterable<BodyPart> | Promise<Iterable<BodyPart>>;
}

/** One path of the server. */
export interface Endpoint {
  /** The path with its parameters in braces, such as `/api/v1/plugins/{pluginId}`. */
  readonly path: string;
  /** @throws AppError `invalid` for a malformed parameter, `not_found` for one that cannot exist. */
  readonly ask: (request: EndpointRequest) => ResponseBody;
}
