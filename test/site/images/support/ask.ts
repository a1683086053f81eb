// Image requests with raw targets, which no client normalises.
import http from 'node:http';

/** A response. */
export interface Received {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** Requests a target from a server. */
export async function ask(
  { url }: { readonly url: string },
  path: string,
  {
    method = 'GET',
    headers = {},
  }: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { hostname, port } = new URL(url);
  http.request({ hostname, port, path, method, headers, agent: false }, resolve).on('error', reject).end();
  const response = await promise;
  const body = Buffer.concat(await response.toArray());
  return {
    status: response.statusCode,
    headers: response.headers,
    body,
    text: body.toString('utf8'),
  };
}
