/** Question 33: the longest task of the page while a reader drags over a dense line, and drops. */
import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/browser/support/browser.ts';
import { ecosystem } from '../data/catalogue.ts';
import { startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import { atMost, type Bench, type Finding, medianOf, type Question } from '../question.ts';

/** The questions of this file. */
export const dragging: readonly Question[] = [
  { id: '33', title: 'dragging over 17,520 points in Chromium', measure: measureDragging },
];

const pointCount = 17_520;
/** Close enough for less than 60 days, over which points are drawn one by one. */
const intervalMs = 290_000;
const end = Date.UTC(2026, 5, 30);

/** The most that a frame has, in milliseconds. */
const frameMs = 16;

async function measureDragging(bench: Bench): Promise<readonly Finding[]> {
  await using server = await startServe(bench, await keptStore(bench, ecosystem));
  const browser = await openBrowser();
  try {
    const rounds: DragFigures[] = [];
    for (let round = 0; round <= (bench.isQuick ? 1 : 5); round++) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      await openLine(page, server.url);
      const figures = await dragOnce(page);
      await context.close();
      bench.say(
        `longest task: ${figures.dragMs.toFixed(1)} ms dragging, ${figures.dropMs.toFixed(1)} ms after dropping`,
      );
      if (round > 0) rounds.push(figures);
    }
    const demand = atMost(frameMs);
    return [
      {
        what: 'CPU time of the longest task while dragging',
        unit: ' ms',
        ours: medianOf(rounds, ({ dragMs }) => dragMs),
        demand,
      },
      {
        what: 'CPU time of the longest task after dropping',
        unit: ' ms',
        ours: medianOf(rounds, ({ dropMs }) => dropMs),
        demand,
      },
    ];
  } finally {
    await browser.close();
  }
}

/** Shows a made line in a page of the server: it draws whatever the interface answers. */
async function openLine(page: Page, url: string): Promise<void> {
  const times = Array.from({ length: pointCount }, (_, index) => end - (pointCount - 1 - index) * intervalMs);
  const values = times.map((_, index) =>
    Math.round(5000 + 2000 * Math.sin(index / 46) + ((index * 977) % 311)),
  );
  const chart = {
    chartId: 'players',
    type: 'single_linechart',
    title: 'Players',
    isDefault: true,
    settings: { lineName: 'Players' },
    first: times[0],
    last: times.at(-1),
    latest: [times.at(-1), values.at(-1)],
  };
  await page.route('**/api/v2/plugins/*', (route) =>
    route.fulfill({ json: { id: 1, name: 'Dense', charts: [chart], events: [] } }),
  );
  await page.route('**/api/v2/series?*', (route) => route.fulfill({ json: { times, series: [{ values }] } }));
  await page.goto(`${url}/about`);
  await page.evaluate(`document.body.prepend(Object.assign(document.createElement('plugin-chart'), { id: 'dense' }));
    for (const [name, value] of [['plugin', '1'], ['chart', 'players'], ['range', 'all']]) dense.setAttribute(name, value);`);
  await page.locator('#dense').getByRole('slider').waitFor();
}

interface DragFigures {
  readonly dragMs: number;
  readonly dropMs: number;
}

async function dragOnce(page: Page): Promise<DragFigures> {
  const box = await page.locator('#dense').getByRole('slider').boundingBox();
  if (box === null) throw new Error('the line is not drawn');
  const y = box.y + box.height / 2;
  const xAt = (part: number) => box.x + part * box.width;
  await page.mouse.move(xAt(0.02), y);
  await page.mouse.down();
  const dragMs = await longestTask(page, async () => {
    for (let step = 1; step <= 60; step++) await page.mouse.move(xAt(0.02 + step * 0.015), y);
  });
  const dropMs = await longestTask(page, async () => {
    await page.mouse.up();
    await page
      .locator('#dense')
      .getByText(/from .* until /)
      .first()
      .waitFor();
  });
  return { dragMs, dropMs };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** The time of the processor, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Measures the longest task of the page's main thread, in milliseconds of CPU time: script, style, layout and paint. */
async function longestTask(page: Page, act: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as readonly TraceEvent[]));
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline', '__metadata'] },
  });
  await act();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const mainThreads = new Set(events.filter(({ args }) => args?.name === 'CrRendererMain').map(threadOf));
  const tasks = events.filter((event) => event.name === 'RunTask' && mainThreads.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('the browser traced no task of the page');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
