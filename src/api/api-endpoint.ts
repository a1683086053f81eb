/** An endpoint of the interfaces: how it answers, its query parameters, and the description of both for the OpenAPI document. */
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
import { parsePluginId } from '../model/identifier.ts';
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

/** The options of the interfaces. */
export interface ApiOptions {
  /**
   * True adds `software` and `isGlobal` to plugins, and `idCustom` to charts. interface.md does not have them, but bstats.org sends
   * them, and a few clients need them.
   */
  readonly hasLiveFields: boolean;
  /** Public address of the server; its root, as clients see it, where nobody has set one. */
  readonly publicUrl?: string | undefined;
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
  /** Left out where the summary says it all. */
  readonly description?: string;
  /** The query parameters that it takes. */
  readonly parameters?: ParametersOfQuery;
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
interface EndpointDefinition<Asked extends object> extends EndpointDescription, Pick<ResponseBody, 'source'> {
  readonly size: BodySize | ((asked: Asked) => BodySize);
  /**
   * Parses what decides the response: requests with the same values have the same one.
   * @throws AppError `invalid` for a malformed parameter, `not_found` for one that nothing can have.
   */
  readonly parse: (request: EndpointRequest) => Asked;
  /** Renders the body in parts while the view is open, as {@link ResponseBody.parts} does. */
  readonly render?: (view: MetricsView, asked: Asked, forecast: BodyForecast) => AsyncIterable<BodyPart>;
  /** Loads what the body is made of; its parts are rendered when the view has ended. Given where `render` is not. */
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

/** One query parameter: one definition, for parsing and for the OpenAPI document. */
export interface QueryParameter<Value, Fallback = Value> extends Parameter<Value> {
  readonly description: string;
  /** Schema of its value. */
  readonly schema: object;
  /** Value of a parameter that is left out or blank. */
  readonly fallback: Fallback;
  readonly isRequired?: boolean;
}

/** The query parameters of an endpoint, by name. */
export type ParametersOfQuery = Readonly<Record<string, QueryParameter<unknown, unknown>>>;

/** The values of some parameters. */
export type QueryValues<Parameters extends ParametersOfQuery> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends QueryParameter<infer Value, infer Fallback>
    ? Value | Fallback
    : never;
};

/**
 * Parses a query of the second interface.
 * @throws AppError `invalid` for a parameter that is not allowed, given twice, or not known: that is most likely a mistake.
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

/** The error for a query whose parameters do not fit together. */
export function malformed(message: string): AppError {
  return new AppError('malformed-query', message);
}

/** A parameter that is one of some words. */
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

/** A parameter that is `true` or `false`. */
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

/** The parameter of CSV answers. */
export const csvParameters = {
  bom: yesOrNo(
    false,
    '`true` for a byte order mark at the beginning, by which spreadsheets recognize UTF-8.',
  ),
};

/** A parameter of decimal digits within bounds; `allowed` says them in other words. */
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

/** A parameter that is a time. */
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
