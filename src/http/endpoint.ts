/** An endpoint: a path, and how its requests are answered. */
import type { Turns, WorkClass } from './turns.ts';
import type { WorkReader } from './work/work-reader.ts';

/** What the target of a request says, decoded but not yet judged. */
export interface EndpointRequest {
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Query parameters by name; an array where one is given more than once. */
  readonly searchParams: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Where the server is for the client, such as `https://metrics.example.org`; empty where that is not known. */
  readonly origin: string;
}

/** The answer that what was asked for has another address: for good (308), or for now (302). */
export class Redirect {
  /** A path of this server with its query, percent-encoded. */
  readonly location: string;
  readonly status: 302 | 308;

  constructor(location: string, status: 302 | 308 = 308) {
    this.location = location;
    this.status = status;
  }
}

/** A part of a body, as text or as UTF-8; or a redirect, as the only part. The bytes belong to the caller. */
export type Part = string | Uint8Array | Redirect;

/** An answer that is decided but not yet read. */
export interface Question {
  /**
   * Requests with the same key have the same answer. It is the shortest target that asks for it: the path
   * without a slash at the end, and of the query the known parameters that are not the default.
   */
  readonly key: string;
  readonly mediaType: string;
  /** What the answer is made of: it stays right until this part of the store changes. */
  readonly source: 'catalogue' | 'data';
  /** Headers of the 200 beside those that every one has, names and values in turn. */
  readonly headers?: readonly string[];
  /** The origin of the request, where it stands in the body: it is then part of the key. */
  readonly origin?: string;
  readonly workClass: WorkClass;
  /**
   * The body. Each part takes a few milliseconds and 256 KiB at most; an empty one only ends a turn. Several reads that must
   * show one state go through a snapshot. Rejects as the reader does.
   */
  readonly parts: (reader: WorkReader, turns: Turns) => AsyncIterable<Part>;
}

/** One path that is served. */
export interface Endpoint {
  /** The path with its parameters in braces, such as `/api/v1/plugins/{pluginId}`. */
  readonly path: string;
  /** @throws AppError `invalid` for a malformed parameter, `not_found` for one that nothing can have. */
  readonly ask: (request: EndpointRequest) => Question;
}
