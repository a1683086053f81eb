/** The whole program over a store, as `serve` runs it, and pages of another origin. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { buildForBrowsers } from '../../../build/browser.ts';
import { listApiEndpoints } from '../../../src/api/routes.ts';
import { createSite } from '../../../src/site/site.ts';
import {
  importRecords,
  makeDirectory,
  makeSampleStore,
  serveStore,
  type TestServer,
} from '../../http/support/test-server.ts';

/** Serves the sample and its site until the tests of the file end. */
export async function serveSampleSite(): Promise<TestServer> {
  return serveSite(await makeSampleStore());
}

/** Serves a store with these records (no header or end), histories and events among them, and its site. */
export async function serveRecords(records: readonly object[]): Promise<TestServer> {
  const store = join(makeDirectory(), 'records.db');
  await importRecords(store, records, 2);
  return serveSite(store);
}

async function serveSite(store: string): Promise<TestServer> {
  await buildForBrowsers();
  const site = createSite();
  const endpoints = [...listApiEndpoints({ hasLiveFields: false }), ...site.endpoints];
  const server = await serveStore(store, { ...site, endpoints });
  after(() => server[Symbol.asyncDispose]());
  return server;
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
