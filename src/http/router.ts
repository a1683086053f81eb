/** The one place where a request target gets its meaning: target → endpoint and what it is asked. */
import findMyWay from 'find-my-way';
import type { Endpoint, Question } from './endpoint.ts';

/**
 * What a target leads to: a question; the error of a parameter on a path that is known; no path at all; or a path that
 * is no UTF-8.
 */
export type Route =
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'malformed'; readonly error: unknown }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'undecodable' };

// Real clients ask for few distinct targets. The map is cleared when full, so hostile ones cost only resolving.
const maxResolved = 2000;
const maxResolvedLength = 200;

/**
 * Makes the function that resolves targets, over one table of endpoints. Every path is known with and without one
 * slash at its end (CONTRACT 1.1); a target may have the absolute form that proxies send (RFC 9112 3.2.2).
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
  const resolve = (target: string): Route => {
    const found = router.find('GET', target);
    if (found === null) return { kind: 'unknown' };
    const { store: endpoint, params, searchParams } = found;
    // What `onBadUrl` stands in for has no endpoint.
    if (!isEndpoint(endpoint)) return { kind: 'undecodable' };
    try {
      return { kind: 'question', question: endpoint.ask({ params, searchParams }) };
    } catch (error) {
      return { kind: 'malformed', error };
    }
  };
  const resolved = new Map<string, Route>();
  return (target) => {
    const known = resolved.get(target);
    if (known !== undefined) return known;
    const route = resolve(target);
    if (target.length > maxResolvedLength) return route;
    if (resolved.size >= maxResolved) resolved.clear();
    resolved.set(target, route);
    return route;
  };
}

/** The router wants a function for each path; here the endpoint is what is looked up. */
function handler(): void {}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'ask' in value;
}
