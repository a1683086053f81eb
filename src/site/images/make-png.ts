/** Converts SVGs to PNGs. Like all large bodies, few are made at a time. */
import { createRequire } from 'node:module';
import { AppError } from '../../model/app-error.ts';
import { isSingleFile } from '../../runtime/own-program.ts';

const require = createRequire(import.meta.url);

/** Density at which one SVG unit is one pixel. */
const densityPerScale = 72;

/**
 * At level 1, files are half as large again and take as long; at 6, the default of sharp, they take a third
 * longer and are an eighth smaller.
 */
const compressionLevel = 2;

let makingCount = 0;

/** Resolves when all earlier PNGs are made. */
let made: Promise<unknown> = Promise.resolve();

/** True if no PNG is being made. */
export function isIdle(): boolean {
  return makingCount === 0;
}

/**
 * Draws an SVG and converts it to a PNG with `scale` pixels per SVG unit, using the optional package `sharp`,
 * which is loaded on first use. Only one is made at a time, because the largest takes 60 MB. Rejects as
 * `draw` does.
 * @throws AppError `unavailable`, `png-unavailable` if sharp is not installed.
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
 * Loads sharp, once. A failed `require` can be retried, unlike a failed import.
 * @throws AppError as {@link makePng}.
 */
export function loadSharp(): typeof import('sharp')['default'] {
  try {
    const sharp: typeof import('sharp')['default'] = require('sharp');
    // Uses one thread per picture, and no cache, because no SVG is converted twice.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  } catch (cause) {
    const wayOut = isSingleFile
      ? 'with "npm install sharp" in the folder of the executable'
      : 'by installing plugin-metrics with its optional packages';
    const message = `PNGs need the optional package sharp, which this server does not have; its operator can add it ${wayOut}`;
    throw new AppError('png-unavailable', message, { cause });
  }
}
