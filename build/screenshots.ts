/**
 * `npm run screenshots`: serves the sample and writes the pictures of the documentation to docs/images/. It
 * uses the fonts of the project, so that every machine produces the same pictures.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { fontconfigFile } from '../src/site/images/fonts.ts';
import { openBrowser } from '../test/browser/support/browser.ts';
import { buildForBrowsers } from './browser.ts';

/** A page to capture, with its size. */
interface Screenshot {
  /** File name without extension. */
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  /** Prepares the page; returns the element to capture. */
  readonly open?: (page: Page) => Promise<Locator>;
}

/** Size limit of a picture, so that the README loads fast. */
const maxSizeBytes = 120_000;

/** Server URL in screenshots, the same as in the documents. */
const publicUrl = 'https://metrics.example.org';

/** The time that the pictures show. */
const now = '2026-06-30T23:30Z';

const desk = { width: 1160, height: 760 };
const pluginPath = '/plugin/bukkit/ExamplePlugin/1337';
const plugin = { path: pluginPath, ...desk, height: 800 };

const screenshots: readonly Screenshot[] = [
  { name: 'list', path: '/?sort=name', ...desk, colorScheme: 'light' },
  { name: 'plugin-light', ...plugin, colorScheme: 'light' },
  { name: 'plugin-dark', ...plugin, colorScheme: 'dark' },
  {
    name: 'compare',
    path: '/compare?charts=1337:players,2048:players,2049:players&range=7d&axis=log',
    ...desk,
    height: 880,
    colorScheme: 'light',
    open: async (page) => {
      const { x, y, width, height } = await boxOf(page.getByRole('slider'));
      await page.mouse.move(x + width * 0.55, y + height * 0.45);
      return page.locator('.comparison');
    },
  },
  {
    name: 'zoom',
    path: `${pluginPath}?range=90d`,
    ...desk,
    colorScheme: 'light',
    open: async (page) => {
      const chart = page.locator('#players plugin-chart');
      await chart.scrollIntoViewIfNeeded();
      const { x, y, width } = await boxOf(chart.getByRole('slider'));
      await page.mouse.move(x + width * 0.4, y + 60);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.62, y + 60, { steps: 5 });
      return chart;
    },
  },
  { name: 'phone', path: pluginPath, width: 390, height: 844, colorScheme: 'dark' },
  {
    name: 'dialog',
    path: `${pluginPath}#players`,
    ...desk,
    height: 900,
    colorScheme: 'light',
    open: async (page) => {
      await page.locator('#players [data-embed]').click();
      await page.waitForLoadState('networkidle');
      return page.getByRole('dialog');
    },
  },
];

async function boxOf(locator: Locator) {
  await locator.waitFor();
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`${locator} is not shown`);
  return box;
}

/** Paths of pictures that the server draws, by file name. */
const drawings: Readonly<Record<string, string>> = {
  'overview-light.png': '/embed/1337.png?theme=light',
  'overview-dark.png': '/embed/1337.png?theme=dark',
  'players.png': '/embed/1337/players.png',
  'server-software.png': '/embed/1337/serverSoftware.png?width=600',
  'players-year.png': '/embed/1337/players.png?range=1y',
  'plugin-versions.png': '/embed/1337/pluginVersion.png?view=history&range=1y',
  'ladder.png': '/embed/1337/minecraftVersion.png?view=ladder&group=minor&height=340',
  'versions.png': '/embed/1337/minecraftVersion.png?view=history&range=1y',
  'java.png': '/embed/1337/javaVersion.png?view=history&range=all',
  'badge.svg': '/badge/1337/players.svg?label=players',
};

const directory = new URL('../docs/images/', import.meta.url);

async function takeScreenshot(browser: Browser, server: string, screenshot: Screenshot): Promise<void> {
  const { name, path, width, height, colorScheme, open } = screenshot;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: 1.5,
    reducedMotion: 'reduce',
  });
  await context.route(`${publicUrl}/**`, async (route) => {
    const url = route.request().url().replace(publicUrl, server);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  const page = await context.newPage();
  // Otherwise the page says that its numbers are old.
  await page.clock.setFixedTime(now);
  await page.goto(publicUrl + path, { waitUntil: 'networkidle' });
  const shown = (await open?.(page)) ?? page;
  const picture = await shown.screenshot();
  await context.close();
  await write(`${name}.png`, picture);
}

async function saveDrawing(server: string, name: string, path: string): Promise<void> {
  const response = await fetch(server + path);
  if (!response.ok) throw new Error(`${path} answers ${response.status}`);
  await write(name, await response.bytes());
}

async function write(name: string, picture: Uint8Array): Promise<void> {
  const isPng = name.endsWith('.png');
  const bytes = isPng ? await sharp(picture).png({ palette: true, effort: 10 }).toBuffer() : picture;
  if (bytes.length > maxSizeBytes) throw new Error(`${name} has ${bytes.length} bytes`);
  writeFileSync(new URL(name, directory), bytes);
  process.stdout.write(`docs/images/${name}: ${bytes.length} bytes\n`);
}

/** Starts the server with the sample; returns its process and address. */
async function startSample(): Promise<{ readonly process: ChildProcess; readonly address: string }> {
  const start = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [start, 'demo', '--port', '0', '--now', now], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address !== undefined) return { process: child, address };
  }
  throw new Error('the sample does not start');
}

process.env['FONTCONFIG_FILE'] = fontconfigFile;
await buildForBrowsers();
mkdirSync(directory, { recursive: true });
const sample = await startSample();
const browser = await openBrowser();
try {
  for (const screenshot of screenshots) await takeScreenshot(browser, sample.address, screenshot);
  for (const [name, path] of Object.entries(drawings)) await saveDrawing(sample.address, name, path);
} finally {
  await browser.close();
  const stopped = once(sample.process, 'close');
  sample.process.kill('SIGTERM');
  await stopped;
}
