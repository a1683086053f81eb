/** Headers that every response has, and the text of headers. */

/**
 * Headers of every response, errors included, as names and values in turn: any page of any origin may embed it.
 * Fetch standard 3.2 (CORS), 3.7 (CORP); Resource Timing 4.5.
 */
export const commonHeaders: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Content-Length, Date, Age, Retry-After, Allow',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  'Timing-Allow-Origin',
  '*',
  'X-Content-Type-Options',
  'nosniff',
];

/** Time after which an idle connection is closed. */
export const keepAliveSeconds = 65;

/** Renders headers, given as names and values in turn, as lines. */
export function fieldLines(headers: readonly string[]): string {
  let text = '';
  for (let index = 0; index < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return text;
}

let date: string | undefined;

/** The present time as a `Date` header (RFC 9110 6.6.1), in 29 characters; its text is made once a second. */
export function dateHeader(): string {
  if (date === undefined) {
    const now = new Date();
    setTimeout(() => {
      date = undefined;
    }, 1000 - now.getMilliseconds()).unref();
    date = now.toUTCString();
  }
  return date;
}
