/** The one place where a request target gets its meaning: target → endpoint and what it is asked. */
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
