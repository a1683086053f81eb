// The OpenAPI document: current, valid, and served like every other response.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapiDocument } from '../src/api/routes.ts';
import { type ProblemKind, problemResponse, problems } from '../src/http/problem.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: { readonly type: string; readonly default?: Json };
}

interface PathItem {
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly get: Operation;
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
test("the committed document matches the program's (otherwise run `npm run generate`)", () => {
  assert.ok(
    file === `${JSON.stringify(openapiDocument({ hasLiveFields: false }), undefined, 2)}\n`,
    'openapi.json is stale',
  );
});

test('the document has the endpoints of both interfaces and itself', () => {
  assert.deepEqual(Object.keys(document.paths).sort(), [
    '/api/v1/plugins',
    '/api/v1/plugins/{pluginId}',
    '/api/v1/plugins/{pluginId}/charts',
    '/api/v1/plugins/{pluginId}/charts/{chartId}',
    '/api/v1/plugins/{pluginId}/charts/{chartId}/data',
    '/api/v1/software',
    '/api/v2/metrics',
    '/api/v2/plugins',
    '/api/v2/plugins/{pluginId}',
    '/api/v2/plugins/{pluginId}/archive',
    '/api/v2/plugins/{pluginId}/events',
    '/api/v2/plugins/{pluginId}/export.csv',
    '/api/v2/plugins/{pluginId}/insights',
    '/api/v2/series',
    '/api/v2/series.csv',
    '/api/v2/software',
    '/openapi.json',
  ]);
});

test('the type of every kind of error points to its description', () => {
  for (const kind of Object.keys(problems) as ProblemKind[]) {
    const { type } = JSON.parse(Buffer.from(problemResponse({ kind, detail: '' }).body).toString()) as {
      readonly type: string;
    };
    const [file, pointer = ''] = type.split('#');
    assert.equal(file, '/openapi.json');
    const response = resolve(`#${pointer}`) as unknown as Response;
    assert.equal(response.description, problems[kind].title);
  }
  assert.deepEqual(Object.keys(document.components['responses'] ?? {}).sort(), Object.keys(problems).sort());
});

test('every path has GET, and no method that writes', () => {
  for (const [path, item] of paths) assert.deepEqual(Object.keys(item).sort(), ['get', 'parameters'], path);
});

test('every parameter in a path is described and required', () => {
  for (const [path] of paths) {
    const inPath = parametersOf(path).filter((parameter) => parameter.in === 'path');
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(
      inPath.map(({ name }) => name),
      names,
    );
    assert.ok(inPath.every(({ required }) => required));
  }
});

function parametersOf(path: string): readonly Parameter[] {
  return (document.paths[path]?.parameters ?? []).map((parameter) =>
    '$ref' in parameter ? (resolve(parameter.$ref) as unknown as Parameter) : parameter,
  );
}

test('every possible status of GET is described, with its body', () => {
  for (const [path, item] of paths) {
    const statuses = [200, 304, 400, 408, 414, 429, 431, 500, 503];
    if (path.includes('{') || path.startsWith('/api/v2/series')) statuses.push(404);
    const described = Object.keys(item.get.responses).map(Number);
    assert.deepEqual(described.sort(), statuses.toSorted(), path);
    for (const [status, at] of Object.entries(item.get.responses)) {
      const response = '$ref' in at ? (resolve(at.$ref) as unknown as Response) : at;
      assert.ok(response.description.length > 0);
      const mediaTypes = Object.keys(response.content ?? {});
      const ownType = path.endsWith('.csv')
        ? 'text/csv'
        : path.endsWith('/archive')
          ? 'application/x-ndjson'
          : path.endsWith('/metrics')
            ? 'text/plain'
            : 'application/json';
      const wanted = status === '200' ? [ownType] : status === '304' ? [] : ['application/problem+json'];
      assert.deepEqual(mediaTypes, wanted, `${status} ${path}`);
    }
  }
});

test('every schema is valid', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
  ajv.addFormat('uri-reference', true);
  const parameters = paths.flatMap(([path]) => parametersOf(path));
  const schemas = Object.values(document.components['schemas'] ?? {}) as object[];
  for (const schema of [...schemas, ...parameters.map((holder) => holder.schema)]) ajv.compile(schema);
});

function resolve(reference: string): Json | undefined {
  assert.match(reference, /^#\//, reference);
  let found: Json | undefined = JSON.parse(file);
  for (const name of reference.slice(2).split('/')) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
    found = Object.entries(found).find(([candidate]) => candidate === name)?.[1];
  }
  return found;
}
