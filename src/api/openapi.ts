/** The OpenAPI document (3.1), derived from the values that the server uses. */
import { Directories } from '../directory/directories.ts';
import { openapiPath, type ProblemKind, problemMediaType, problems } from '../http/problem.ts';
import type { EndpointDescription } from './api-endpoint.ts';
import type { ApiOptions } from './api-options.ts';
import { schemasFor } from './schemas.ts';
import { listV1Endpoints } from './v1/routes.ts';
import { listV2Endpoints } from './v2/routes.ts';

/** The errors of every endpoint. */
const commonProblems: readonly ProblemKind[] = [
  'undecodable-path',
  'malformed-request',
  'request-timeout',
  'uri-too-long',
  'too-many-requests',
  'headers-too-large',
  'internal-error',
  'overloaded',
  'store-unavailable',
];

/** The document as text. */
export function openapiJson(options: ApiOptions): string {
  return JSON.stringify(openapiDocument(options));
}

/** The document. */
export function openapiDocument(options: ApiOptions) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plugin metrics',
      version: '1',
      description:
        'A read-only interface for the metrics of plugins, made to be embedded. No authentication; every path answers ' +
        'with and without one trailing slash. `/api/v1` is the interface that bStats has; `/api/v2` has what it cannot say. ' +
        'A query parameter that is not known is ignored in the first, and refused in the second. ' +
        'Every path answers `HEAD` as `GET`, without the body, and `OPTIONS` with 204 and the headers of a CORS preflight; other methods answer 405. ' +
        'Any origin may read all responses. A 200 has a strong `ETag` and `Cache-Control`, and is compressed as `Accept-Encoding` asks; one of more ' +
        `than 16 MiB is sent as it is made, without both. 429 and 503 have \`Retry-After\`.${options.hasLiveFields ? aboutLiveFields : ''}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    paths: Object.fromEntries(
      [...listV1Endpoints(options), ...listV2Endpoints(new Directories()), itself].map((endpoint) => [
        endpoint.path,
        pathItem(endpoint),
      ]),
    ),
    components: {
      schemas: schemasFor(options),
      responses: Object.fromEntries(
        Object.entries(problems).map(([kind, { title }]) => [kind, problemResponse(title)]),
      ),
      parameters: pathParameters,
    },
  };
}

const aboutLiveFields =
  ' A plugin also has `software` and `isGlobal`, and a chart `idCustom`, its chart id: the three fields that bstats.org adds.';

const itself: EndpointDescription = {
  path: openapiPath,
  operationId: 'getOpenapi',
  summary: 'This document',
  description: 'The description of the interface in OpenAPI 3.1.',
  schema: 'OpenapiDocument',
  problems: [],
};

function pathItem(endpoint: EndpointDescription) {
  const { path, operationId, summary, description, schema, mediaType = 'application/json' } = endpoint;
  const inPath = (['pluginId', 'chartId'] as const).filter((name) => path.includes(`{${name}}`));
  const inQuery = Object.entries(endpoint.parameters ?? {}).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: parameter.isRequired === true,
    description: parameter.description,
    schema: parameter.schema,
  }));
  const content = { [mediaType]: { schema: { $ref: `#/components/schemas/${schema}` } } };
  return {
    parameters: [...inPath.map((name) => ({ $ref: `#/components/parameters/${name}` })), ...inQuery],
    get: {
      operationId,
      summary,
      description,
      responses: {
        200: { description: summary, content },
        304: { description: 'The client has this response already' },
        ...problemResponses([...endpoint.problems, ...commonProblems]),
      },
    },
  };
}

const pathParameters = {
  pluginId: {
    name: 'pluginId',
    in: 'path',
    required: true,
    description: 'The id of a plugin: decimal digits, at most 2^53-1.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  },
  chartId: {
    name: 'chartId',
    in: 'path',
    required: true,
    description: 'A key of the chart registry, case-sensitive.',
    schema: { type: 'string' },
  },
};

/** Responses by status; several kinds of errors with one status are one response. */
function problemResponses(kinds: readonly ProblemKind[]) {
  const byStatus = Map.groupBy(kinds, (kind) => problems[kind].status);
  return Object.fromEntries(
    [...byStatus].map(([status, [first, ...others]]) => {
      if (first !== undefined && others.length === 0)
        return [status, { $ref: `#/components/responses/${first}` }];
      const titles = [first, ...others].map((kind) => (kind === undefined ? '' : problems[kind].title));
      return [status, problemResponse(titles.join(', or ').toLowerCase())];
    }),
  );
}

function problemResponse(description: string) {
  const [mediaType = ''] = problemMediaType.split(';');
  return { description, content: { [mediaType]: { schema: { $ref: '#/components/schemas/Problem' } } } };
}
