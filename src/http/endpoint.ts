/** What an endpoint is: a path, what it answers, and what of the request decides the answer. */

import type { SchemaName } from '../api/schemas.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { ProblemKind } from './problem.ts';

/** What a request to an endpoint carries, decoded but not yet judged. */
export interface EndpointRequest {
  /** Path parameters; one that the path does not have is `''`. */
  readonly pluginId: string;
  readonly chartId: string;
  /** The query as it came, without the question mark. */
  readonly query: string;
}

/** An answer that is decided but not yet read. */
export interface Question {
  /**
   * Requests with the same key have the same answer. It is the shortest target that asks for it: the path
   * without a slash at the end, and `maxElements` in plain digits where it is not the default.
   */
  readonly key: string;
  /** Whether the answer may take milliseconds to make. */
  readonly isHeavy?: boolean;
  /** Reads what the body is made of. */
  readonly read: (reader: MetricsReader) => Promise<Rendering>;
}

/** A body that is still to be written: compact JSON, as text or as UTF-8. */
export interface Rendering {
  /** All of it. Bytes hold until the next body is rendered. */
  readonly whole: () => string | Uint8Array;
  /** The same in slices, where that can be much; each holds until the next slice of any body is rendered. */
  readonly slices?: () => Iterable<Uint8Array>;
}

/** One endpoint of the interface. */
export interface Endpoint {
  /** The path as OpenAPI writes it, such as `/api/v1/plugins/{pluginId}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Whether the endpoint knows the query parameter `maxElements`. */
  readonly takesMaxElements?: boolean;
  /** Name of the schema of the 200 answer. */
  readonly schema: SchemaName;
  /** The errors of its own, beside those that any request can meet. */
  readonly problems: readonly ProblemKind[];
  /** @throws AppError `invalid` for a malformed parameter. */
  readonly ask: (request: EndpointRequest) => Question;
}
