/** Checks responses against the OpenAPI document; anything undocumented is an error. */
import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiOptions } from '../../../src/api/api-endpoint.ts';
import { openapiDocument } from '../../../src/api/routes.ts';
import type { Answer } from './validated-client.ts';

interface Described {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Ref {
  readonly $ref: string;
}

type Operation = { readonly responses: Readonly<Record<string, Described | Ref>> };

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
};

/** Every header that a response may have, with its pattern; the document says in words what they mean. */
const headerPatterns: Readonly<Record<string, RegExp>> = {
  'access-control-allow-headers': /^\*$/,
  'access-control-allow-methods': /^GET, HEAD, OPTIONS$/,
  'access-control-allow-origin': /^\*$/,
  'access-control-expose-headers': /^ETag, /,
  'access-control-max-age': /^\d+$/,
  age: /^\d+$/,
  allow: /^GET, HEAD, OPTIONS$/,
  'cache-control': /^(public, max-age=\d+(, stale-while-revalidate=600, stale-if-error=86400)?|no-store)$/,
  connection: /^(keep-alive|close)$/,
  'content-encoding': /^(br|gzip)$/,
  'content-length': /^\d+$/,
  'content-type': /^\w+\/[\w+.-]+(; [\w-]+=[\w.-]+)*$/,
  'cross-origin-resource-policy': /^cross-origin$/,
  date: / GMT$/,
  etag: /^"[A-Za-z0-9_-]+"$/,
  'keep-alive': /^timeout=\d+$/,
  'retry-after': /^\d+$/,
  'timing-allow-origin': /^\*$/,
  'transfer-encoding': /^chunked$/,
  vary: /^Accept-Encoding$/,
  'x-content-type-options': /^nosniff$/,
};

/** Headers that a response must have by its status, beside those of every response. */
const requiredHeaders: Readonly<Record<number, readonly string[]>> = {
  200: ['cache-control', 'content-type', 'vary'],
  204: ['allow', 'access-control-allow-methods', 'access-control-allow-headers', 'access-control-max-age'],
  304: ['cache-control', 'vary'],
  405: ['allow'],
  429: ['retry-after'],
  503: ['retry-after'],
};

/** Checks responses against the document of a server with these options. */
class AnswerChecker {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, allErrors: false });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(options: ApiOptions) {
    // Through text, as clients get it.
    this.#document = JSON.parse(JSON.stringify(openapiDocument(options)));
    this.#ajv.addFormat('uri-reference', (text: string) => URL.canParse(text, 'http://host'));
    this.#ajv.addVocabulary(Object.keys(this.#document));
    this.#ajv.addSchema(this.#document, 'openapi');
  }

  /** Throws AssertionError unless the document describes this response to this request. */
  check(request: { readonly method: string; readonly target: string }, answer: Answer): void {
    const what = `${request.method} ${request.target.slice(0, 100)} → ${answer.status}`;
    const described = this.#describe(request, answer, what);
    checkHeaders(answer, what);
    this.#checkBody(described, { isHead: request.method === 'HEAD', answer, what });
  }

  /** Finds the description of an error by its `type` where there is no operation. */
  #describe(
    { method, target }: { readonly method: string; readonly target: string },
    answer: Answer,
    what: string,
  ): Described {
    const [encoded = ''] = target.replace(/^https?:\/\/[^/]*/i, '').split('?');
    const path = encoded.replace(/%[4-7][0-9a-f]/gi, decodeURIComponent);
    const template = Object.keys(this.#document.paths).find((candidate) => matches(candidate, path));
    const item = template === undefined ? undefined : this.#document.paths[template];
    const response = item?.['get']?.responses[answer.status];
    if (response !== undefined) return this.#resolve<Described>(response);
    if (item !== undefined && method === 'OPTIONS' && answer.status === 204) return { description: '' };
    assert.ok(
      item === undefined || answer.status === 405 || answer.status === 404,
      `${what}: the status is not described`,
    );
    assert.ok(answer.status >= 400, `${what}: a path that is not described must answer an error`);
    const kinds = Object.entries(this.#document.components.responses);
    const type = method === 'HEAD' ? undefined : problemTypeOf(answer, what);
    const found = kinds.find(([kind]) => type === `/openapi.json#/components/responses/${kind}`);
    if (found !== undefined) return found[1];
    assert.equal(method, 'HEAD', `${what}: the problem type ${type} is not described`);
    return (
      this.#document.components.responses['unknown-path'] ?? assert.fail('unknown-path is not described')
    );
  }

  #checkBody(
    described: Described,
    options: { readonly isHead: boolean; readonly answer: Answer; readonly what: string },
  ): void {
    const { isHead, answer, what } = options;
    const mediaType = answer.headers.get('content-type')?.split(';')[0];
    if (isHead || described.content === undefined) {
      assert.equal(answer.bytes.length, 0, `${what}: the body is not described`);
      return;
    }
    const schema = described.content[mediaType ?? '']?.schema;
    assert.ok(schema !== undefined, `${what}: the media type ${mediaType} is not described`);
    const text = decodeBody(answer);
    const body =
      mediaType?.endsWith('json') && mediaType !== 'application/x-ndjson'
        ? parseJson(text, what)
        : String(text);
    this.#validate(schema, body, `${what}: body`);
  }

  #validate(schema: object, value: unknown, what: string): void {
    const key = JSON.stringify(schema);
    let validator = this.#validators.get(key);
    if (validator === undefined) {
      validator = this.#ajv.compile(absolute(schema));
      this.#validators.set(key, validator);
    }
    if (!validator(value)) assert.fail(`${what}: ${this.#ajv.errorsText(validator.errors)}`);
  }

  #resolve<T extends object>(at: T | Ref): T {
    if (!('$ref' in at)) return at;
    let found: unknown = this.#document;
    for (const name of at.$ref.replace(/^#\//, '').split('/'))
      found = (found as Readonly<Record<string, unknown>>)[name];
    assert.ok(found !== undefined, `${at.$ref} leads nowhere`);
    return found as T;
  }
}

function checkHeaders({ status, headers }: Answer, what: string): void {
  const all = [
    ...['access-control-allow-origin', 'access-control-expose-headers', 'cross-origin-resource-policy'],
    ...['date', 'timing-allow-origin', 'x-content-type-options', ...(requiredHeaders[status] ?? [])],
  ];
  for (const name of all) assert.ok(headers.has(name), `${what}: header ${name} is missing`);
  if ((status === 200 || status === 304) && headers.get('cache-control') !== 'no-store')
    assert.ok(headers.has('etag'), `${what}: header etag is missing`);
  for (const [name, value] of headers) {
    const pattern = headerPatterns[name] ?? assert.fail(`${what}: the header ${name} is not described`);
    assert.match(value, pattern, `${what}: header ${name}: ${value} is not of its pattern`);
  }
}

const defaultChecker = new AnswerChecker({ hasLiveFields: false });
const liveChecker = new AnswerChecker({ hasLiveFields: true });

/**
 * Checks a response against the document of a server, which has no options unless they are given; throws
 * AssertionError.
 */
export function checkAnswer(
  request: { readonly method: string; readonly target: string },
  answer: Answer,
  { hasLiveFields = false } = {},
): void {
  (hasLiveFields ? liveChecker : defaultChecker).check(request, answer);
}

/** The decoded body. */
export function decodeBody({ headers, bytes }: Answer): Buffer {
  const coding = headers.get('content-encoding');
  switch (coding) {
    case undefined:
      return bytes;
    case 'br':
      return brotliDecompressSync(bytes);
    case 'gzip':
      return gunzipSync(bytes);
    default:
      throw new Error(`the coding ${coding} is not described`);
  }
}

function matches(template: string, path: string): boolean {
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`).test(path);
}

function problemTypeOf(answer: Answer, what: string): unknown {
  const problem = parseJson(decodeBody(answer), what);
  return typeof problem === 'object' && problem !== null && 'type' in problem ? problem.type : undefined;
}

function parseJson(bytes: Buffer, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw new assert.AssertionError({ message: `${what}: the body is not JSON: ${String(cause)}` });
  }
}

function absolute(schema: object): object {
  return '$ref' in schema ? { $ref: `openapi${schema.$ref}` } : schema;
}
