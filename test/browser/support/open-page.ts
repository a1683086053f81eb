/** Pages in one browser for a test file; any error in a page fails the test. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';

let browser: Browser | undefined;

before(async () => {
  browser = await openBrowser();
});

after(() => browser?.close());

type PageOptions = BrowserContextOptions & { readonly mayFail?: boolean };

/** A page, with its requests and its console messages. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Method and URL of each request. */
  readonly requests: readonly string[];
  /** Errors and warnings of scripts, of requests, and of the content security policy. */
  readonly faults: string[];
}

/**
 * Declares a test of a page of its own, open at an address if one is given, which fails at any error in the
 * page.
 */
export function pageTest(
  name: string,
  { at, ...options }: PageOptions & { readonly at?: string },
  body: (open: OpenPage) => Promise<void>,
): void {
  test(name, async () => {
    await using open = await openPage(options);
    if (at !== undefined) await open.page.goto(at);
    await body(open);
  });
}

/** Opens an empty page in a context of its own; disposing of it asserts that it had no errors. */
export async function openPage(options: PageOptions = {}): Promise<OpenPage> {
  assert.ok(browser !== undefined);
  const { mayFail = false, ...contextOptions } = options;
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...contextOptions });
  const page = await context.newPage();
  // It only keeps a test from hanging: a busy machine takes seconds for a page.
  page.setDefaultTimeout(60_000);
  const requests: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => void requests.push(request.url()));
  page.on('pageerror', (error) => void faults.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('dialog', (dialog) => {
    faults.push(`a script asks: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('requestfailed', (request) => {
    // Navigation and a newer search abort pending requests.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') faults.push(`${request.url()}: ${reason}`);
  });
  return {
    page,
    requests,
    faults,
    async [Symbol.asyncDispose]() {
      const { cookies, origins } = await context.storageState();
      await context.close();
      assert.deepEqual({ cookies, origins }, { cookies: [], origins: [] });
      if (!mayFail) assert.deepEqual(faults, []);
    },
  };
}
