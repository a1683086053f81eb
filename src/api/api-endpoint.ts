/** An endpoint of the interface, with its description for the OpenAPI document. */
import type { Endpoint } from '../http/endpoint.ts';
import type { ProblemKind } from '../http/problem.ts';
import type { QueryParameters } from './query.ts';
import type { SchemaName } from './schemas.ts';

/** The media type of every 200 response. */
export const jsonMediaType = 'application/json; charset=utf-8';

/** The description of one path in the OpenAPI document. */
export interface EndpointDescription {
  /** The path as OpenAPI writes it, such as `/api/v1/plugins/{pluginId}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The query parameters that it takes. */
  readonly parameters?: QueryParameters;
  /** Name of the schema of the 200 response. */
  readonly schema: SchemaName;
  /** Media type of the 200 response if it is not JSON. */
  readonly mediaType?: string;
  /** Its errors, apart from those of every endpoint. */
  readonly problems: readonly ProblemKind[];
}

/** An endpoint of the interface with its description. */
export interface ApiEndpoint extends Endpoint, EndpointDescription {}
