/**
 * Serves the files that `npm run build:browser` makes from `site/browser/` and `site/style/`. Their names
 * contain a hash of their content, so a page or script never loads a file of another release.
 */
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Endpoint } from '../../http/endpoint.ts';
import { AppError } from '../../model/app-error.ts';
import { isSingleFile, listOwnFiles, ownFolder, readOwnFile } from '../../runtime/own-program.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const folder = 'dist/browser';

/**
 * True in the executable, and in the installed package, which always has the folder except during an upgrade;
 * a checkout has it only once it is built.
 */
const isPackage = isSingleFile || import.meta.url.endsWith('.js');

let read: ReadonlyMap<string, string> | undefined;

/** Returns the texts of the files by name, and ignores files that the current build does not make. */
function files(): ReadonlyMap<string, string> {
  read ??= new Map(
    (isPackage || existsSync(join(ownFolder, folder)) ? listOwnFiles(folder) : [])
      .filter((name) => /-[A-Z0-9]{8}\.(?:css|js)$/.test(name))
      .map((name) => [name, readOwnFile(`${folder}/${name}`).toString()]),
  );
  return read;
}

/**
 * Returns the name of the file built from a source. If it is not built, returns the name of the source, which
 * then answers 404.
 */
function nameOf(source: 'early.js' | 'embed.js' | 'site.css' | 'site.js'): string {
  const [stem = '', extension = ''] = source.split('.');
  const pattern = new RegExp(`^${stem}-[A-Z0-9]{8}\\.${extension}$`);
  return [...files().keys()].find((name) => pattern.test(name)) ?? source;
}

/** Paths of the files that every page loads, and of the scripts that its script imports first. */
export interface PageFiles {
  readonly early: string;
  readonly style: string;
  readonly script: string;
  readonly parts: readonly string[];
}

let ofPages: PageFiles | undefined;

/** Finds the files that every page loads. They are read once, with the endpoints. */
export function pageFiles(): PageFiles {
  const script = nameOf('site.js');
  ofPages ??= {
    early: `/${nameOf('early.js')}`,
    style: `/${nameOf('site.css')}`,
    script: `/${script}`,
    parts: [...(files().get(script) ?? '').matchAll(/(?:\}from|\bimport)"\.(\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    ),
  };
  return ofPages;
}

/**
 * Makes the endpoints of the files, which never change, and of the element, whose path is in pages of other
 * sites.
 * @throws the error of a file that cannot be read; the next call tries again.
 */
export function browserFileEndpoints(): readonly Endpoint[] {
  return [
    ...[...files().keys()].map((name) =>
      fileEndpoint(name, { file: name, cacheControl: 'public, max-age=31536000, immutable' }),
    ),
    // The element imports parts by hashed names, which disappear with an upgrade, so it is cached only
    // briefly.
    fileEndpoint('embed.js', { file: nameOf('embed.js'), cacheControl: 'public, max-age=60' }),
  ];
}

function fileEndpoint(
  name: string,
  { file, cacheControl }: { readonly file: string; readonly cacheControl: string },
): Endpoint {
  return {
    path: `/${name}`,
    ask: () => ({
      key: `/${name}`,
      mediaType: mediaTypes[extname(name)] ?? '',
      source: 'catalogue',
      cacheControl,
      size: 'small',
      *parts() {
        const text = files().get(file);
        if (text !== undefined) yield text;
        else {
          const message = `dist/browser/ has no ${name} on this server; npm run build:browser makes it`;
          throw new AppError('script-unavailable', message);
        }
      },
    }),
  };
}
