/** The whole program over a store, as `serve` runs it, and pages of another origin. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { buildForBrowsers } from '../../../build/browser.ts';
import { makeStore, type TestServer } from '../../http/support/test-server.ts';
import { serveSite } from '../../site/pages/support/site-client.ts';

/** Serves the sample and its site until the tests of the file end. */
export async function serveSampleSite(): Promise<TestServer> {
  await buildForBrowsers();
  return serveSite();
}

/** Serves a store with these records (no header or end), histories and events among them, and its site. */
export async function serveRecords(records: readonly object[]): Promise<TestServer> {
  await buildForBrowsers();
  return serveSite(await makeStore(records));
}

/**
 * Serves a page with the script of the element from another origin, whose policy allows the requests of the
 * element.
 */
export function embedHtml(server: string, html: string, policy = '', doctype?: string): Promise<string> {
  return servePage({
    ...(doctype === undefined ? {} : { doctype }),
    html: `<script type="module" src="${server}/embed.js"></script>${html}`,
    policy: `default-src 'none'; script-src ${server}; connect-src ${server}; ${policy}`,
  });
}

/** Serves a page with an element with these attributes. */
export function embed(server: string, attributes: string): Promise<string> {
  return embedHtml(server, `<plugin-chart ${attributes}></plugin-chart>`);
}

/** A page on another site. */
export interface OtherPage {
  readonly html: string;
  /** Its content security policy. */
  readonly policy: string;
  /** Empty for a page in quirks mode. */
  readonly doctype?: string;
}

/** Serves a page from its own origin until the tests of the file end, and returns its address. */
export async function servePage({ html, policy, doctype = '<!doctype html>' }: OtherPage): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
    });
    response.end(`${doctype}<html lang="en"><title>Elsewhere</title>${html}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
