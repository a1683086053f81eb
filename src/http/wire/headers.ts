/** Headers that do not depend on the answer. */

/**
 * On every answer, errors included: any page of any origin may embed it.
 * Fetch standard 3.2 (CORS), 3.7 (CORP); Resource Timing 4.5.
 */
export const commonHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Content-Length, Date, Age, Retry-After, Allow',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
  'x-content-type-options': 'nosniff',
};

/** Beside them on the answer to a CORS preflight, which browsers may remember for a day. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

/** The media type of every good answer. */
export const jsonMediaType = 'application/json; charset=utf-8';

/** How long an answer may be kept: `maxAgeSeconds` fresh, ten minutes more while it is fetched anew, a day if that fails. */
export function cacheControl(maxAgeSeconds: number): string {
  return `public, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
}

/** How long a connection may stay idle before it is closed, in seconds. */
export const keepAliveSeconds = 65;

let dateSecond = Number.NaN;
let dateText = '';

/** Now, as the Date header says it (RFC 9110 6.6.1). */
export function httpDate(nowMs = Date.now()): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(nowMs).toUTCString();
  }
  return dateText;
}
