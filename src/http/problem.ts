/** Error answers: problem documents (RFC 9457), one type per kind of error. */
import { AppError, type ErrorKind } from '../model/app-error.ts';
import { commonHeaders, HttpResponse } from './response.ts';

/** Every kind of error that clients of the interface see, with its status. */
const problemStatuses = {
  'malformed-plugin-id': 400,
  'malformed-max-elements': 400,
  'undecodable-path': 400,
  'malformed-request': 400,
  'malformed-query': 400,
  'unknown-path': 404,
  'unknown-plugin': 404,
  'unknown-chart': 404,
  'unknown-software': 404,
  'unknown-owner': 404,
  'method-not-offered': 405,
  'request-timeout': 408,
  'uri-too-long': 414,
  'too-many-requests': 429,
  'headers-too-large': 431,
  'internal-error': 500,
  'script-unavailable': 501,
  'png-unavailable': 501,
  overloaded: 503,
  'store-unavailable': 503,
} as const satisfies { readonly [Kind in ErrorKind]?: number };

/** The kinds that clients get for errors without a kind for clients. */
const toldAs = {
  invalid: 'internal-error',
  not_found: 'internal-error',
  conflict: 'internal-error',
  unavailable: 'store-unavailable',
  'other-store-version': 'internal-error',
  'changed-store-version': 'store-unavailable',
} as const satisfies { readonly [Kind in ErrorKind]?: ProblemKind };

/** A kind of error that clients get. */
export type ToldKind = Exclude<ErrorKind, keyof typeof toldAs>;

/** The status of each kind, including those of reports. */
export const statuses: Readonly<Record<ToldKind, number>> = {
  ...problemStatuses,
  'malformed-report': 400,
  'wrong-plugin': 400,
  'body-too-large': 413,
  'unknown-coding': 415,
  'reported-already': 429,
  'too-many-servers': 429,
  'slot-closed': 503,
};

/** One kind of error that clients of the interface see. */
export type ProblemKind = keyof typeof problemStatuses;

/** The status and the title of a kind of error. */
interface ProblemForm {
  readonly status: number;
  /** The kind in words. */
  readonly title: string;
}

/** Every kind of error with its status and its title. */
export const problems = Object.fromEntries(
  Object.entries(problemStatuses).map(([kind, status]) => [kind, { status, title: titleOf(kind) }]),
) as Readonly<Record<ProblemKind, ProblemForm>>;

/** Writes a kind of error in words. */
export function titleOf(kind: string): string {
  const words = kind.replace('max-elements', 'maxElements').replaceAll('-', ' ');
  return words.replace(/^(?:uri|png|.)/, (start) => start.toUpperCase());
}

/** An error, before it is rendered as a document, a page or a picture. */
export interface ProblemDetails {
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
 * Renders an error as a problem document, with more headers, given as names and values in turn. The URI of
 * its kind leads to the description in the OpenAPI document.
 */
export function problemResponse(problem: ProblemDetails, headers: readonly string[] = []): HttpResponse {
  const { kind, detail } = problem;
  const { status, title } = problems[kind];
  const document = { type: `${openapiPath}#/components/responses/${kind}`, title, status, detail };
  return errorResponse(problem, { mediaType: problemMediaType, body: JSON.stringify(document), headers });
}

/** Makes the response for an error from its rendered body, with the headers of its status. */
export function errorResponse(
  { kind, retryAfterSeconds }: ProblemDetails,
  form: {
    readonly mediaType: string;
    readonly body: string | Uint8Array;
    readonly headers?: readonly string[];
  },
): HttpResponse {
  const { status } = problems[kind];
  const cacheControl = status === 404 ? 'public, max-age=10' : 'no-store';
  const headers = [...commonHeaders, 'Content-Type', form.mediaType, 'Cache-Control', cacheControl];
  const retryAfter = retryAfterSeconds ?? (status === 503 ? unavailableSeconds : undefined);
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter));
  if (status === 405) headers.push('Allow', allowedMethods);
  return new HttpResponse({
    status,
    headers: [...headers, ...(form.headers ?? [])],
    body: Buffer.from(form.body),
  });
}

/** The response to OPTIONS, CORS preflights included; browsers may cache it for a day. */
export const offeredMethods = new HttpResponse({
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

/** The error for a request that is refused because of the load. */
export function overloaded(detail = 'the server is overloaded; try again later'): AppError {
  return new AppError('overloaded', detail);
}

/** The kind that a client gets for a thrown value. */
export function toldKind(error: unknown): ToldKind {
  if (!(error instanceof AppError)) return 'internal-error';
  const { kind } = error;
  return Object.hasOwn(toldAs, kind) ? toldAs[kind as keyof typeof toldAs] : (kind as ToldKind);
}

/**
 * The error for a thrown value. Messages of a store may name files and hosts, and those of a bug anything, so
 * both get a generic text.
 */
export function problemOf(error: unknown): ProblemDetails {
  const kind = toldKind(error);
  if (kind === 'store-unavailable')
    return { kind, detail: 'The metrics cannot be read at the moment; try again later.' };
  if (error instanceof AppError && kind !== 'internal-error' && isProblemKind(kind)) {
    const { message, help } = error;
    return { kind, detail: help === undefined ? message : `${message}; ${help}` };
  }
  return {
    kind: 'internal-error',
    detail: 'The server could not answer because of an internal error.',
  };
}

function isProblemKind(kind: string): kind is ProblemKind {
  return Object.hasOwn(problems, kind);
}
