// Requests by an <img> get an image, also for errors, values out of bounds and hostile names; others get what
// their client can show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { AppError } from '../../../src/model/app-error.ts';
import { replaceMethods } from '../../http/support/test-server.ts';
import { hostileNames } from '../../support/hostile-names.ts';
import { readSvg } from '../../support/read-svg.ts';
import { ask } from './support/ask.ts';
import { assertSvg, descriptionOf } from './support/assert-svg.ts';
import { hostilePlugin, serveImages } from './support/image-server.ts';

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

test('a badge has the requested style, and an error of one too', async () => {
  const { status, text, headers } = await ask(server, '/badge/1/nothing.svg?style=for-the-badge');
  assert.deepEqual([status, headers['content-type']], [404, 'image/svg+xml; charset=utf-8']);
  assert.match(text, /UNKNOWN CHART/);
  const shown = await ask(server, '/badge/1/players.svg?style=for-the-badge');
  for (const badge of [text, shown.text]) assert.equal(assertSvg(badge)[0]?.attributes['height'], '28');
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
  const unavailable = new AppError('store-unavailable', 'secret.db');
  for (const [error, status, words] of [
    [unavailable, 503, /cannot be read at the moment/],
    [new TypeError('secret'), 500, /an internal error/],
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

const wholeNumbers = [
  '',
  '0',
  '-1',
  '+300',
  '3e2',
  '300.0',
  '0x100',
  '300px',
  'NaN',
  'Infinity',
  '9'.repeat(40),
];

const faults: readonly (readonly [path: string, parameter: string, values: readonly string[]])[] = [
  ['/embed/1/players.svg', 'theme', ['black', 'LIGHT', 'light,dark', '__proto__']],
  ['/embed/1/players.svg', 'width', [...wholeNumbers.slice(1), '199', '1601']],
  ['/embed/1/players.svg', 'height', [...wholeNumbers.slice(1), '99', '1001']],
  ['/embed/1/players.svg', 'range', ['2d', '30', 'ALL', 'constructor', '1d;7d']],
  ['/embed/1/players.svg', 'title', ['x'.repeat(201), '😀'.repeat(201), 'a\nb', '\u0000', 'a\u009bb']],
  ['/embed/1/players.png', 'scale', [...wholeNumbers.slice(1), '4', '1.5']],
  ['/embed/1.svg', 'width', ['199']],
  ['/signatures/bukkit/Twice.svg', 'height', ['1001']],
  ['/badge/1/players.svg', 'label', ['x'.repeat(101), 'a\tb']],
  ['/badge/1/players.svg', 'color', ['mauve', '#12', 'ff00ff00', 'rgb(1,2,3)', 'toString', 'url(#a)', '"/>']],
  ['/badge/1/players.svg', 'atLeast', ['x', '-1', '1.', '25w41a', '1'.repeat(201), '__proto__', '1.20']],
  ['/badge/1/players.svg', 'style', ['social', 'FLAT', 'constructor']],
];

test('a value out of bounds is refused with its parameter in the image, and so is one given twice', async () => {
  for (const [path, parameter, values] of faults) {
    const pair = `${parameter}=&${parameter}=`;
    const queries = values.map((value) => `${new URLSearchParams({ [parameter]: value })}`);
    for (const query of [...queries, pair]) {
      const received = await ask(server, `${path}?${query}`);
      assert.equal(received.status, 400, query);
      assert.equal(received.headers['cache-control'], 'no-store');
      if (path.endsWith('.png')) assert.equal(received.headers['content-type'], 'image/png');
      else if (path.startsWith('/badge')) assertSvg(received.text);
      else
        assert.match(
          descriptionOf(received.text),
          new RegExp(`^${parameter} must be .*(; got|given once)`, 's'),
        );
    }
  }
});

test('a badge as JSON has a problem document that says which values are allowed', async () => {
  const { text } = await ask(server, '/badge/1/players.json?style=x', { headers: { Accept: 'image/*' } });
  const { title, detail } = JSON.parse(text);
  assert.deepEqual(
    [title, detail],
    ['Malformed query', 'style must be flat, flat-square, plastic or for-the-badge; got "x"'],
  );
});

test('a title replaces that of the chart', async () => {
  const { text } = await ask(server, '/embed/1/players.svg?title=Spieler%20%26%20mehr');
  assert.ok(readSvg(text).some((element) => element.name === 'text' && element.text === 'Spieler & mehr'));
  assert.doesNotMatch(text, /Title of players/);
});

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
    [`/embed/1/${'x'.repeat(17_000)}.svg`, 414],
    ['/embed/1/players.svg?__proto__=1&constructor=2', 200],
    ['/embed/..%2f..%2fetc%2fpasswd.svg', 400],
    ['/embed/1/..%2f..%2fetc%2fpasswd.svg', 404],
  ] as const) {
    const received = await ask(server, path);
    assert.equal(received.status, status, path);
    if (status !== 414) assertSvg(received.text);
  }
});
