/** The pages of a site over the sample, and the checks that apply to each of them. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { OpenPage } from './open-page.ts';

/** A page of every kind. */
export const samplePages: Readonly<Record<string, string>> = {
  'the list': '/',
  'a search without a result': '/?q=nothing+like+it',
  'a software': '/software/bukkit',
  'an owner': '/owner/108',
  'the page about the numbers': '/about',
  'a plugin': '/plugin/bukkit/ExamplePlugin/1337',
  'a plugin with every type of chart': '/plugin/bukkit/ChartMuseum/4242',
  'a plugin without charts': '/plugin/fabric/BareBones/9002',
  'a comparison of nothing': '/compare',
  'a comparison': '/compare?charts=1337:players,2048:players,2049:players&add=a',
  'an indexed comparison': '/compare?charts=1337:servers,2048:servers&mode=indexed&range=90d',
  'a sum': '/compare?charts=1337:players,2048:players&mode=sum',
  'an error': '/no/such/page',
};

/** The point that the slider of a chart names. */
export async function valueText(slider: Locator): Promise<string> {
  return (await slider.getAttribute('aria-valuetext')) ?? '';
}

/** Records how far the layout of later pages moves; the function returns each shift so far. */
export async function recordShifts(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate('shifts');
}

/** Opens a page and waits for its visible content; every request must go to its own server. */
export async function visit(open: OpenPage, address: string): Promise<void> {
  const { page, requests } = open;
  const response = await page.goto(address);
  const isError = (response?.status() ?? 500) >= 400;
  await waitForCharts(page);
  if (isError) {
    // The browser itself reports the status of the page as an error.
    const report = open.faults.findIndex((fault) => /^Failed to load resource: .* 404 /.test(fault));
    assert.notEqual(report, -1);
    open.faults.splice(report, 1);
  }
  const { origin } = new URL(address);
  assert.deepEqual(
    requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:')),
    [],
  );
}

/** Scrolls to the end and back, so that everything has been loaded. */
export async function scrollThrough(page: Page): Promise<void> {
  const sizes = () => page.evaluate(() => [innerHeight, document.documentElement.scrollHeight]);
  for (let y = 0, [step = 0, end = 0] = await sizes(); y < end; y += step) {
    await page.evaluate(async (top) => {
      scrollTo({ top, behavior: 'instant' });
      // In the first frame charts notice their size and their place, before the second they are drawn or
      // load.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, y);
    await waitForCharts(page);
    [step = 0, end = 0] = await sizes();
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
}

/** Waits until every chart near the window has loaded. */
async function waitForCharts(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('plugin-chart')].every((chart) => {
      const { top } = chart.getBoundingClientRect();
      const box = chart.shadowRoot?.querySelector('.box');
      return top > innerHeight || top < 0 || box?.getAttribute('aria-busy') === 'false';
    }),
  );
}
