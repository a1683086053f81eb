/** What an endpoint is: a path, and what of a request decides its answer. */
import type { MetricsReader } from '../model/metrics-reader.ts';

/** What the target of a request says, decoded but not yet judged. */
export interface EndpointRequest {
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Query parameters by name; an array where one is given more than once. */
  readonly searchParams: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Where the server is for the client, such as `https://metrics.example.org`; empty where that is not known. */
  readonly origin: string;
}

/** A body, or a part of one, as text or as UTF-8. The bytes belong to the caller. */
export type BodyPart = string | Uint8Array;

/** The answer that what was asked for has another address for good (308). */
export class Redirect {
  /** A path of this server with its query, percent-encoded. */
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** An answer that is decided but not yet read. */
export type Question = {
  /**
   * Requests with the same key have the same answer. It is the shortest target that asks for it: the path
   * without a slash at the end, and query parameters only where they are not the default.
   */
  readonly key: string;
  readonly mediaType: string;
  /** What the answer is made of: it stays right until this part of the store changes. */
  readonly source: 'catalogue' | 'data';
  /** Headers of the 200 beside those that every one has, names and values in turn. */
  readonly headers?: readonly string[];
  /** The origin of the request, where it stands in the body: it is then part of the key. */
  readonly origin?: string;
} & (
  | {
      readonly isLarge: false;
      /**
       * Reads the body, or finds that it has another address; rejects with what the reader throws. `isWanted` says whether a
       * client still waits: what has to wait itself need not be made where none does.
       */
      readonly read: (reader: MetricsReader, isWanted: () => boolean) => Promise<BodyPart | Redirect>;
    }
  | {
      /** It may take more than a millisecond, so that others are answered between its parts. */
      readonly isLarge: true;
      /**
       * The body in parts, none of which takes more than a millisecond or some hundred kilobytes; or nothing but its other
       * address.
       */
      readonly readParts: (reader: MetricsReader) => AsyncIterable<BodyPart | Redirect>;
    }
);

/** One path that is served. */
export interface Endpoint {
  /** The path with its parameters in braces, such as `/api/v1/plugins/{pluginId}`. */
  readonly path: string;
  /** @throws AppError `invalid` for a malformed parameter, `not_found` for one that nothing can have. */
  readonly ask: (request: EndpointRequest) => Question;
}
