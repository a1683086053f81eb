/** A site over a real store, and requests to it as browsers send them. */
import http from 'node:http';
import { after } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { listApiEndpoints } from '../../../../src/api/routes.ts';
import { createSite } from '../../../../src/site/site.ts';
import { makeSampleStore, serveStore, type TestServerOptions } from '../../../http/support/test-server.ts';
import { headerMap } from '../../../http/support/validated-client.ts';

/** A response of the site. */
export interface Received {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Decoded. */
  readonly body: string;
  /** The number of bytes sent. */
  readonly sentBytes: number;
}

/** A site that is served until the tests of the file end. */
export interface SiteClient {
  readonly url: string;
  /** Sends the path unchanged, without normalising it. */
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Received>;
}

/** Serves a store, by default the sample, with the interface and the site. */
export async function serveSite(
  store?: string,
  { now, ...options }: TestServerOptions & { readonly now?: () => number } = {},
): Promise<SiteClient> {
  const site = createSite(now);
  const endpoints = [...listApiEndpoints({ hasLiveFields: false }), ...site.endpoints];
  const { showProblem } = site;
  const server = await serveStore(store ?? (await makeSampleStore()), { endpoints, showProblem, ...options });
  after(() => server[Symbol.asyncDispose]());
  return { url: server.url, get: (path, headers = {}) => get(server.url, path, headers) };
}

async function get(url: string, path: string, headers: Readonly<Record<string, string>>): Promise<Received> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Encoding': 'br' };
  http
    .request({ hostname, port, path, headers: { ...asBrowser, ...headers }, agent: false }, resolve)
    .on('error', reject)
    .end();
  const response = await promise;
  const bytes = Buffer.concat(await response.toArray());
  const received = headerMap(response.rawHeaders);
  const decoded = received.get('content-encoding') === 'br' ? brotliDecompressSync(bytes) : bytes;
  return {
    status: response.statusCode ?? 0,
    headers: received,
    body: decoded.toString('utf8'),
    sentBytes: bytes.length,
  };
}
