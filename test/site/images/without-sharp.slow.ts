// A machine without the optional package sharp: PNGs are SVGs that say how to install it; everything else
// works.
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { ask } from './support/ask.ts';
import { serveImages } from './support/image-server.ts';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'sharp') return next(specifier, context);
    throw Object.assign(new Error("Cannot find package 'sharp'"), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});

const server = await serveImages();

test('a PNG answers 501 with an SVG that says how to enable it', async () => {
  for (const path of ['/embed/1.png', '/embed/1/players.png', '/embed/99.png?width=800&height=200']) {
    for (const accept of ['image/*', 'text/html', undefined]) {
      const headers = accept === undefined ? {} : { Accept: accept };
      const { status, headers: received, text } = await ask(server, path, { headers });
      assert.deepEqual([status, received['content-type']], [501, 'image/svg+xml; charset=utf-8']);
      const words = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
      assert.match(words, /PNG unavailable .*by installing plugin-metrics with its optional packages/);
    }
  }
});

test('an error of a PNG is an SVG', async () => {
  const { status, headers, text } = await ask(server, '/embed/1/players.png?width=1');
  assert.deepEqual([status, headers['content-type']], [400, 'image/svg+xml; charset=utf-8']);
  assert.match(text, /width must be/);
});

test('SVG and badges work', async () => {
  for (const path of ['/embed/1.svg', '/embed/1/players.svg', '/badge/1/players.svg'])
    assert.equal((await ask(server, path)).status, 200);
});
