/** Error answers: problem documents (RFC 9457), one type per kind of error. */
import { AppError } from '../model/app-error.ts';
import { commonHeaders, Response } from './response.ts';

/** Every kind of error with its status and title. The kind is part of a URI that clients rely on, so it never changes. */
export const problems = {
  'malformed-plugin-id': { status: 400, title: 'Malformed plugin id' },
  'malformed-max-elements': { status: 400, title: 'Malformed maxElements' },
  'undecodable-path': { status: 400, title: 'Undecodable path' },
  'malformed-request': { status: 400, title: 'Malformed request' },
  'malformed-query': { status: 400, title: 'Malformed query' },
  'unknown-path': { status: 404, title: 'Unknown path' },
  'unknown-plugin': { status: 404, title: 'Unknown plugin' },
  'unknown-chart': { status: 404, title: 'Unknown chart' },
  'unknown-software': { status: 404, title: 'Unknown software' },
  'unknown-owner': { status: 404, title: 'Unknown owner' },
  'method-not-offered': { status: 405, title: 'Method not offered' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  'uri-too-long': { status: 414, title: 'URI too long' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'Request header fields too large' },
  'internal-error': { status: 500, title: 'Internal error' },
  'script-unavailable': { status: 501, title: 'Script unavailable' },
  'png-unavailable': { status: 501, title: 'PNG unavailable' },
  overloaded: { status: 503, title: 'Overloaded' },
  'store-unavailable': { status: 503, title: 'Store unavailable' },
} as const;

/** One kind of error. */
export type ProblemKind = keyof typeof problems;

/** An error, before it is rendered as a document, a page or a picture. */
export interface Problem {
  readonly kind: ProblemKind;
  /** Explanation for the client: the fault of this request, and what is allowed. */
  readonly detail: string;
  /** Value of `Retry-After`; a 503 has five seconds if left out. */
  readonly retryAfterSeconds?: number;
}

/** Methods that every path allows. */
export const allowedMethods = 'GET, HEAD, OPTIONS';

/** Path of the OpenAPI document, which describes each kind of error. */
export const openapiPath = '/openapi.json';

/** The media type of error answers. */
export const problemMediaType = 'application/problem+json; charset=utf-8';

/** `Retry-After` of a 503. */
const unavailableSeconds = 5;

/**
 * Renders an error as a problem document, with more headers, given as names and values in turn. The URI of its kind leads to the
 * description in the OpenAPI document.
 */
export function problemResponse(problem: Problem, headers: readonly string[] = []): Response {
  const { kind, detail } = problem;
  const { status, title } = problems[kind];
  const document = { type: `${openapiPath}#/components/responses/${kind}`, title, status, detail };
  return errorResponse(problem, { mediaType: problemMediaType, body: JSON.stringify(document), headers });
}

/** Makes the response for an error from its rendered body, with the headers of its status. */
export function errorResponse(
  { kind, retryAfterSeconds }: Problem,
  form: {
    readonly mediaType: string;
    readonly body: string | Uint8Array;
    readonly headers?: readonly string[];
  },
): Response {
  const { status } = problems[kind];
  const cacheControl = status === 404 ? 'public, max-age=10' : 'no-store';
  const headers = [...commonHeaders, 'Content-Type', form.mediaType, 'Cache-Control', cacheControl];
  const retryAfter = retryAfterSeconds ?? (status === 503 ? unavailableSeconds : undefined);
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter));
  if (status === 405) headers.push('Allow', allowedMethods);
  return new Response({
    status,
    headers: [...headers, ...(form.headers ?? [])],
    body: Buffer.from(form.body),
  });
}

/** The response to OPTIONS, CORS preflights included; browsers may cache it for a day. */
export const offeredMethods = new Response({
  status: 204,
  headers: [
    ...commonHeaders,
    'Allow',
    allowedMethods,
    'Access-Control-Allow-Methods',
    allowedMethods,
    'Access-Control-Allow-Headers',
    '*',
    'Access-Control-Max-Age',
    '86400',
  ],
});

/** Makes the error for a request that asks for something wrong, to be thrown. */
export function refusal(kind: ProblemKind, detail: string): AppError {
  return new AppError('invalid', detail, { kind });
}

/** The error for a request that is refused because of the load. */
export function overloaded(detail = 'the server has more to do than it can; try again later'): AppError {
  return new AppError('unavailable', detail, { kind: 'overloaded' });
}

/**
 * The error for something that was thrown. Messages of a store may name files and hosts, and those of a bug anything, so both get
 * a generic text.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof AppError) {
    const { kind, code, message } = error;
    if (kind !== 'store-unavailable' && isProblemKind(kind)) return { kind, detail: message };
    if (code === 'unavailable')
      return {
        kind: 'store-unavailable',
        detail: 'The metrics cannot be read at the moment; try again later.',
      };
  }
  return {
    kind: 'internal-error',
    detail: 'The server could not answer because of an error of its own.',
  };
}

function isProblemKind(kind: string): kind is ProblemKind {
  return Object.hasOwn(problems, kind);
}
