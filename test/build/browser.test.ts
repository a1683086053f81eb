// The files built for browsers: present, current and small.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { before, test } from 'node:test';
import type { OutputFile } from 'esbuild';
import { buildForBrowsers, bundleForBrowsers } from '../../build/browser.ts';
import { encode } from '../../src/http/content-coding.ts';

let files: readonly OutputFile[] = [];

before(async () => {
  await buildForBrowsers();
  files = await bundleForBrowsers();
});

test('dist/ matches the sources, and has nothing of older ones', () => {
  const made = files.filter(({ path }) => basename(dirname(path)) === 'browser');
  const [folder = ''] = made.map(({ path }) => dirname(path));
  assert.deepEqual(readdirSync(folder).sort(), made.map(({ path }) => basename(path)).sort());
  for (const { path, contents } of files) assert.ok(readFileSync(path).equals(contents), path);
});

test('the custom element has at most 24.5 KB as a server sends it, in one file beside its entry', async () => {
  const entry = fileOf('embed');
  const parts = importedBy(entry, /\bimport"([^"]+)"/g);
  assert.equal(parts.length, 1);
  let size = 0;
  for (const text of [entry, ...parts.map((name) => fileOf(name))])
    size += (await encode(Buffer.from(text), 'br')).bytes.length;
  assert.ok(size < 24_500, `br: ${size} bytes`);
});

test('the script that pages wait for has at most 1 KB, and imports nothing', () => {
  const code = fileOf('early');
  assert.ok(code.length <= 1024);
  assert.deepEqual(importedBy(code), []);
});

test('scripts evaluate nothing and write no markup', () => {
  for (const { path, text } of scripts())
    assert.doesNotMatch(text, /\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML/, path);
});

test('the style sheet refers to nothing outside', () => {
  const [sheet] = files.filter(({ path }) => path.endsWith('.css'));
  assert.doesNotMatch(sheet?.text ?? '@import', /@import|url\(\s*['"]?(?!data:)/);
});

function scripts(): readonly OutputFile[] {
  return files.filter(({ path }) => path.endsWith('.js') && !path.endsWith('client.min.js'));
}

/** The names of the files that a script imports; a specifier that is no file beside it is kept as it is. */
function importedBy(code: string, pattern = /(?:\}from|\bimport\(?)"([^"]+)"/g): readonly string[] {
  return [...code.matchAll(pattern)].map(([, specifier = '']) => specifier.replace(/^\.\//, ''));
}

/** The text of the file of this name, or of the one that has a hash after it. */
function fileOf(name: string): string {
  const found = files
    .map(({ path, text }) => ({ file: basename(path), text }))
    .find(({ file }) => file === name || file.replace(/-[A-Z0-9]{8}\.js$/, '') === name);
  return found?.text ?? assert.fail(name);
}
