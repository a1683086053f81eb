// The files built for browsers: present, current and small.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { before, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { OutputFile } from 'esbuild';
import { buildForBrowsers, bundleForBrowsers } from '../../build/browser.ts';

let files: readonly OutputFile[] = [];

before(async () => {
  await buildForBrowsers();
  files = await bundleForBrowsers();
});

test('dist/ matches the sources', () => {
  assert.deepEqual(files.map(({ path }) => basename(path)).sort(), [
    'client.min.js',
    'compare.js',
    'early.js',
    'embed-dialog.js',
    'embed.js',
    'explore.js',
    'site.css',
    'site.js',
  ]);
  for (const { path, contents } of files) {
    assert.ok(readFileSync(path).equals(contents), path);
  }
});

test('the custom element has at most 24 KB compressed', () => {
  const code = contentsOf('embed.js');
  assert.ok(gzipSync(code).length <= 24 * 1024, `gzip: ${gzipSync(code).length} bytes`);
  assert.ok(brotliCompressSync(code).length <= 24 * 1024);
});

test('the script that pages wait for has at most 1 KB', () => {
  assert.ok(contentsOf('early.js').length <= 1024);
});

test('scripts import nothing but a file beside them, evaluate nothing and write no markup', () => {
  for (const name of ['embed.js', 'explore.js', 'compare.js', 'early.js', 'embed-dialog.js', 'site.js']) {
    const code = contentsOf(name).toString();
    assert.doesNotMatch(
      code,
      /\bimport\s*(?!\("\.\/(?:explore|compare|embed-dialog)\.js"\))[("'{]|\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML/,
    );
  }
});

test('the style sheet refers to nothing outside', () => {
  assert.doesNotMatch(contentsOf('site.css').toString(), /@import|url\(\s*['"]?(?!data:)/);
});

function contentsOf(name: string): Buffer {
  const file = files.find(({ path }) => basename(path) === name);
  return Buffer.from(file?.contents ?? '');
}
