/** The OpenAPI document (3.1), derived from the values that the server uses. */
import { Directories } from '../directory/directories.ts';
import {
  allowedMethods,
  openapiPath,
  type ProblemKind,
  problemMediaType,
  problems,
} from '../http/problem.ts';
import type { EndpointDescription } from './api-endpoint.ts';
import type { ApiOptions } from './api-options.ts';
import { type ParameterName, parameters } from './openapi-parameters.ts';
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
        `A query parameter that is not known is ignored in the first, and refused in the second.${options.hasLiveFields ? aboutLiveFields : ''}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(
      [...listV1Endpoints(options), ...listV2Endpoints(new Directories()), itself].map((endpoint) => [
        endpoint.path,
        pathItem(endpoint),
      ]),
    ),
    components: {
      schemas: schemasFor(options),
      responses: Object.fromEntries(problemKinds.map((kind) => [kind, problemResponse(kind)])),
      headers,
      parameters,
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

const problemKinds = Object.keys(problems) as readonly ProblemKind[];

const headers = {
  'Access-Control-Allow-Origin': header('Any origin may read the response.', { const: '*' }),
  'Access-Control-Expose-Headers': header('The headers that pages may read.', { type: 'string' }),
  'Cross-Origin-Resource-Policy': header('Any origin may embed the response.', { const: 'cross-origin' }),
  'Timing-Allow-Origin': header('Any origin may see the timing.', { const: '*' }),
  'X-Content-Type-Options': header('Clients must not guess another media type.', { const: 'nosniff' }),
  'Cache-Control': header('The time for which the response may be cached.', { type: 'string' }),
  ETag: {
    ...header(
      'A strong entity tag made of the bytes of the body; each content coding has its own. A body of more than 16 MiB before its coding is sent as it is made, without one.',
      { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' },
    ),
    required: false,
  },
  Vary: header('The response depends on the content codings that the client accepts.', {
    const: 'Accept-Encoding',
  }),
  'Content-Encoding': {
    ...header('Absent where the body is not compressed.', { enum: ['br', 'gzip', 'zstd'] }),
    required: false,
  },
  Age: {
    ...header('Seconds since the response was last known to be right; only while the store is unreachable.', {
      type: 'string',
      pattern: '^[0-9]+$',
    }),
    required: false,
  },
  'RateLimit-Policy': {
    ...header('The requests that one client may send in a number of seconds, if that is limited.', {
      type: 'string',
      pattern: '^"requests";q=[0-9]+;w=[0-9]+$',
    }),
    required: false,
  },
  RateLimit: {
    ...header('The requests that the client may still send, and the seconds until the count starts again.', {
      type: 'string',
      pattern: '^"requests";r=[0-9]+;t=[0-9]+$',
    }),
    required: false,
  },
  Allow: header('The methods of every path.', { const: allowedMethods }),
  'Retry-After': header('Seconds to wait before trying again.', { type: 'string', pattern: '^[0-9]+$' }),
  'Access-Control-Allow-Methods': header('The methods that pages may use.', { const: allowedMethods }),
  'Access-Control-Allow-Headers': header('The headers that pages may send.', { const: '*' }),
  'Access-Control-Max-Age': header('Seconds for which this holds.', { type: 'string', pattern: '^[0-9]+$' }),
};

type HeaderName = keyof typeof headers;

const commonHeaderNames: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Cross-Origin-Resource-Policy',
  'Timing-Allow-Origin',
  'X-Content-Type-Options',
  'RateLimit-Policy',
  'RateLimit',
];

function header(description: string, schema: object) {
  return { description, required: true, schema };
}

function headerRefs(names: readonly HeaderName[]) {
  return Object.fromEntries(
    [...commonHeaderNames, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function pathItem(endpoint: EndpointDescription) {
  const named = Object.keys(parameters) as readonly ParameterName[];
  const used = named.filter(
    (name) => endpoint.queryParameters?.includes(name) === true || endpoint.path.includes(`{${name}}`),
  );
  return {
    parameters: used.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    get: operation(endpoint, { operationId: endpoint.operationId, hasBody: true }),
    head: operation(endpoint, { operationId: `${endpoint.operationId}Head`, hasBody: false }),
    options: {
      operationId: `${endpoint.operationId}Options`,
      summary: 'The methods of this path; also the CORS preflight',
      responses: {
        204: {
          description: 'The methods offered',
          headers: headerRefs([
            'Allow',
            'Access-Control-Allow-Methods',
            'Access-Control-Allow-Headers',
            'Access-Control-Max-Age',
          ]),
        },
        ...problemResponses([
          'malformed-request',
          'request-timeout',
          'uri-too-long',
          'too-many-requests',
          'headers-too-large',
        ]),
      },
    },
  };
}

function operation(
  endpoint: EndpointDescription,
  options: { readonly operationId: string; readonly hasBody: boolean },
) {
  const { schema, mediaType = 'application/json' } = endpoint;
  const content = { [mediaType]: { schema: { $ref: `#/components/schemas/${schema}` } } };
  return {
    operationId: options.operationId,
    summary: endpoint.summary,
    description: endpoint.description,
    responses: {
      200: {
        description: endpoint.summary,
        headers: headerRefs(['Cache-Control', 'ETag', 'Vary', 'Content-Encoding', 'Age']),
        ...(options.hasBody ? { content } : {}),
      },
      304: {
        description: 'The client has this response already',
        headers: headerRefs(['Cache-Control', 'ETag', 'Vary', 'Age']),
      },
      ...problemResponses([...endpoint.problems, ...commonProblems]),
      405: { $ref: '#/components/responses/method-not-offered' },
    },
  };
}

/** Responses by status; several kinds of errors with one status are one response. */
function problemResponses(kinds: readonly ProblemKind[]) {
  const byStatus = Map.groupBy(kinds, (kind) => problems[kind].status);
  return Object.fromEntries(
    [...byStatus].map(([status, [first, ...others]]) => {
      if (first !== undefined && others.length === 0)
        return [status, { $ref: `#/components/responses/${first}` }];
      const titles = [first, ...others].map((kind) => (kind === undefined ? '' : problems[kind].title));
      return [status, { ...problemBody(status), description: titles.join(', or ').toLowerCase() }];
    }),
  );
}

function problemResponse(kind: ProblemKind) {
  const { status, title } = problems[kind];
  return { description: title, ...problemBody(status) };
}

function problemBody(status: number) {
  const names: HeaderName[] = ['Cache-Control'];
  if (status === 405) names.push('Allow');
  if (status === 503 || status === 429) names.push('Retry-After');
  const [mediaType = ''] = problemMediaType.split(';');
  return {
    headers: headerRefs(names),
    content: { [mediaType]: { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}
