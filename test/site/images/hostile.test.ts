// Hostile names, titles and slices stay text, in pictures, badges and errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';
import { hostileNames, hostilePlugin, serveImages } from './support/image-server.ts';

const server = await serveImages();

test('a hostile name is always text', async () => {
  for (const [index, name] of hostileNames.entries()) {
    const encoded = encodeURIComponent(name);
    const ok = [
      `/embed/${hostilePlugin}/c${index}.svg`,
      `/embed/${hostilePlugin}/c${index}.svg?width=200&height=100`,
      `/embed/1/players.svg?title=${encoded}`,
      `/embed/1.svg?title=${encoded}`,
      `/badge/${hostilePlugin}/c${index}.svg`,
      `/badge/1/players.svg?label=${encodeURIComponent(name.slice(0, 100).toWellFormed())}`,
      `/badge/1/players.svg?style=for-the-badge&label=${encodeURIComponent(name.slice(0, 50).toWellFormed())}`,
    ];
    for (const path of ok) {
      const { status, text } = await ask(server, path);
      assert.equal(status, 200, path);
      assertSvg(text);
    }
    for (const path of [
      `/embed/${encoded}.svg`,
      `/embed/1/${encoded}.svg`,
      `/embed/1/players.svg?theme=${encoded}`,
      `/signatures/${encoded}/${encoded}.svg`,
      `/badge/1/${encoded}.svg`,
      `/badge/1/players.svg?color=${encoded}`,
    ]) {
      const { status, text } = await ask(server, path);
      assert.ok(status === 400 || status === 404, path);
      assertSvg(text);
    }
  }
});

test('targets with invalid UTF-8, extreme lengths or odd characters are answered', async () => {
  for (const [path, status] of [
    ['/embed/1/players.svg?title=%ff', 200],
    ['/embed/1/players.svg?title=%', 200],
    ['/embed/1/players.svg?%ff=%ff&=&&a', 200],
    ['/embed/1/%E0%A4%A.svg', 400],
    [`/embed/1/${'x'.repeat(9000)}.svg`, 414],
    ['/embed/1/players.svg?__proto__=1&constructor=2', 200],
    ['/embed/..%2f..%2fetc%2fpasswd.svg', 400],
    ['/embed/1/..%2f..%2fetc%2fpasswd.svg', 404],
  ] as const) {
    const received = await ask(server, path);
    assert.equal(received.status, status, path);
    if (status !== 414) assertSvg(received.text);
  }
});
