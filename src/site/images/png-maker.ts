/** Makes PNGs of SVGs, few at once. The work queue bounds how many wait. */
import { fileURLToPath } from 'node:url';
import { AppError } from '../../model/app-error.ts';

/**
 * The fontconfig settings of PNGs: the same fonts on every machine. The environment must name this file in `FONTCONFIG_FILE`
 * before the first PNG is made.
 */
export const fontconfigFile: string = fileURLToPath(new URL('../../../fonts/fonts.conf', import.meta.url));

/** What an SVG is drawn with, at 1 for each of its pixels. */
const densityPerScale = 72;

/** Less takes as long, for files half as large again; sharp's own 6 takes a third longer and saves an eighth. */
const compressionLevel = 2;

/** Makes PNGs, with the optional package `sharp`, which is loaded by the first of them. */
export class PngMaker {
  readonly #maxAtOnce: number;
  readonly #waiting: (() => void)[] = [];
  #makingCount = 0;

  constructor(maxAtOnce: number) {
    this.#maxAtOnce = maxAtOnce;
  }

  /** True if a PNG that is asked for now would be begun at once. */
  get isIdle(): boolean {
    return this.#makingCount < this.#maxAtOnce;
  }

  /**
   * Draws an SVG once there is room for it, and makes a PNG of it, with so many pixels for each of the SVG's own. Rejects as
   * `draw` does.
   * @throws AppError `unavailable`, `png-unavailable` where sharp is not there.
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

  /** Hands its place to the one that has waited longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#makingCount--;
    else next();
  }
}

async function loadSharp() {
  try {
    const { default: sharp } = await import('sharp');
    // One thread for each picture, and nothing kept: no picture is made twice from the same SVG.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  } catch (cause) {
    const message =
      'PNGs need the optional package sharp, which this server does not have; its operator can add it: npm install sharp';
    throw new AppError('unavailable', message, { kind: 'png-unavailable', cause });
  }
}
