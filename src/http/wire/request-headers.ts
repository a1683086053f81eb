/**
 * The headers that an answer depends on, found in the raw headers of a request. Node's object of all headers takes as long to make as
 * the rest of a cache hit when a browser sends a dozen.
 */

/** Values by name. Repeated headers are joined as Node does it; of `Host` the first one counts. */
export interface RequestHeaders {
  accept: string | undefined;
  acceptEncoding: string | undefined;
  contentLength: string | undefined;
  forwardedFor: string | undefined;
  host: string | undefined;
  ifNoneMatch: string | undefined;
  /** The value of another `Host`. */
  secondHost: string | undefined;
  transferEncoding: string | undefined;
  upgrade: string | undefined;
}

/**
 * Finds the headers that an answer depends on.
 * @param rawHeaders names and values in turn, as `IncomingMessage.rawHeaders` has them.
 */
export function findHeaders(rawHeaders: readonly string[]): RequestHeaders {
  const found: RequestHeaders = {
    accept: undefined,
    acceptEncoding: undefined,
    contentLength: undefined,
    forwardedFor: undefined,
    host: undefined,
    ifNoneMatch: undefined,
    secondHost: undefined,
    transferEncoding: undefined,
    upgrade: undefined,
  };
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const field = fieldOf(name);
    if (field === undefined) continue;
    const value = rawHeaders[index + 1] ?? '';
    const before = found[field];
    if (before === undefined) found[field] = value;
    else if (field === 'host') found.secondHost = value;
    else found[field] = `${before}, ${value}`;
  }
  return found;
}

/** Finds the field of a header. Comparing lengths first rules out most names. */
function fieldOf(name: string): keyof RequestHeaders | undefined {
  switch (name.length) {
    case 4:
      return isName(name, 'host') ? 'host' : undefined;
    case 6:
      return isName(name, 'accept') ? 'accept' : undefined;
    case 7:
      return isName(name, 'upgrade') ? 'upgrade' : undefined;
    case 13:
      return isName(name, 'if-none-match') ? 'ifNoneMatch' : undefined;
    case 14:
      return isName(name, 'content-length') ? 'contentLength' : undefined;
    case 15:
      if (isName(name, 'accept-encoding')) return 'acceptEncoding';
      return isName(name, 'x-forwarded-for') ? 'forwardedFor' : undefined;
    case 17:
      return isName(name, 'transfer-encoding') ? 'transferEncoding' : undefined;
    default:
      return undefined;
  }
}

function isName(name: string, lowerCase: string): boolean {
  return name === lowerCase || name.toLowerCase() === lowerCase;
}
