// The OpenAPI document: current, valid, and served like every other response.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapiDocument, openapiJson } from '../src/api/openapi.ts';
import { type ProblemKind, problemNotice, problems } from '../src/http/problem.ts';
import { checkCommonHeaders } from './http/support/common-headers.ts';
import { decodeBody } from './http/support/openapi-check.ts';
import { serveSample } from './http/support/test-server.ts';
import { get, getText, send } from './http/support/validated-client.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface PathItem {
  readonly parameters: readonly { readonly $ref: string }[];
  readonly get: Operation;
  readonly head: Operation;
  readonly options: Operation;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

const file = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
const document: Document = JSON.parse(file);
const paths = Object.entries(document.paths);
const commonHeaders = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Cross-Origin-Resource-Policy',
  'Timing-Allow-Origin',
  'X-Content-Type-Options',
  'RateLimit',
  'RateLimit-Policy',
];

test("the committed document matches the program's (otherwise run `npm run generate`)", () => {
  assert.ok(
    file === `${JSON.stringify(openapiDocument({ hasLiveFields: false }), undefined, 2)}\n`,
    'openapi.json is stale',
  );
});

test('the document is OpenAPI 3.1 and names itself', () => {
  assert.match(document.openapi, /^3\.1\.\d+$/);
  assert.ok(document.info.title.length > 0 && document.info.version.length > 0);
});

test('the document has the endpoints of both interfaces and itself', () => {
  assert.deepEqual(Object.keys(document.paths).sort(), [
    '/api/v1/plugins',
    '/api/v1/plugins/{pluginId}',
    '/api/v1/plugins/{pluginId}/charts',
    '/api/v1/plugins/{pluginId}/charts/{chartId}',
    '/api/v1/plugins/{pluginId}/charts/{chartId}/data',
    '/api/v1/software',
    '/api/v2/plugins',
    '/api/v2/plugins/{pluginId}',
    '/api/v2/plugins/{pluginId}/archive',
    '/api/v2/plugins/{pluginId}/export.csv',
    '/api/v2/series',
    '/api/v2/series.csv',
    '/api/v2/software',
    '/openapi.json',
  ]);
});

test('every reference resolves, and every component is referenced', () => {
  const references = new Set(findReferences(JSON.parse(file)));
  for (const reference of references) assert.ok(resolve(reference) !== undefined, reference);
  for (const room of ['schemas', 'headers', 'parameters']) {
    for (const name of Object.keys(document.components[room] ?? {}))
      assert.ok(references.has(`#/components/${room}/${name}`), name);
  }
});

test('the type of every kind of error points to its description', () => {
  for (const kind of Object.keys(problems) as ProblemKind[]) {
    const { type } = JSON.parse(String(problemNotice({ kind, detail: '' }).body)) as {
      readonly type: string;
    };
    const [file, pointer = ''] = type.split('#');
    assert.equal(file, '/openapi.json');
    const response = resolve(`#${pointer}`) as unknown as Response;
    assert.equal(response.description, problems[kind].title);
  }
  assert.deepEqual(Object.keys(document.components['responses'] ?? {}).sort(), Object.keys(problems).sort());
});

test('every path has get, head and options, and no method that writes', () => {
  for (const [path, item] of paths)
    assert.deepEqual(Object.keys(item).sort(), ['get', 'head', 'options', 'parameters'], path);
});

test('every parameter in a path is described and required, and those of queries are known', () => {
  for (const [path, item] of paths) {
    const parameters = item.parameters.map(({ $ref }) => resolve($ref) as Record<string, Json>);
    const inPath = parameters.filter((parameter) => parameter['in'] === 'path');
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(
      inPath.map((parameter) => parameter['name']),
      names,
    );
    assert.ok(inPath.every((parameter) => parameter['required'] === true));
    const others = parameters.filter((parameter) => parameter['in'] !== 'path');
    assert.deepEqual(
      others.map((parameter) => parameter['name']),
      queryParametersOf(path),
    );
  }
});

function queryParametersOf(path: string): readonly string[] {
  if (path.endsWith('/data')) return ['maxElements'];
  if (path.endsWith('/archive')) return ['since'];
  if (path === '/api/v2/plugins')
    return ['q', 'software', 'owner', 'global', 'sort', 'order', 'limit', 'after'];
  return path.startsWith('/api/v2/series')
    ? ['charts', 'from', 'to', 'range', 'step', 'aggregate', 'top', 'level', 'sum']
    : [];
}

test('operations have unique ids and a summary', () => {
  const operations = paths.flatMap(([, { get, head, options }]) => [get, head, options]);
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  for (const { operationId, summary } of operations) assert.match(`${operationId} ${summary}`, /^\w+ \S/);
});

test('every possible status is described, with its headers and its body', () => {
  for (const [path, item] of paths) {
    const statuses = [200, 304, 400, 405, 408, 414, 429, 431, 500, 503];
    if (path.includes('{') || path.startsWith('/api/v2/series')) statuses.push(404);
    for (const method of ['get', 'head'] as const) {
      const responses = responsesOf(item[method]);
      assert.deepEqual([...responses.keys()].sort(), statuses.toSorted(), `${method} ${path}`);
      for (const [status, response] of responses)
        checkResponse(response, {
          status,
          hasBody: method === 'get',
          ...(path.endsWith('.csv') ? { mediaType: 'text/csv' } : {}),
          ...(path.endsWith('/archive') ? { mediaType: 'application/x-ndjson' } : {}),
        });
    }
    const options = responsesOf(item.options);
    assert.deepEqual([...options.keys()].sort(), [204, 400, 408, 414, 429, 431]);
    for (const [status, response] of options) checkResponse(response, { status, hasBody: true });
  }
});

test('every schema is valid', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
  ajv.addFormat('uri-reference', true);
  const headers = Object.values(document.components['headers'] ?? {}) as { readonly schema: object }[];
  const parameters = Object.values(document.components['parameters'] ?? {}) as { readonly schema: object }[];
  const schemas = Object.values(document.components['schemas'] ?? {}) as object[];
  for (const schema of [...schemas, ...[...headers, ...parameters].map((holder) => holder.schema)])
    ajv.compile(schema);
});

test('the document is served, with and without a trailing slash', async () => {
  const { url } = await serveSample();
  for (const target of ['/openapi.json', '/openapi.json/', '/openapi.json?a=1']) {
    const answer = await get(url, target);
    assert.equal(answer.bytes.toString(), openapiJson({ hasLiveFields: false }));
    checkCommonHeaders(answer);
  }
  assert.deepEqual(JSON.parse(await getText(url, '/openapi.json')), document);
});

test('the document is served by the same rules as every other response', async () => {
  const { url } = await serveSample();
  const target = '/openapi.json';
  const plain = await get(url, target);
  for (const coding of ['br', 'gzip', 'zstd']) {
    const coded = await get(url, target, { 'accept-encoding': coding });
    assert.equal(coded.headers.get('content-encoding'), coding);
    assert.deepEqual(decodeBody(coded), plain.bytes);
  }
  const etag = plain.headers.get('etag') ?? '';
  assert.equal((await get(url, target, { 'if-none-match': etag })).status, 304);
  assert.equal((await send(url, { method: 'HEAD', target })).headers.get('etag'), etag);
  assert.equal((await send(url, { method: 'OPTIONS', target })).status, 204);
  assert.equal((await send(url, { method: 'POST', target, body: '{}' })).status, 405);
});

function responsesOf(operation: Operation): ReadonlyMap<number, Response> {
  return new Map(
    Object.entries(operation.responses).map(([status, response]) => [
      Number(status),
      '$ref' in response ? (resolve(response.$ref) as unknown as Response) : response,
    ]),
  );
}

function checkResponse(
  response: Response,
  {
    status,
    hasBody,
    mediaType = 'application/json',
  }: { readonly status: number; readonly hasBody: boolean; readonly mediaType?: string },
): void {
  assert.ok(response.description.length > 0);
  const expected = [...commonHeaders, ...headersOf(status)].sort();
  assert.deepEqual(Object.keys(response.headers).sort(), expected, String(status));
  const mediaTypes = Object.keys(response.content ?? {});
  if (status >= 400) assert.deepEqual(mediaTypes, ['application/problem+json']);
  else assert.deepEqual(mediaTypes, status === 200 && hasBody ? [mediaType] : []);
}

function headersOf(status: number): readonly string[] {
  switch (status) {
    case 200:
      return ['Age', 'Cache-Control', 'Content-Encoding', 'ETag', 'Vary'];
    case 204:
      return [
        'Access-Control-Allow-Headers',
        'Access-Control-Allow-Methods',
        'Access-Control-Max-Age',
        'Allow',
      ];
    case 304:
      return ['Age', 'Cache-Control', 'ETag', 'Vary'];
    case 405:
      return ['Allow', 'Cache-Control'];
    case 429:
    case 503:
      return ['Cache-Control', 'Retry-After'];
    default:
      return ['Cache-Control'];
  }
}

function* findReferences(json: Json): Generator<string> {
  if (typeof json !== 'object' || json === null) return;
  for (const [name, value] of Object.entries(json)) {
    if (name === '$ref' && typeof value === 'string') yield value;
    else yield* findReferences(value);
  }
}

function resolve(reference: string): Json | undefined {
  assert.match(reference, /^#\//, reference);
  let found: Json | undefined = JSON.parse(file);
  for (const name of reference.slice(2).split('/')) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
    found = Object.entries(found).find(([candidate]) => candidate === name)?.[1];
  }
  return found;
}
