/** Error answers: problem documents (RFC 9457), one type per kind of error. */
import { AppError } from '../model/app-error.ts';

/** Every kind of error with its status and title. The kind is part of a stable URI: it never changes. */
export const problems = {
  'malformed-plugin-id': { status: 400, title: 'Malformed plugin id' },
  'malformed-max-elements': { status: 400, title: 'Malformed maxElements' },
  'undecodable-path': { status: 400, title: 'Undecodable path' },
  'malformed-request': { status: 400, title: 'Malformed request' },
  'unknown-path': { status: 404, title: 'Unknown path' },
  'unknown-plugin': { status: 404, title: 'Unknown plugin' },
  'unknown-chart': { status: 404, title: 'Unknown chart' },
  'method-not-offered': { status: 405, title: 'Method not offered' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  'uri-too-long': { status: 414, title: 'URI too long' },
  'headers-too-large': { status: 431, title: 'Request header fields too large' },
  'internal-error': { status: 500, title: 'Internal error' },
  'store-unavailable': { status: 503, title: 'Store unavailable' },
} as const;

/** One kind of error. */
export type ProblemKind = keyof typeof problems;

/** An answer that is no representation: an error, or what is offered here. */
export interface Notice {
  readonly status: number;
  /** Names and values in turn, without those that every answer has. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** The methods of every path. */
export const allowedMethods = 'GET, HEAD, OPTIONS';

/** The path of the OpenAPI document, which says what each kind of error means. */
export const openapiPath = '/openapi.json';

/** The media type of error answers. */
export const problemMediaType = 'application/problem+json; charset=utf-8';

/** How long a client should wait for a store that cannot be read, in seconds. */
const retryAfterSeconds = 5;

/** The stable URI of a kind of error; it leads to its description in the OpenAPI document. */
export function problemType(kind: ProblemKind): string {
  return `${openapiPath}#/components/responses/${kind}`;
}

/** The answer to an error of this kind. */
export function problem(kind: ProblemKind, detail: string): Notice {
  const { status, title } = problems[kind];
  const headers = ['Content-Type', problemMediaType, 'Cache-Control', cacheControlFor(status)];
  if (status === 503) headers.push('Retry-After', String(retryAfterSeconds));
  if (status === 405) headers.push('Allow', allowedMethods);
  return {
    status,
    headers,
    body: Buffer.from(JSON.stringify({ type: problemType(kind), title, status, detail })),
  };
}

/** Answers OPTIONS, a CORS preflight or not; browsers may cache it for a day. */
export const offeredMethods: Notice = {
  status: 204,
  headers: [
    'Allow',
    allowedMethods,
    'Access-Control-Allow-Methods',
    allowedMethods,
    'Access-Control-Allow-Headers',
    '*',
    'Access-Control-Max-Age',
    '86400',
  ],
  body: Buffer.alloc(0),
};

/** The answer where there is nothing. */
export function unknownPath(target: string): Notice {
  const [path = ''] = target.split('?', 1);
  const detail = `there is nothing at ${path.slice(0, 200)}; ${openapiPath} lists every path`;
  return problem('unknown-path', detail);
}

/**
 * The answer to whatever was thrown. What a store says may name files and hosts, and what a bug says anything:
 * both get generic words.
 */
export function problemOf(error: unknown): Notice {
  if (error instanceof AppError) {
    if (error.code === 'unavailable')
      return problem('store-unavailable', 'The metrics cannot be read at the moment; try again later.');
    if (isProblemKind(error.kind)) return problem(error.kind, error.message);
  }
  return problem('internal-error', 'The server could not answer because of an error of its own.');
}

function isProblemKind(kind: string): kind is ProblemKind {
  return Object.hasOwn(problems, kind);
}

function cacheControlFor(status: number): string {
  return status === 404 ? 'public, max-age=10' : 'no-store';
}
