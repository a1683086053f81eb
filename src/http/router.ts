/** Routing: from a request target to an endpoint and the body that it says. */
import findMyWay from 'find-my-way';
import type { Body, Endpoint, EndpointRequest } from './endpoint.ts';
import { refusal, unknownPath } from './problem.ts';

/** A request whose origin is found when it is read. A class, because an object literal with a getter takes ten times as long to make. */
class RoutedRequest implements EndpointRequest {
  readonly params: EndpointRequest['params'];
  readonly searchParams: EndpointRequest['searchParams'];
  readonly #findOrigin: () => string;

  constructor(
    { params, searchParams }: Pick<EndpointRequest, 'params' | 'searchParams'>,
    findOrigin: () => string,
  ) {
    this.params = params;
    this.searchParams = searchParams;
    this.#findOrigin = findOrigin;
  }

  get origin(): string {
    return this.#findOrigin();
  }
}

/** Finds the body that a target asks for. Only endpoints that read the origin call `findOrigin`. */
export type Route = (target: string) => (findOrigin: () => string) => Body;

/**
 * Makes the function that routes targets, over one table of endpoints. Every path is known with and without one slash at its end; a
 * target may have the absolute form that proxies send (RFC 9112 3.2.2). It throws AppError with the kind `unknown-path` or
 * `undecodable-path`.
 */
export function createRouter(endpoints: readonly Endpoint[]): Route {
  const router = findMyWay({
    ignoreTrailingSlash: true,
    // The length of the whole target is limited before.
    maxParamLength: Number.MAX_SAFE_INTEGER,
    onBadUrl: () => {},
  });
  for (const endpoint of endpoints)
    router.on('GET', endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler, endpoint);
  return (target) => {
    // The router would take the target of `OPTIONS *` for that of the first page.
    const found = target === '*' ? null : router.find('GET', target);
    if (found === null) throw unknownPath(target);
    const { store: endpoint } = found;
    // For an undecodable path the router finds no endpoint.
    if (!isEndpoint(endpoint))
      throw refusal(
        'undecodable-path',
        `the path cannot be decoded as percent-encoded UTF-8: ${target.slice(0, 200)}`,
      );
    return (findOrigin) => endpoint.ask(new RoutedRequest(found, findOrigin));
  };
}

/** A handler, which the router requires for each path; only the endpoint stored with it is used. */
function handler(): void {}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'ask' in value;
}

/** The parts of a request target in origin form, or in the absolute form that proxies send (RFC 9112 3.2). */
interface TargetParts {
  /** The scheme of an absolute target, in lower case. */
  readonly scheme: string | undefined;
  /** The host of an absolute target, which counts instead of the header of that name (RFC 9112 3.2.2). */
  readonly host: string | undefined;
  /** Decoded as the router does it; left as it is if it cannot be decoded. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
}

/** Splits a target. Any text is accepted. */
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
