// The files for browsers as the server sends them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { buildForBrowsers } from '../../../build/browser.ts';
import { browserFilePath } from '../../../src/site/assets/browser-file.ts';
import { createSite } from '../../../src/site/site.ts';
import { serveSample } from '../../http/support/test-server.ts';

const { url } = await serveSample({ ...createSite({ maxPngsAtOnce: 1 }) });

before(buildForBrowsers);

for (const [path, mediaType] of [
  ['/embed.js', 'text/javascript; charset=utf-8'],
  ['/explore.js', 'text/javascript; charset=utf-8'],
  ['/compare.js', 'text/javascript; charset=utf-8'],
  ['/embed-dialog.js', 'text/javascript; charset=utf-8'],
  ['/early.js', 'text/javascript; charset=utf-8'],
  ['/site.js', 'text/javascript; charset=utf-8'],
  ['/site.css', 'text/css; charset=utf-8'],
] as const)
  test(`${path} is served to any origin, with its media type and an entity tag`, async () => {
    const response = await fetch(url + path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('Content-Type'), mediaType);
    assert.equal(response.headers.get('Access-Control-Allow-Origin'), '*');
    assert.equal(response.headers.get('Cross-Origin-Resource-Policy'), 'cross-origin');
    const again = await fetch(url + path, {
      headers: { 'If-None-Match': response.headers.get('ETag') ?? '' },
    });
    assert.equal(again.status, 304);
  });

test('the style sheet has the colours of pictures as custom properties, including the dark ones', async () => {
  const text = await (await fetch(`${url}/site.css`)).text();
  assert.match(text, /:root\{[^}]*--ground:#ffffff/);
  assert.match(
    text,
    /screen and \(prefers-color-scheme:dark\)\{:root:not\(\[data-theme=light\]\)\{color-scheme:dark;--ground:#[0-9a-f]{6}/,
  );
  assert.match(text, /\.pmf-ground\{/);
});

test('the address of a file in a page contains its version', async () => {
  const path = await browserFilePath('site.js');
  assert.match(path, /^\/site\.js\?v=[\w-]{8}$/);
  assert.equal((await fetch(url + path)).status, 200);
});
