/** The parts of a request target (RFC 9112 3.2). */

/** What a target says, whether it has the origin form or the absolute form that proxies send. */
export interface TargetParts {
  /** The scheme of an absolute target, in lower case. */
  readonly scheme: string | undefined;
  /** The host of an absolute target, which counts instead of the header of that name (RFC 9112 3.2.2). */
  readonly host: string | undefined;
  /** Decoded, as the router reads it; as it stands where it cannot be decoded. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
}

/** Splits a target; every text has parts. */
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
