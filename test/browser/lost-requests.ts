// Requests that are lost between browser and server: a page gets them by itself, its own and one of somebody else.
import assert from 'node:assert/strict';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';
import { pageTest } from './support/open-page.ts';
import { buttonIn, searchIn, sliderIn } from './support/roles.ts';
import { embedHtml, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();

/** Fails a request in one way. */
type Fault = (response: ServerResponse) => void;

const refuse =
  (status: number, headers: Readonly<Record<string, string>> = {}): Fault =>
  (response) =>
    // A page of another site reads the header of a server that lets it.
    response
      .writeHead(status, {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': 'Retry-After',
        ...headers,
      })
      .end();

const faults: Readonly<Record<string, Fault>> = {
  'a connection that breaks': (response) => response.socket?.destroy(),
  'an answer that breaks off': (response) => {
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Length': '100000' });
    response.write('{"name":"Exa', () => response.socket?.destroy());
  },
  'an overloaded server': refuse(503, { 'Retry-After': '1' }),
  'a limit of requests': refuse(429, { 'Retry-After': new Date(0).toUTCString() }),
  'a proxy without its server': refuse(502),
};

/** Serves the site behind a proxy that fails the requests that `faultOf` names, until the tests of the file end. */
async function openProxy() {
  const proxy = {
    url: '',
    faultOf: (_path: string, _count: number): Fault | undefined => undefined,
    /** The requests for each path; `answered` are those that did not fail. */
    asked: new Map<string, number>(),
    answered: new Map<string, number>(),
  };
  const countIn = (counts: Map<string, number>, path: string) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count;
  };
  const listener = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    const fault = proxy.faultOf(path, countIn(proxy.asked, path));
    if (fault !== undefined) return fault(response);
    countIn(proxy.answered, path);
    const { host: _, ...headers } = incoming.headers;
    const outgoing = request(server + path, { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  after(() => {
    listener.closeAllConnections();
    listener.close();
  });
  proxy.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return proxy;
}

const proxy = await openProxy();
const isData = (path: string) => path.startsWith('/api/v2/');
const isSeries = (path: string) => path.startsWith('/api/v2/series');
const charts = '<plugin-chart plugin="1337" chart="players"></plugin-chart>'.repeat(3);

/** Forgets what was asked, and fails requests in this way from now on. */
function failBy(faultOf: typeof proxy.faultOf): void {
  proxy.asked.clear();
  proxy.answered.clear();
  proxy.faultOf = faultOf;
}

/** Waits until the charts in the window are drawn. */
const drawnIn = (page: Page, count: number) =>
  waitUntil(async () => (await page.locator('.stage > svg').count()) >= count);

for (const [name, fault] of Object.entries(faults))
  pageTest(
    `charts get over ${name}, without a click, on a page and on another site`,
    { mayFail: true },
    async ({ page }) => {
      failBy((path, count) => (isData(path) && count <= 3 ? fault : undefined));
      await page.goto(`${proxy.url}/plugin/bukkit/ExamplePlugin/1337`);
      await drawnIn(page, 2);
      failBy((path, count) => (isData(path) && count <= 3 ? fault : undefined));
      await page.goto(await embedHtml(proxy.url, charts));
      await drawnIn(page, 3);
      // One success serves all that wait for it.
      for (const [path, count] of proxy.answered)
        if (isData(path)) assert.deepEqual([path, count], [path, 1]);
    },
  );

pageTest('Retry-After is heeded, but not by a reader who asks', { mayFail: true }, async ({ page }) => {
  failBy((path) => (isSeries(path) ? refuse(503, { 'Retry-After': '3600' }) : undefined));
  await page.clock.install();
  await page.goto(await embedHtml(proxy.url, charts));
  await buttonIn(page, 'Try again').nth(2).waitFor();
  const askedCount = () =>
    [...proxy.asked].filter(([path]) => isSeries(path)).reduce((sum, [, count]) => sum + count, 0);
  assert.equal(askedCount(), 1);
  await page.clock.fastForward(3500_000);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  assert.equal(askedCount(), 1);
  await page.clock.fastForward(300_000);
  await waitUntil(() => askedCount() === 2);
  proxy.faultOf = () => undefined;
  await buttonIn(page, 'Try again').first().click();
  await sliderIn(page).nth(2).waitFor();
  assert.equal(askedCount(), 3);
});

pageTest(
  'a page that comes online, or is looked at again, asks at once, and a hidden one does not',
  { mayFail: true },
  async ({ page }) => {
    const hide = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    failBy((path) => (isSeries(path) ? refuse(503) : undefined));
    await page.clock.install();
    await page.goto(await embedHtml(proxy.url, charts));
    await buttonIn(page, 'Try again').nth(2).waitFor();
    await hide(true);
    const asked = () => [...proxy.asked].find(([path]) => isSeries(path))?.[1] ?? 0;
    const before = asked();
    // From here on no timer ends a wait.
    await page.clock.pauseAt(Date.now() + 3600_000);
    assert.equal(asked(), before);
    await hide(false);
    await waitUntil(() => asked() > before);
    proxy.faultOf = () => undefined;
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await sliderIn(page).nth(2).waitFor();
  },
);

pageTest('a search that was lost is made again', { mayFail: true }, async ({ page }) => {
  await page.goto(proxy.url);
  failBy((path, count) => (path.startsWith('/?q=harb') && count <= 2 ? refuse(503) : undefined));
  await searchIn(page).fill('harb');
  await page.locator('#plugins').getByText('The server did not answer.').waitFor();
  await page.locator('#plugins').getByText('3 plugins').waitFor();
});
