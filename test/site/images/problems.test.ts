// Requests by an <img> get an image, even for errors; other requests get the form that their client can show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { AppError } from '../../../src/model/app-error.ts';
import { replaceMethods } from '../../http/support/test-server.ts';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';
import { serveImages } from './support/image-server.ts';

const server = await serveImages();
const unknown: readonly (readonly [path: string, status: number])[] = [
  ['/embed/abc', 400],
  ['/embed/-1', 400],
  ['/embed/9007199254740992', 400],
  ['/embed/%ff', 400],
  ['/embed/', 400],
  ['/%65mbed/abc', 400],
  ['http://[/embed/abc', 400],
  ['https://other.example/embed/99', 404],
  ['/embed/1%2F2', 400],
  ['/embed/99', 404],
  ['/embed/99/players', 404],
  ['/embed/1/nothing', 404],
  ['/embed/1/not%20an%20id', 404],
  ['/embed/1/2/3', 404],
  ['/embed/abc/players', 400],
  ['/signatures/bukkit/Nothing', 404],
  ['/signatures/nothing/Twice', 404],
  ['/signatures/a/b/c/d', 404],
];

test('an error is an image with its status, whatever the client accepts', async () => {
  for (const [path, status] of unknown)
    for (const extension of path.startsWith('/signatures') ? ['svg'] : ['svg', 'png'])
      for (const accept of [undefined, 'text/html', 'image/avif,image/webp,image/*']) {
        const headers = accept === undefined ? {} : { Accept: accept };
        const target = `${path}.${extension}?width=300&height=150&theme=dark`;
        const received = await ask(server, target, { headers });
        assert.equal(received.status, status, target);
        const { format, width, height } = await sharp(received.body).metadata();
        const scale = extension === 'png' ? 2 : 1;
        assert.deepEqual([format, width, height], [extension, 300 * scale, 150 * scale]);
        if (extension === 'svg') assertSvg(received.text);
        assert.equal(received.headers['cache-control'], status === 404 ? 'public, max-age=10' : 'no-store');
      }
});

test('an error of a badge is a badge of the requested style', async () => {
  const { status, text, headers } = await ask(server, '/badge/1/nothing.svg?style=for-the-badge');
  assert.deepEqual([status, headers['content-type']], [404, 'image/svg+xml; charset=utf-8']);
  const [svg] = assertSvg(text);
  assert.equal(svg?.attributes['height'], '28');
  assert.match(text, /UNKNOWN CHART/);
});

test('other errors are a page if the client accepts text/html, and otherwise a problem document', async () => {
  const cases: readonly (readonly [accept: string | undefined, type: RegExp])[] = [
    [undefined, /^application\/problem\+json/],
    ['*/*', /^application\/problem\+json/],
    ['text/*', /^application\/problem\+json/],
    ['text/html', /^text\/html/],
    ['application/xhtml+xml, TEXT/HTML;q=0.9, */*;q=0.8', /^text\/html/],
    ['text/html;q=0', /^application\/problem\+json/],
    ['text/html; level=1; q=0.000, */*', /^application\/problem\+json/],
  ];
  for (const [accept, type] of cases) {
    const headers = accept === undefined ? {} : { Accept: accept };
    const received = await ask(server, '/embed/1.gif', { headers });
    assert.equal(received.status, 404);
    assert.match(received.headers['content-type'] ?? '', type, String(accept));
    assert.match(received.headers.vary ?? '', /\bAccept\b/);
  }
});

test('at the paths of the interface, in any spelling, Accept changes nothing', async () => {
  for (const path of [
    '/api',
    '/%61pi/v1/plugins/abc',
    '/api%2Fv1',
    '/openapi%2Ejson/x',
    'http://a/api/v1/x',
  ]) {
    const { headers } = await ask(server, path, { headers: { Accept: 'text/html' } });
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8', path);
  }
});

test('if the store is unreadable, or a bug is hit, pictures say so', async () => {
  const unavailable = new AppError('unavailable', 'secret.db', { kind: 'store-unavailable' });
  for (const [error, status, words] of [
    [unavailable, 503, /cannot be read at the moment/],
    [new TypeError('secret'), 500, /error of its own/],
  ] as const) {
    const broken = await serveImages({
      wrap: (reader) => replaceMethods(reader, () => ({ getChart: () => Promise.reject(error) })),
    });
    for (const extension of ['svg', 'png']) {
      const received = await ask(broken, `/embed/1/players.${extension}`);
      assert.equal(received.status, status);
      assert.equal((await sharp(received.body).metadata()).format, extension);
      assert.doesNotMatch(received.text, /secret/);
      if (extension === 'svg') assert.match(received.text, words);
    }
  }
});
