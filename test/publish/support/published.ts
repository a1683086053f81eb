/** Publishes the store of a test, and reads the files. */
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Run, runProgram } from '../../support/run-program.ts';

/** The address in `--public-url` of the tests. */
export const publicUrl = 'https://stats.example.org/metrics';

/** Publishes to a folder. */
export function publishTo(folder: string, store: string, ...argv: readonly string[]): Promise<Run> {
  return runProgram(['publish', '--store', store, '--public-url', publicUrl, ...argv, folder]);
}

/** Reads the files of a folder as Latin-1, by their paths. */
export function filesIn(folder: string): Map<string, string> {
  const paths = globSync('**/{*,.*}', { cwd: folder }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'latin1')]));
}

/**
 * Asserts that every link of every page leads to a file of the folder, also those that begin with the public
 * address.
 * @returns the number of links.
 */
export function checkLinks(files: ReadonlyMap<string, string>): number {
  let count = 0;
  for (const [page, html] of files) {
    if (!/\.(?:html|atom|xml)$|feed\.json$/.test(page)) continue;
    const links = html.matchAll(
      / (href|src|srcset|action|files)="([^"]*)"|(?<=(?:url" content=|url":)"|<loc>)https:\/\/stats\.[^"<\s]*/g,
    );
    for (const [whole, name, value = whole] of links) {
      const link = value.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
      const [path = ''] = link.split(/[?#]/);
      if (link.startsWith('#') || /^https:\/\/example\./.test(link)) continue;
      const isAbsolute = path.startsWith(publicUrl);
      assert.ok(isAbsolute || !/^\/|^\w+:/.test(path), `${page}: ${value}`);
      const target = isAbsolute ? path.slice(publicUrl.length + 1) : join(dirname(page), path);
      const file = (
        path === '' ? page : join(target, /\/$|^$/.test(target) || path.endsWith('/') ? 'index.html' : '')
      ).replace(/\/$/, '');
      if (name !== 'files') assert.ok(files.has(file), `${page}: ${value} leads to ${file}`);
      count++;
    }
  }
  return count;
}
