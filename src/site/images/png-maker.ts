/** PNGs of SVGs: few at once, few waiting. */
import { AppError } from '../../model/app-error.ts';

/** How many may wait; what is asked for beyond that is refused at once. */
const maxWaiting = 32;

/** What an SVG is drawn with, at 1 for each of its pixels. */
const densityPerScale = 72;

/** Less takes as long, for files half as large again; sharp's own 6 takes a third longer and saves an eighth. */
const compressionLevel = 2;

/** How a PNG is wanted. */
export interface PngOptions {
  /** How many pixels it has for each of the SVG's own. */
  readonly scale: number;
  /** Asked when it has its turn; left out, it is made in any case. */
  readonly isWanted?: () => boolean;
}

/** Makes PNGs, with the optional package `sharp`, which is loaded by the first of them. */
export class PngMaker {
  readonly #maxAtOnce: number;
  readonly #waiting: (() => void)[] = [];
  #makingCount = 0;

  constructor(maxAtOnce: number) {
    this.#maxAtOnce = maxAtOnce;
  }

  /**
   * Draws an SVG once it has its turn, and makes a PNG of it. Rejects as `draw` does.
   * @throws AppError `unavailable`, `pictures-busy` where too many wait already, or where nobody waits for this one when it has
   *   its turn; `png-unavailable` where sharp is not there.
   */
  async make(draw: () => Promise<string>, { scale, isWanted = () => true }: PngOptions): Promise<Uint8Array> {
    const sharp = await loadSharp();
    await this.#enter();
    try {
      if (!isWanted()) throw busy('nobody waits for this picture any more');
      const svg = Buffer.from(await draw());
      return await sharp(svg, { density: densityPerScale * scale })
        .png({ compressionLevel })
        .toBuffer();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#makingCount < this.#maxAtOnce) {
      this.#makingCount++;
      return;
    }
    if (this.#waiting.length >= maxWaiting) {
      throw busy('too many pictures are being made at once; ask again in some seconds');
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands its place to the one that has waited longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#makingCount--;
    else next();
  }
}

function busy(message: string): AppError {
  return new AppError('unavailable', message, { kind: 'pictures-busy' });
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
