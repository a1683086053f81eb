/** Headers that do not depend on the answer, and the head of a message as text. */

/**
 * On every answer, errors included: any page of any origin may embed it. Names and values in turn.
 * Fetch standard 3.2 (CORS), 3.7 (CORP); Resource Timing 4.5.
 */
export const commonHeaders: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Content-Length, Date, Age, Retry-After, Allow, RateLimit, RateLimit-Policy',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  'Timing-Allow-Origin',
  '*',
  'X-Content-Type-Options',
  'nosniff',
];

/** How long a connection may stay idle before it is closed, in seconds. */
export const keepAliveSeconds = 65;

let dateSecond = Number.NaN;
let dateText = '';

/** Now, as the Date header says it (RFC 9110 6.6.1): always 29 characters. */
export function httpDate(nowMs = Date.now()): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(nowMs).toUTCString();
  }
  return dateText;
}

/** Where the Date stands in a head of status 200. */
export const dateOffset = 'HTTP/1.1 200 OK\r\nDate: '.length;

/** Status line and headers of a message on a connection that stays open; the common headers are added. */
export function headText(status: string, headers: readonly string[], date: string): string {
  return `HTTP/1.1 ${status}\r\nDate: ${date}\r\n${commonLines}${fieldLines(headers)}${connectionLines}\r\n`;
}

/** Status line and headers, and the empty line behind them. Names and values of headers come in turn. */
export function headLines(status: string, headers: readonly string[]): string {
  return `HTTP/1.1 ${status}\r\n${fieldLines(headers)}\r\n`;
}

/** Headers as lines. Names and values come in turn. */
export function fieldLines(headers: readonly string[]): string {
  let text = '';
  for (let index = 0; index < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return text;
}

const commonLines = fieldLines(commonHeaders);
const connectionLines = fieldLines(['Connection', 'keep-alive', 'Keep-Alive', `timeout=${keepAliveSeconds}`]);
