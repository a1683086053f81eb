/**
 * Defines API endpoints: their query parameters, their responses, and the description of both for the OpenAPI
 * document.
 */
import type {
  BodyForecast,
  BodyPart,
  BodySize,
  Endpoint,
  EndpointRequest,
  ResponseBody,
} from '../http/endpoint.ts';
import type { ProblemKind } from '../http/problem.ts';
import { AppError, quote } from '../model/app-error.ts';
import { parsePluginId } from '../model/catalogue.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import {
  anyTime,
  digitsFrom,
  oneOf,
  type Parameter,
  parseParameter,
  type Query,
} from '../model/parameter.ts';
import type { SchemaName } from './schemas.ts';

/** Options of the API. */
export interface ApiOptions {
  /**
   * True adds `software` and `isGlobal` to plugins, and `idCustom` to charts: interface.md lacks these
   * fields, but bstats.org sends them and a few clients need them.
   */
  readonly hasLiveFields: boolean;
  /** Public URL of the server; by default `/`, which clients resolve against the address of the document. */
  readonly publicUrl?: string | undefined;
}

/** Default media type of a 200 response. */
export const jsonMediaType = 'application/json; charset=utf-8';

/** Media type of CSV whose first row names the columns (RFC 4180 3). */
export const csvMediaType = 'text/csv; charset=utf-8; header=present';

/** Description of one path in the OpenAPI document. */
export interface EndpointDescription {
  /** Path in OpenAPI notation, such as `/api/v1/plugins/{pluginId}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Omitted if the summary is enough. */
  readonly description?: string;
  /** Query parameters of the endpoint. */
  readonly parameters?: ParametersOfQuery;
  /** Name of the response schema. */
  readonly schema: SchemaName;
  /** Media type of the 200 response, if not JSON. */
  readonly mediaType?: string;
  /** Errors of this endpoint, besides those common to all endpoints and those that follow from its path. */
  readonly problems?: readonly ProblemKind[];
}

/** An API endpoint with its description. */
export interface ApiEndpoint extends Endpoint, EndpointDescription {}

/** Definition of an endpoint whose body is read from one view of the store. */
interface EndpointDefinition<Asked extends object> extends EndpointDescription, Pick<ResponseBody, 'source'> {
  readonly size: BodySize | ((asked: Asked) => BodySize);
  /**
   * Parses the request into the values that determine the response: equal values share one cached response.
   * @throws AppError `invalid` for a malformed parameter, `not_found` for a value that cannot exist.
   */
  readonly parse: (request: EndpointRequest) => Asked;
  /** Renders the body in parts while the view is open, like {@link ResponseBody.parts}. */
  readonly render?: (view: MetricsView, asked: Asked, forecast: BodyForecast) => AsyncIterable<BodyPart>;
  /** Alternative to `render`: loads the data of the body; its parts are rendered after the view is closed. */
  readonly load?: (view: MetricsView, asked: Asked) => Promise<Iterable<BodyPart>>;
}

/** Makes an endpoint. */
export function apiEndpoint<Asked extends object>({
  parse,
  render,
  load = async () => [],
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
        size: typeof size === 'function' ? size(asked) : size,
        parts: (reader, forecast) =>
          render === undefined
            ? reader.read((view) => load(view, asked))
            : reader.stream((view) => render(view, asked, forecast)),
      };
    },
  };
}

/**
 * Parses the plugin id in a path.
 * @throws AppError `invalid` for anything but decimal digits up to 2^53-1.
 */
export function pluginIn({ params }: EndpointRequest): { readonly pluginId: number } {
  return { pluginId: parsePluginId(params['pluginId']) };
}

/** Renders batches of items, separated by commas: one part for each batch, even an empty one. */
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

/** Query parameter: one definition for both parsing and the OpenAPI document. */
export interface QueryParameter<Value, Fallback = Value> extends Parameter<Value> {
  readonly description: string;
  /** JSON schema of the value. */
  readonly schema: object;
  /** Value if the parameter is missing or blank. */
  readonly fallback: Fallback;
  readonly isRequired?: boolean;
}

/** Query parameters of an endpoint, by name. */
export type ParametersOfQuery = Readonly<Record<string, QueryParameter<unknown, unknown>>>;

/** Values of query parameters, by name. */
export type QueryValues<Parameters extends ParametersOfQuery> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends QueryParameter<infer Value, infer Fallback>
    ? Value | Fallback
    : never;
};

/**
 * Parses a query of `/api/v2`.
 * @throws AppError `invalid` if a parameter is malformed, repeated or unknown; an unknown one is most likely
 * a mistake.
 */
export function parseQuery<Parameters extends ParametersOfQuery>(
  query: Query,
  parameters: Parameters,
): QueryValues<Parameters> {
  const names = Object.keys(parameters);
  const unknown = Object.keys(query).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'this path has none' : `it has ${names.join(', ')}`;
    throw malformed(`there is no parameter ${quote(unknown)}: ${known}`);
  }
  const values = Object.entries(parameters).map(([name, parameter]) => {
    const { fallback } = parameter;
    return [name, parseParameter(query, name, { parameter, fallback })];
  });
  return Object.fromEntries(values);
}

/** Parses a request of `/api/v2` with the id of a plugin in its path. @throws AppError as its parts do */
export function parseOfPlugin<Parameters extends ParametersOfQuery>(
  request: EndpointRequest,
  parameters: Parameters,
): QueryValues<Parameters> & ReturnType<typeof pluginIn> {
  return { ...parseQuery(request.searchParams, parameters), ...pluginIn(request) };
}

/** Makes the error for parameters that contradict each other. */
export function malformed(message: string): AppError {
  return new AppError('malformed-query', message);
}

/** Defines a parameter with a fixed set of words. */
export function choice<Word extends string, const Fallback>(
  words: readonly Word[],
  fallback: Fallback,
  description: string,
): QueryParameter<Word, Fallback> {
  return {
    ...oneOf(words),
    description,
    schema: withDefault({ type: 'string', enum: words }, fallback),
    fallback,
  };
}

/** Defines a parameter that is `true` or `false`. */
export function yesOrNo<Fallback>(
  fallback: Fallback,
  description: string,
): QueryParameter<boolean, Fallback> {
  return {
    allowed: 'true or false',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    description,
    schema: withDefault({ type: 'boolean' }, fallback),
    fallback,
  };
}

/** Parameter of CSV responses. */
export const csvParameters = {
  bom: yesOrNo(
    false,
    '`true` for a byte order mark at the beginning, by which spreadsheets recognize UTF-8.',
  ),
};

/**
 * Defines a parameter of decimal digits within bounds; `allowed` replaces the usual wording of the bounds.
 */
export function boundedInteger<Fallback>(
  { min, max, ...words }: { readonly min: number; readonly max: number; readonly allowed?: string },
  fallback: Fallback,
  description: string,
): QueryParameter<number, Fallback> {
  return {
    ...digitsFrom(min, max),
    ...words,
    description,
    schema: withDefault({ type: 'integer', minimum: min, maximum: max }, fallback),
    fallback,
  };
}

function withDefault(schema: object, fallback: unknown): object {
  return fallback == null ? schema : { ...schema, default: fallback };
}

/** Defines a parameter that is a time. */
export function timeParameter<Fallback>(
  fallback: Fallback,
  description: string,
): QueryParameter<number, Fallback> {
  return {
    ...anyTime,
    description: `${description} ISO 8601 (UTC without a zone), or Unix milliseconds of 12 digits or more.`,
    schema: { type: 'string' },
    fallback,
  };
}
