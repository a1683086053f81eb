/** A real Chromium, headless, driven by playwright-core. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usualPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts the Chromium named by the environment variable CHROMIUM, or the system's. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? usualPaths.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error('there is no Chromium: apt-get install chromium, or name one in CHROMIUM');
  return chromium.launch({
    executablePath,
    timeout: 120_000,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
