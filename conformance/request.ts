/** The two kinds of requests of a case: an ordinary one, and raw bytes over a socket. */

import { asObject, asString, type Json } from './json.ts';
import { expandTimes } from './placeholders.ts';

/** A request with unexpanded repetitions (`{times:…}`). */
export type CaseRequest =
  | {
      readonly kind: 'http';
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | undefined;
    }
  | { readonly kind: 'raw'; readonly raw: string };

/** Parses the `request` of a case; throws if it is invalid. */
export function parseRequest(json: Json | undefined, where: string): CaseRequest {
  const request = asObject(json, where, ['method', 'path', 'headers', 'body', 'raw', 'status']);
  if (request['raw'] !== undefined) return { kind: 'raw', raw: asString(request['raw'], where) };
  const headers = Object.entries(asObject(request['headers'] ?? {}, where));
  return {
    kind: 'http',
    method: asString(request['method'] ?? 'GET', where),
    path: asString(request['path'], where),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, asString(value, where)])),
    body: request['body'] === undefined ? undefined : asString(request['body'], where),
  };
}

/** The same request with every repetition expanded: the bytes to send. */
export function expandRequest(request: CaseRequest): CaseRequest {
  if (request.kind === 'raw') return { kind: 'raw', raw: expandTimes(request.raw) };
  const headers = Object.entries(request.headers).map(([name, value]) => [name, expandTimes(value)]);
  return {
    ...request,
    path: expandTimes(request.path),
    headers: Object.fromEntries(headers),
    body: request.body === undefined ? undefined : expandTimes(request.body),
  };
}
