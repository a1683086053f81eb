/** An endpoint: a path, and how its requests are answered. */
import type { Turns, WorkClass } from './turns.ts';
import type { WorkReader } from './work/work-reader.ts';

/** The target of a request, decoded but not yet checked. */
export interface EndpointRequest {
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Query parameters by name; an array where one is given more than once. */
  readonly searchParams: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Address of the server as the client knows it, such as `https://metrics.example.org`; empty if unknown. */
  readonly origin: string;
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

/** A part of a body, as text or as UTF-8; or a redirect, which is then the only part. The bytes belong to the caller. */
export type Part = string | Uint8Array | Redirect;

/** Facts about a body that are known before it is made. */
export interface BodyForecast {
  /** A size that it surely has, in bytes before its coding; 0 at first. Parts may raise it: a body that is too large to be held is sent at once. */
  minBytes: number;
}

/** A valid request for something, with the way to read its answer. */
export interface Question {
  /**
   * Cache key. Requests with the same key have the same answer. It is the shortest target for it: the path without a slash at the
   * end, and of the query the known parameters that differ from their default.
   */
  readonly key: string;
  readonly mediaType: string;
  /** Part of the store that the answer is read from: the answer is valid until it changes. */
  readonly source: 'catalogue' | 'data';
  /** Left out for an answer that depends on the store alone. False once a cached one is wrong though the store has not changed: time has passed. */
  readonly isValid?: () => boolean;
  /** More headers of the 200, as names and values in turn. */
  readonly headers?: readonly string[];
  /** The origin of the request if the body contains it; it is then part of the key. */
  readonly origin?: string;
  readonly workClass: WorkClass;
  /**
   * Reads the body. Each part takes at most a few milliseconds and 256 KiB; an empty one only ends a turn. Reads that must be of one
   * state go through a snapshot. Throws and rejects as the reader does. An ordinary iterable of small work is taken in one turn.
   */
  readonly parts: (
    reader: WorkReader,
    turns: Turns,
    forecast: BodyForecast,
  ) => Iterable<Part> | AsyncIterable<Part>;
}

/** One path of the server. */
export interface Endpoint {
  /** The path with its parameters in braces, such as `/api/v1/plugins/{pluginId}`. */
  readonly path: string;
  /** @throws AppError `invalid` for a malformed parameter, `not_found` for one that nothing can have. */
  readonly ask: (request: EndpointRequest) => Question;
}
