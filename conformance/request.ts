/** The two kinds of requests a case can make: an ordinary one, and raw bytes over a socket. */

import { asObject, asString, type Json } from './json.ts';
import { expandTimes } from './placeholders.ts';

/** A request, with repetitions (`{times:…}`) not yet written out. */
export type CaseRequest =
  | {
      readonly kind: 'http';
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | undefined;
    }
  | { readonly kind: 'raw'; readonly raw: string };

/** Reads the `request` of a case; throws when it is not one. */
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

/** The same request with every repetition written out: what goes over the wire. */
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
