/** Headers that every response has, and the head of a message as text. */

/**
 * Headers of every response, errors included, as names and values in turn: any page of any origin may embed it.
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

/** Time after which an idle connection is closed. */
export const keepAliveSeconds = 65;

/** The Date header (RFC 9110 6.6.1), whose text is made once a second. */
export class DateHeader {
  #text: string | undefined;
  readonly #forget = () => {
    this.#text = undefined;
  };

  /** The present time, always in 29 characters. */
  now(): string {
    this.#text ??= this.#make();
    return this.#text;
  }

  #make(): string {
    const date = new Date();
    setTimeout(this.#forget, 1000 - date.getMilliseconds()).unref();
    return date.toUTCString();
  }
}

/** Offset of the Date in a head of status 200. */
export const dateOffset = 'HTTP/1.1 200 OK\r\nDate: '.length;

/** Renders headers, given as names and values in turn, as lines with the common headers and those of a connection that stays open. */
export function sharedLines(headers: readonly string[]): string {
  return `${commonLines}${fieldLines(headers)}${connectionLines}`;
}

/** Renders the head of a message from lines of headers, {@link sharedLines} among them. */
export function headText(status: string, date: string, lines: string): string {
  return `HTTP/1.1 ${status}\r\nDate: ${date}\r\n${lines}\r\n`;
}

/** Renders status line, headers and the empty line after them. `headers` are names and values in turn. */
export function headLines(status: string, headers: readonly string[]): string {
  return `HTTP/1.1 ${status}\r\n${fieldLines(headers)}\r\n`;
}

/** Renders headers, given as names and values in turn, as lines. */
export function fieldLines(headers: readonly string[]): string {
  let text = '';
  for (let index = 0; index < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return text;
}

const commonLines = fieldLines(commonHeaders);
const connectionLines = fieldLines(['Connection', 'keep-alive', 'Keep-Alive', `timeout=${keepAliveSeconds}`]);
