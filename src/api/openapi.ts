/** The OpenAPI document (3.1), derived from the values that the server uses. */
import { type ProblemKind, problemMediaType, problems } from '../http/problem.ts';
import { type ApiOptions, type EndpointDescription, jsonMediaType } from './api-endpoint.ts';
import { type SchemaName, schemasFor } from './schemas.ts';

/** Errors common to all endpoints. */
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

/** Errors of all endpoints whose path contains the given part. */
const pathProblems: readonly (readonly [part: string, kinds: readonly ProblemKind[]])[] = [
  ['{pluginId}', ['malformed-plugin-id', 'unknown-plugin']],
  ['{chartId}', ['unknown-chart']],
  // `/api/v2` refuses unknown parameters.
  ['/api/v2/', ['malformed-query']],
];

/** Describes the endpoints in one OpenAPI document. */
export function describeEndpoints(
  endpoints: readonly EndpointDescription[],
  { hasLiveFields, publicUrl = '/' }: ApiOptions,
) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plugin metrics',
      version: '1',
      description:
        'A read-only interface for the metrics of plugins. `/api/v1` is the interface of bStats, and ignores unknown query parameters; ' +
        '`/api/v2` adds what it lacks, and refuses them. Every path works with and without a trailing slash, and with `HEAD` and `OPTIONS`; ' +
        `any origin may read the responses.${hasLiveFields ? aboutLiveFields : ''}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    security: [],
    paths: Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, pathItem(endpoint)])),
    components: {
      schemas: schemasFor(hasLiveFields),
      responses: Object.fromEntries(
        Object.entries(problems).map(([kind, { title }]) => [kind, problemResponse(title)]),
      ),
      parameters: pathParameters,
    },
  };
}

const aboutLiveFields = ' A plugin also has `software` and `isGlobal`, and a chart `idCustom`, its chart id.';

function pathItem(endpoint: EndpointDescription) {
  const { path, operationId, summary, description, schema, mediaType = jsonMediaType } = endpoint;
  const inPath = Object.keys(pathParameters).filter((name) => path.includes(`{${name}}`));
  const inQuery = Object.entries(endpoint.parameters ?? {}).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: parameter.isRequired === true,
    description: parameter.description,
    schema: parameter.schema,
  }));
  const ofPath = pathProblems.flatMap(([part, kinds]) => (path.includes(part) ? kinds : []));
  return {
    parameters: [...inPath.map((name) => ({ $ref: `#/components/parameters/${name}` })), ...inQuery],
    get: {
      operationId,
      summary,
      description,
      responses: {
        200: { description: summary, content: contentOf(mediaType, schema) },
        304: { description: 'Not modified' },
        ...problemResponses([...ofPath, ...(endpoint.problems ?? []), ...commonProblems]),
      },
    },
  };
}

const pathParameters = {
  pluginId: {
    name: 'pluginId',
    in: 'path',
    required: true,
    description: 'The id of a plugin.',
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

/** Groups errors by status: kinds with the same status form one response. */
function problemResponses(kinds: readonly ProblemKind[]) {
  const byStatus = Map.groupBy(kinds, (kind) => problems[kind].status);
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => {
      if (kinds.length === 1) return [status, { $ref: `#/components/responses/${kinds[0]}` }];
      const titles = kinds.map((kind) => problems[kind].title);
      return [status, problemResponse(titles.join('; '))];
    }),
  );
}

function problemResponse(description: string) {
  return { description, content: contentOf(problemMediaType, 'Problem') };
}

function contentOf(mediaType: string, schema: SchemaName) {
  const [withoutParameters = ''] = mediaType.split(';');
  return { [withoutParameters]: { schema: { $ref: `#/components/schemas/${schema}` } } };
}
