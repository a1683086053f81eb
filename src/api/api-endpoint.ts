/** An endpoint of the interface: what is served, and what the OpenAPI document says of it. */
import type { Endpoint } from '../http/endpoint.ts';
import type { ProblemKind } from '../http/problem.ts';
import type { SchemaName } from './schemas.ts';

/** The media type of every good answer. */
export const jsonMediaType = 'application/json; charset=utf-8';

/** What the OpenAPI document says of one path. */
export interface EndpointDescription {
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
}

/** One endpoint of the interface. */
export interface ApiEndpoint extends Endpoint, EndpointDescription {}
