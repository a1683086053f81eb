/** Question 24: bytes that a browser loads for a page, and the time until the page is complete. */
import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/browser/support/browser.ts';
import { ecosystem, exampleLine } from '../data/catalogue.ts';
import { startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import { atMost, type Bench, type Finding, medianOf, type Question } from '../question.ts';

/** Questions of this file. */
export const pages: readonly Question[] = [
  { id: '24', title: 'a first visit in Chromium', measure: measureVisits },
];

const kilobyte = 1024;

async function measureVisits(bench: Bench): Promise<readonly Finding[]> {
  await using server = await startServe(bench, await keptStore(bench, ecosystem));
  await using browser = await openBrowser();
  const findings: Finding[] = [];
  for (const { what, path, maxBytes } of [
    { what: 'the list of 30,000 plugins', path: '/', maxBytes: 60 * kilobyte },
    {
      what: 'a plugin with 12 charts, all of them seen',
      path: `/plugin/${exampleLine(ecosystem).pluginId}`,
      maxBytes: 120 * kilobyte,
    },
  ]) {
    const looks: VisitFigures[] = [];
    for (let round = 0; round <= 5; round++) {
      // A new context has an empty cache.
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const look = await visitOnce(await context.newPage(), server.url + path);
      await context.close();
      bench.say(`${what}: ${look.completeMs.toFixed(0)} ms, ${look.sizeBytes} B`);
      // The first visit is a warm-up: the server loads the code of the page, and the browser its own.
      if (round > 0) looks.push(look);
    }
    const sizeBytes = medianOf(looks, (look) => look.sizeBytes);
    const completeMs = medianOf(looks, (look) => look.completeMs);
    findings.push(
      { what: `${what}: bytes loaded`, unit: ' B', figure: sizeBytes, demand: atMost(maxBytes) },
      { what: `${what}: complete`, unit: ' ms', figure: completeMs, demand: atMost(300) },
    );
  }
  return findings;
}

interface VisitFigures {
  readonly sizeBytes: number;
  /**
   * Time from the start of the navigation to the last of these: the load event, the last response, the frame
   * with the last visible chart.
   */
  readonly completeMs: number;
}

async function visitOnce(page: Page, url: string): Promise<VisitFigures> {
  let sizeBytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    sizeBytes += encodedDataLength;
  });
  await page.addInitScript(noteDrawn);
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  await page.waitForFunction('globalThis.drawnMs');
  // These times come from the browser itself; the idle state is detected half a second late.
  const completeMs = await page.evaluate<number>(completeMsText);
  await page.evaluate(scrollThrough);
  await page.waitForLoadState('networkidle');
  return { sizeBytes, completeMs };
}

// A string, because the bench is type-checked without browser types.
const noteDrawn = `(() => {
  const isDrawn = (chart) =>
    chart.getBoundingClientRect().top >= innerHeight || chart.shadowRoot?.querySelector('.stage > svg');
  const look = () => {
    const areDrawn = document.readyState !== 'loading' && [...document.querySelectorAll('plugin-chart')].every(isDrawn);
    requestAnimationFrame(areDrawn ? () => { globalThis.drawnMs = performance.now() } : look);
  };
  requestAnimationFrame(look);
})()`;

const completeMsText = `Math.max(
  globalThis.drawnMs,
  ...performance.getEntriesByType('navigation').map((entry) => entry.loadEventEnd),
  ...performance.getEntriesByType('resource').map((entry) => entry.responseEnd),
)`;

const scrollThrough = `(async () => {
  for (let y = 0; y < document.body.scrollHeight; y += 400) {
    scrollTo(0, y);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
})()`;
