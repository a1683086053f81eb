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

/** An error answer before it is written. */
export interface Problem {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The media type of error answers. */
export const problemMediaType = 'application/problem+json; charset=utf-8';

/** How long a client should wait for a store that cannot be read, in seconds. */
const retryAfterSeconds = 5;

/** The stable URI of a kind of error; it leads to its description in the OpenAPI document. */
export function problemType(kind: ProblemKind): string {
  return `/openapi.json#/components/responses/${kind}`;
}

/** The answer to an error of this kind. */
export function problem(kind: ProblemKind, detail: string): Problem {
  const { status, title } = problems[kind];
  return {
    status,
    headers: {
      'content-type': problemMediaType,
      'cache-control': cacheControlFor(status),
      ...(status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {}),
      ...(status === 405 ? { allow: allowedMethods } : {}),
    },
    body: Buffer.from(JSON.stringify({ type: problemType(kind), title, status, detail })),
  };
}

/** The methods of every path. */
export const allowedMethods = 'GET, HEAD, OPTIONS';

/** The answer to whatever was thrown; undefined for what is a bug and must be logged. */
export function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (isProblemKind(error.kind)) return problem(error.kind, publicDetail(error.kind, error.message));
  return error.code === 'unavailable'
    ? problem('store-unavailable', publicDetail('store-unavailable', ''))
    : undefined;
}

/** A bug: generic words, so that nothing internal leaks. */
export function internalProblem(): Problem {
  return problem('internal-error', 'The server could not answer because of an error of its own.');
}

/** A store's own words may name files and hosts, which are nobody's business outside. */
function publicDetail(kind: ProblemKind, message: string): string {
  return kind === 'store-unavailable'
    ? 'The metrics cannot be read at the moment; try again later.'
    : message;
}

function isProblemKind(kind: string): kind is ProblemKind {
  return Object.hasOwn(problems, kind);
}

function cacheControlFor(status: number): string {
  return status === 404 ? 'public, max-age=10' : 'no-store';
}
