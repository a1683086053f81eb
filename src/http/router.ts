/** Routing: from a request target to an endpoint and its question. */
import findMyWay from 'find-my-way';
import type { Endpoint, Question } from './endpoint.ts';

/** Meaning of a target: a question, an unknown path, or a path that is not UTF-8. `findOrigin` runs only for endpoints that read the origin. */
export type Route = { readonly ask: (findOrigin: () => string) => Question } | 'unknown' | 'undecodable';

/**
 * Makes the function that resolves targets, over one table of endpoints. Every path is known with and without one
 * slash at its end; a target may have the absolute form that proxies send (RFC 9112 3.2.2).
 */
export function createResolver(endpoints: readonly Endpoint[]): (target: string) => Route {
  const router = findMyWay({
    ignoreTrailingSlash: true,
    // The wire bounds the whole target.
    maxParamLength: Number.MAX_SAFE_INTEGER,
    onBadUrl: () => {},
  });
  for (const endpoint of endpoints)
    router.on('GET', endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler, endpoint);
  return (target) => {
    const found = router.find('GET', target);
    if (found === null) return 'unknown';
    const { store: endpoint, params, searchParams } = found;
    // What `onBadUrl` stands in for has no endpoint.
    if (!isEndpoint(endpoint)) return 'undecodable';
    return {
      ask: (findOrigin) =>
        endpoint.ask({
          params,
          searchParams,
          get origin() {
            return findOrigin();
          },
        }),
    };
  };
}

/** The router wants a function for each path; here the endpoint is what is looked up. */
function handler(): void {}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'ask' in value;
}

/** The parts of a request target in origin form, or in the absolute form that proxies send (RFC 9112 3.2). */
export interface TargetParts {
  /** The scheme of an absolute target, in lower case. */
  readonly scheme: string | undefined;
  /** The host of an absolute target, which counts instead of the header of that name (RFC 9112 3.2.2). */
  readonly host: string | undefined;
  /** Decoded as the router does it; left as it is if it cannot be decoded. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
}

/** Splits a target, whatever text it is. */
export function splitTarget(target: string): TargetParts {
  const [, scheme, host, path = '', query = ''] =
    /^(?:(https?):\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/i.exec(target) ?? [];
  return { scheme: scheme?.toLowerCase(), host, path: decode(path), query };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
