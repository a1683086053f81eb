/** A site over a real store, and requests to it as browsers send them. */
import { after } from 'node:test';
import { listApiEndpoints } from '../../../../src/api/routes.ts';
import { fontconfigFile } from '../../../../src/site/images/fonts.ts';
import { createSite } from '../../../../src/site/site.ts';
import { decodeBody } from '../../../http/support/openapi-check.ts';
import {
  makeSampleStore,
  serveStore,
  type TestServer,
  type TestServerOptions,
} from '../../../http/support/test-server.ts';
import { exchange } from '../../../http/support/validated-client.ts';

// As `serve` does.
process.env['FONTCONFIG_FILE'] = fontconfigFile;

/** A response of the site. */
interface Received {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Decoded. */
  readonly body: string;
  /** The number of bytes sent. */
  readonly sentBytes: number;
}

/** A site that is served until the tests of the file end. */
export interface SiteClient extends TestServer {
  /** Sends the path unchanged, without normalising it. */
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Received>;
}

/** Serves a store, by default the sample, with the interface and the site. */
export async function serveSite(store?: string, options: TestServerOptions = {}): Promise<SiteClient> {
  const site = createSite();
  const endpoints = [...listApiEndpoints({ hasLiveFields: false }), ...site.endpoints];
  const { showProblem } = site;
  const server = await serveStore(store ?? (await makeSampleStore()), { endpoints, showProblem, ...options });
  after(() => server[Symbol.asyncDispose]());
  const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Encoding': 'br' };
  const get: SiteClient['get'] = async (path, given = {}) => {
    const answer = await exchange(server.url, { target: path, headers: { ...asBrowser, ...given } });
    const { status, headers, bytes } = answer;
    return { status, headers, body: decodeBody(answer).toString(), sentBytes: bytes.length };
  };
  return { ...server, get };
}
