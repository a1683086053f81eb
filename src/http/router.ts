/** Routing: from a request target to an endpoint and its parameters. */
import findMyWay from 'find-my-way';
import { AppError } from '../model/app-error.ts';
import type { Endpoint, EndpointRequest } from './endpoint.ts';
import { openapiPath } from './problem.ts';

/** An endpoint, and the parameters from the target. */
interface Found extends Pick<EndpointRequest, 'params' | 'searchParams'> {
  readonly endpoint: Endpoint;
}

/**
 * Makes the function that routes targets, over one table of endpoints. Every path works with and without one
 * slash at its end; a target may have the absolute form that proxies send (RFC 9112 3.2.2). It throws
 * AppError with the kind `unknown-path` or `undecodable-path`.
 */
export function createRouter(endpoints: readonly Endpoint[]): (target: string) => Found {
  const router = findMyWay({
    ignoreTrailingSlash: true,
    // The caller has limited the length of the whole target.
    maxParamLength: Number.MAX_SAFE_INTEGER,
    onBadUrl: () => {},
  });
  // The router requires a handler; only the endpoint stored with it is used.
  for (const endpoint of endpoints)
    router.on('GET', endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => {}, endpoint);
  return (target) => {
    // The router would take `OPTIONS *` for the target of the first page.
    const found = target === '*' ? null : router.find('GET', target);
    if (found === null)
      throw new AppError(
        'unknown-path',
        `there is nothing at ${target.replace(/\?.*/s, '').slice(0, 200)}; ${openapiPath} lists every path of the interface`,
      );
    const { params, searchParams } = found;
    const endpoint: Endpoint | null = found.store;
    // For an undecodable path the router finds no endpoint.
    if (endpoint === null)
      throw new AppError(
        'undecodable-path',
        `the path cannot be decoded as percent-encoded UTF-8: ${target.slice(0, 200)}`,
      );
    return { endpoint, params, searchParams };
  };
}

/** The parts of a request target in origin form, or in the absolute form that proxies send (RFC 9112 3.2). */
interface TargetParts {
  /** The scheme of an absolute target, in lower case. */
  readonly scheme: string | undefined;
  /** The host of an absolute target, which counts instead of the header of that name (RFC 9112 3.2.2). */
  readonly host: string | undefined;
  /** Decoded as the router does it; unchanged if it cannot be decoded. */
  readonly path: string;
  /** As it was sent. */
  readonly rawPath: string;
  /** Without its question mark. */
  readonly query: string;
}

/** Splits a target. Any text is accepted. */
export function splitTarget(target: string): TargetParts {
  const [, scheme, host, path = '', query = ''] =
    /^(?:(https?):\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/i.exec(target) ?? [];
  return { scheme: scheme?.toLowerCase(), host, path: decode(path), rawPath: path, query };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
