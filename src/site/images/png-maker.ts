/** Makes PNGs from SVGs, few at a time. The work queue bounds the number of those that wait. */
import { fileURLToPath } from 'node:url';
import { AppError } from '../../model/app-error.ts';

/**
 * The fontconfig settings of PNGs: the same fonts on every machine. The environment must name this file in `FONTCONFIG_FILE`
 * before the first PNG is made.
 */
export const fontconfigFile: string = fileURLToPath(new URL('../../../fonts/fonts.conf', import.meta.url));

/** The density at which an SVG has one pixel for each of its own. */
const densityPerScale = 72;

/**
 * At 1, files are half as large again and take as long; at 6, sharp's default, they take a third longer and are an eighth
 * smaller.
 */
const compressionLevel = 2;

/** Makes PNGs with the optional package `sharp`, which the first one loads. */
export class PngMaker {
  readonly #maxAtOnce: number;
  readonly #waiting: (() => void)[] = [];
  #makingCount = 0;

  constructor(maxAtOnce: number) {
    this.#maxAtOnce = maxAtOnce;
  }

  /** True if a PNG would start at once. */
  get isIdle(): boolean {
    return this.#makingCount < this.#maxAtOnce;
  }

  /**
   * Waits for its turn, draws an SVG, and makes a PNG with `scale` pixels for each of the SVG's own. Rejects as `draw` does.
   * @throws AppError `unavailable`, `png-unavailable` without sharp.
   */
  async make(draw: () => Promise<string>, scale: number): Promise<Uint8Array> {
    const sharp = await loadSharp();
    if (this.isIdle) this.#makingCount++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await sharp(Buffer.from(await draw()), { density: densityPerScale * scale })
        .png({ compressionLevel })
        .toBuffer();
    } finally {
      this.#leave();
    }
  }

  /** Hands its place to the caller that has waited longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#makingCount--;
    else next();
  }
}

async function loadSharp() {
  try {
    const { default: sharp } = await import('sharp');
    // One thread for each picture, and no cache, because no picture is made twice from the same SVG.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  } catch (cause) {
    const message =
      'PNGs need the optional package sharp, which this server does not have; its operator can add it by installing plugin-metrics with its optional packages';
    throw new AppError('unavailable', message, { kind: 'png-unavailable', cause });
  }
}
