/** Makes PNGs from SVGs. Few are made at a time, as of all large bodies. */
import { createRequire } from 'node:module';
import { AppError } from '../../model/app-error.ts';

const require = createRequire(import.meta.url);

/** The density at which an SVG has one pixel for each of its own. */
const densityPerScale = 72;

/**
 * At 1, files are half as large again and take as long; at 6, sharp's default, they take a third longer and are an eighth
 * smaller.
 */
const compressionLevel = 2;

let makingCount = 0;

/** Resolves when the PNGs before the next one are made. */
let made: Promise<unknown> = Promise.resolve();

/** True if no PNG is being made. */
export function isIdle(): boolean {
  return makingCount === 0;
}

/**
 * Draws an SVG and makes a PNG with `scale` pixels for each of its own, with the optional package `sharp`, which the first one loads. One is made at
 * a time: the largest takes 60 MB. Rejects as `draw` does.
 * @throws AppError `unavailable`, `png-unavailable` without sharp.
 */
export async function makePng(draw: () => Promise<string>, scale: number): Promise<Uint8Array> {
  const sharp = loadSharp();
  makingCount++;
  try {
    const svg = Buffer.from(await draw());
    const make = () =>
      sharp(svg, { density: densityPerScale * scale })
        .png({ compressionLevel })
        .toBuffer();
    const png = made.then(make, make);
    made = png;
    return await png;
  } finally {
    makingCount--;
  }
}

/**
 * Loads sharp, which stays loaded. Unlike an import, a `require` that failed is tried again.
 * @throws AppError as {@link makePng}.
 */
export function loadSharp(): typeof import('sharp')['default'] {
  try {
    const sharp: typeof import('sharp')['default'] = require('sharp');
    // One thread for each picture, and no cache, because no picture is made twice from the same SVG.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  } catch (cause) {
    const message =
      'PNGs need the optional package sharp, which this server does not have; its operator can add it by installing plugin-metrics with its optional packages';
    throw new AppError('png-unavailable', message, { cause });
  }
}
