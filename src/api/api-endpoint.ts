/** An endpoint of the interfaces: how it answers, and its description for the OpenAPI document. */
import type { Body, BodyForecast, Endpoint, EndpointRequest, Part } from '../http/endpoint.ts';
import type { ProblemKind } from '../http/problem.ts';
import { parsePluginId } from '../model/identifier.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import type { QueryParameters } from './query.ts';
import type { SchemaName } from './schemas.ts';

/** The options of the interfaces. */
export interface ApiOptions {
  /**
   * True adds `software` and `isGlobal` to plugins, and `idCustom` to charts. interface.md does not have them, but bstats.org sends
   * them, and a few clients need them.
   */
  readonly hasLiveFields: boolean;
}

/** The media type of a 200 response, unless the endpoint says another. */
export const jsonMediaType = 'application/json; charset=utf-8';

/** The media type of CSV whose first row names the columns (RFC 4180 3). */
export const csvMediaType = 'text/csv; charset=utf-8; header=present';

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
  /** Its errors, apart from those that every endpoint has and those that follow from its path. */
  readonly problems?: readonly ProblemKind[];
}

/** An endpoint of the interface with its description. */
export interface ApiEndpoint extends Endpoint, EndpointDescription {}

/** An endpoint whose body is read from one state of the store. */
interface EndpointDefinition<Asked extends object>
  extends EndpointDescription,
    Pick<Body, 'source' | 'size'> {
  /**
   * Parses what decides the response: requests with the same values have the same one.
   * @throws AppError `invalid` for a malformed parameter, `not_found` for one that nothing can have.
   */
  readonly parse: (request: EndpointRequest) => Asked;
  /** Renders the body in parts, as {@link Body.parts} does. */
  readonly render: (view: MetricsView, asked: Asked, forecast: BodyForecast) => AsyncIterable<Part>;
}

/** Makes an endpoint. */
export function apiEndpoint<Asked extends object>({
  parse,
  render,
  source,
  size,
  ...description
}: EndpointDefinition<Asked>): ApiEndpoint {
  const { path, mediaType = jsonMediaType } = description;
  return {
    ...description,
    ask: (request) => {
      const asked = parse(request);
      return {
        key: path + JSON.stringify(asked),
        mediaType,
        source,
        size,
        parts: (reader, forecast) => reader.snapshot((view) => render(view, asked, forecast)),
      };
    },
  };
}

/**
 * Parses the plugin in a path.
 * @throws AppError `invalid` for anything but decimal digits up to 2^53-1.
 */
export function pluginIn({ params }: EndpointRequest): { readonly pluginId: number } {
  return { pluginId: parsePluginId(params['pluginId']) };
}

/** Renders what the store gives in batches, with commas between: a part for each batch, which is empty for an empty one. */
export async function* renderBatches<Item>(
  batches: AsyncIterable<readonly Item[]>,
  {
    before,
    render,
    after,
  }: { readonly before: string; readonly render: (item: Item) => string; readonly after: string },
): AsyncGenerator<string> {
  let part = before;
  let separator = '';
  for await (const batch of batches) {
    for (const item of batch) {
      part += separator + render(item);
      separator = ',';
    }
    yield part;
    part = '';
  }
  yield part + after;
}
