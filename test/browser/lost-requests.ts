// Requests that are lost between browser and server: a page gets them by itself, its own and one of somebody
// else.
import assert from 'node:assert/strict';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';
import { pageTest } from './support/open-page.ts';
import { recordShifts } from './support/pages.ts';
import { buttonIn, searchIn, sliderIn } from './support/roles.ts';
import { embedHtml, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();

/** Fails a request in one way. */
type Fault = (response: ServerResponse) => void;

const refuse =
  (status: number, retryAfter = '0'): Fault =>
  (response) =>
    response.writeHead(status, { ...crossOrigin, 'Retry-After': retryAfter }).end();

const crossOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After',
};

const faults: Readonly<Record<string, Fault>> = {
  'a connection that breaks': (response) => response.socket?.destroy(),
  'an answer that breaks off': (response) => {
    response.writeHead(200, { ...crossOrigin, 'Content-Length': '100000' });
    response.write('{"name":"Exa', () => response.socket?.destroy());
  },
  'an overloaded server': refuse(503, '1'),
  'a limit of requests': refuse(429, new Date(0).toUTCString()),
};

/** The requests to each path, and the fault of one of them. */
const asked = new Map<string, number>();
let faultOf = (_path: string, _count: number): Fault | undefined => undefined;

/** Forgets what was asked, and fails requests in this way from now on. */
function failBy(next: typeof faultOf): void {
  asked.clear();
  faultOf = next;
}

/** The site behind a proxy that fails requests. */
const proxy = createServer(({ url: path = '', headers }, response) => {
  const count = (asked.get(path) ?? 0) + 1;
  asked.set(path, count);
  const fault = faultOf(path, count);
  if (fault !== undefined) return fault(response);
  request(server + path, { headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  }).end();
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
after(() => proxy.close());
const { port } = proxy.address() as AddressInfo;
const proxied = `http://127.0.0.1:${port}`;

const isData = (path: string) => path.startsWith('/api/v2/');
const charts = '<plugin-chart plugin="1337" chart="players"></plugin-chart>'.repeat(3);

for (const [name, fault] of Object.entries(faults))
  pageTest(
    `charts get over ${name} without a click, on a page and on another site`,
    { mayFail: true },
    async ({ page }) => {
      for (const [at, count] of [
        [`${proxied}/plugin/bukkit/ExamplePlugin/1337`, 2],
        [await embedHtml(proxied, charts), 3],
      ] as const) {
        // Ends the requests of the page before.
        await page.goto('about:blank');
        failBy((path, count) => (isData(path) && count <= 3 ? fault : undefined));
        await page.goto(at);
        await waitUntil(async () => (await page.locator('.chart-box > svg').count()) >= count);
      }
      // One success serves all that wait for it.
      for (const [path, count] of asked) if (isData(path)) assert.deepEqual([path, count], [path, 4]);
    },
  );

/** Opens a page in which no request for points succeeds, with a clock of its own. */
async function openFailing(page: Page, fault: Fault): Promise<() => number> {
  const isSeries = (path: string) => path.startsWith('/api/v2/series');
  failBy((path) => (isSeries(path) ? fault : undefined));
  await page.clock.install();
  await page.goto(await embedHtml(proxied, charts));
  await buttonIn(page, 'Try again').nth(2).waitFor();
  return () => [...asked].find(([path]) => isSeries(path))?.[1] ?? 0;
}

pageTest('Retry-After is heeded, but not by a reader who asks', { mayFail: true }, async ({ page }) => {
  const askedCount = await openFailing(page, refuse(503, '3600'));
  await page.clock.fastForward(3500_000);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  assert.equal(askedCount(), 1);
  await page.clock.fastForward(300_000);
  await waitUntil(() => askedCount() === 2);
  faultOf = () => undefined;
  // Again, since the last refusal may not have come to the page yet.
  await waitUntil(async () => {
    await buttonIn(page, 'Try again')
      .first()
      .click({ timeout: 1000 })
      .catch(() => {});
    return (await sliderIn(page).count()) === 3;
  });
  assert.equal(askedCount(), 3);
});

pageTest(
  'a page that comes online, or is looked at again, asks at once, and a hidden one does not',
  { mayFail: true },
  async ({ page, requests }) => {
    await openFailing(page, refuse(503));
    const sentCount = () => requests.filter((url) => url.includes('/api/v2/series')).length;
    const hide = (isHidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await hide(true);
    const before = sentCount();
    // From here on no timer ends a wait.
    await page.clock.pauseAt(Date.now() + 3600_000);
    assert.equal(sentCount(), before);
    await hide(false);
    await waitUntil(() => sentCount() > before);
    faultOf = () => undefined;
    // Again, since the last refusal may not have come to the page yet.
    await waitUntil(async () => {
      await page.context().setOffline(true);
      await page.context().setOffline(false);
      return (await sliderIn(page).count()) === 3;
    });
  },
);

pageTest('nothing moves while a page still comes, wherever it pauses', {}, async ({ page }) => {
  const path = '/plugin/bukkit/ExamplePlugin/1337';
  const answer = await fetch(server + path);
  const html = Buffer.from(await answer.arrayBuffer());
  const shifts = await recordShifts(page);
  for (let cut = 2000; cut < html.length; cut += 1000) {
    failBy((asked) =>
      asked === path
        ? (response) => {
            response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
            response.write(html.subarray(0, cut));
            setTimeout(() => response.end(html.subarray(cut)), 200);
          }
        : undefined,
    );
    await page.goto(proxied + path);
    await page.locator('#players .chart-box > svg').waitFor();
    assert.deepEqual([cut, await shifts()], [cut, []]);
  }
});

pageTest('a search that was lost is made again', { mayFail: true }, async ({ page }) => {
  await page.goto(proxied);
  failBy((path, count) => (path.startsWith('/?q=harb') && count <= 2 ? refuse(503) : undefined));
  await searchIn(page).fill('harb');
  await page.locator('#plugins').getByText('3 plugins').waitFor();
});
