/** The files that `npm run build:browser` makes from `site/browser/` and `site/style/`. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '../../model/app-error.ts';

/** The files with their media types: the custom element and what it loads later, the scripts of pages, the style of pages. */
export const browserFiles = {
  'embed.js': 'text/javascript; charset=utf-8',
  'explore.js': 'text/javascript; charset=utf-8',
  'compare.js': 'text/javascript; charset=utf-8',
  'early.js': 'text/javascript; charset=utf-8',
  'embed-dialog.js': 'text/javascript; charset=utf-8',
  'site.js': 'text/javascript; charset=utf-8',
  'site.css': 'text/css; charset=utf-8',
} as const;

/** The name of a browser file. */
export type BrowserFileName = keyof typeof browserFiles;

/**
 * Reads a file once.
 * @throws AppError `unavailable` if the file has not been built
 */
export async function readBrowserFile(name: BrowserFileName): Promise<string> {
  return (await find(name)).text;
}

/**
 * The address of a file for pages. It changes with the content, so that a page never runs with the script of another release. If
 * the file has not been built, the address answers with that error.
 */
export async function browserFilePath(name: BrowserFileName): Promise<string> {
  const file = await find(name).catch(() => undefined);
  return file === undefined ? `/${name}` : `/${name}?v=${file.version}`;
}

interface BrowserFile {
  readonly text: string;
  readonly version: string;
}

// From src/site/assets/ and from dist/site/assets/ alike.
const folder = new URL('../../../dist/browser/', import.meta.url);
/** At most these files: they come with the program, so every server in the process has the same. */
const known = new Map<BrowserFileName, Promise<BrowserFile>>();

function find(name: BrowserFileName): Promise<BrowserFile> {
  let file = known.get(name);
  if (file === undefined) {
    file = read(name);
    known.set(name, file);
    // The next request tries again: the file may have been built by then.
    file.catch(() => known.delete(name));
  }
  return file;
}

async function read(name: BrowserFileName): Promise<BrowserFile> {
  const text = await readFile(new URL(name, folder), 'utf8').catch((cause: unknown) => {
    const message = `dist/browser/${name} is missing on this server; npm run build:browser makes it`;
    throw new AppError('unavailable', message, { kind: 'script-unavailable', cause });
  });
  return { text, version: createHash('sha256').update(text).digest('base64url').slice(0, 8) };
}
