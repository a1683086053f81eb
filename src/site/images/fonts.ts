/** Fonts of PNGs, and the fontconfig settings that select them, so that all machines use the same fonts. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../model/app-error.ts';
import { listOwnFiles, ownFolder, readOwnFile } from '../../runtime/own-program.ts';

const settingsName = 'fonts.conf';

/** Fontconfig settings in the package. */
export const fontconfigFile: string = join(ownFolder, 'fonts', settingsName);

/**
 * Copies the fonts to a cache folder, and returns the settings there. The copy is needed because fonts are
 * opened again for every size, even while an upgrade replaces the package. If the copy fails, returns the
 * settings in the package.
 */
export function keepFonts(cacheFolder: string): string {
  const files = readFonts();
  const hash = createHash('sha256');
  for (const { name, bytes } of files) hash.update(name).update(bytes);
  const kept = join(cacheFolder, `plugin-metrics-fonts-${hash.digest('hex').slice(0, 16)}`);
  const settings = join(kept, settingsName);
  try {
    if (!existsSync(settings)) copyTo(kept, files);
  } catch {
    // The disk may be full, the user may have no such folder, or another process may have made the copy
    // first.
  }
  return existsSync(settings) ? settings : fontconfigFile;
}

/**
 * Reads the fonts, and the settings of fontconfig.
 * @throws AppError `unavailable` if a file cannot be read.
 */
export function readFonts(from = 'fonts'): readonly FontFile[] {
  try {
    return listOwnFiles(from)
      .filter((name) => name === settingsName || name.endsWith('.ttf'))
      .map((name) => ({ name, bytes: readOwnFile(`${from}/${name}`) }));
  } catch (cause) {
    const place = resolve(ownFolder, from);
    throw new AppError('unavailable', `the fonts in ${place} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
}

interface FontFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Writes files into a folder that appears with all of them. */
function copyTo(kept: string, files: readonly FontFile[]): void {
  mkdirSync(dirname(kept), { recursive: true });
  const made = mkdtempSync(`${kept}-`);
  try {
    for (const { name, bytes } of files) writeFileSync(join(made, name), bytes);
    renameSync(made, kept);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
