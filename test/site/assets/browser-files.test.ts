// The files for browsers as the server sends them.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { createSite } from '../../../src/site/site.ts';
import { serveSample } from '../../http/support/test-server.ts';

const { url } = await serveSample(createSite());

const forEver = 'public, max-age=31536000, immutable';

test('every file that a page names, and every script that one of these imports, has a name of its content and is kept for ever', async () => {
  const page = await (await fetch(`${url}/plugin/bukkit/ExamplePlugin/1337`)).text();
  const wanted = new Set([...page.matchAll(/"(\/[\w-]+\.(?:js|css))"/g)].map(([, path = '']) => path));
  for (const name of ['early', 'site', 'chunk'])
    assert.ok(
      [...wanted].some((path) => path.startsWith(`/${name}-`)),
      name,
    );
  const { text } = await read('/embed.js');
  for (const path of importsIn(text)) wanted.add(path);
  // The set grows while it is walked.
  for (const path of wanted) {
    assert.match(path, /^\/[\w-]+-[A-Z0-9]{8}\.(?:js|css)$/);
    const file = await read(path);
    assert.equal(file.headers.get('Cache-Control'), forEver, path);
    assert.equal(
      file.headers.get('Content-Type'),
      `text/${path.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
    );
    for (const each of importsIn(file.text)) wanted.add(each);
  }
  assert.ok([...wanted].some((path) => path.startsWith('/embed-dialog-')));
});

test('the element is sent to any origin, and kept for a short time', async () => {
  const { headers } = await read('/embed.js');
  assert.equal(headers.get('Content-Type'), 'text/javascript; charset=utf-8');
  assert.equal(headers.get('Cache-Control'), 'public, max-age=60');
  assert.equal(headers.get('Access-Control-Allow-Origin'), '*');
  assert.equal(headers.get('Cross-Origin-Resource-Policy'), 'cross-origin');
  const again = await fetch(`${url}/embed.js`, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
  assert.equal(again.status, 304);
  assert.equal(again.headers.get('Cache-Control'), 'public, max-age=60');
});

test('a file without the hash of its content, of an older build, is not sent and stands in no way', async () => {
  const stale = new URL('../../../dist/browser/embed.js', import.meta.url);
  writeFileSync(stale, '');
  try {
    const module = '../../../src/site/assets/browser-files.ts?beside-a-stale-file';
    const { browserFileEndpoints } = (await import(
      module
    )) as typeof import('../../../src/site/assets/browser-files.ts');
    const paths = browserFileEndpoints().map(({ path }) => path);
    assert.equal(new Set(paths).size, paths.length);
  } finally {
    rmSync(stale);
  }
});

test('a file of another release is not there', async () => {
  assert.equal((await fetch(`${url}/site-AAAAAAAA.js`)).status, 404);
});

test('the style sheet has the colours of pictures as custom properties, including the dark ones', async () => {
  const page = await (await fetch(`${url}/about`)).text();
  const { text } = await read(/href="(\/site-\w+\.css)"/.exec(page)?.[1] ?? assert.fail());
  assert.match(text, /:root\{color-scheme:light;[^}]*--ground:light-dark\(#ffffff,#[0-9a-f]{6}\)/);
  assert.match(
    text,
    /screen and \(prefers-color-scheme:dark\)\{:root:not\(\[data-theme=light\]\)\{color-scheme:dark\}/,
  );
  assert.match(text, /\.pmf-ground\{/);
});

async function read(path: string): Promise<{ readonly headers: Headers; readonly text: string }> {
  const response = await fetch(url + path);
  assert.equal(response.status, 200, path);
  return { headers: response.headers, text: await response.text() };
}

/** The paths of the scripts that a script imports, at its beginning or later. */
function importsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:\}from|\bimport\(?)"\.(\/[^"]+)"/g)].map(([, path = '']) => path);
}
