// PNGs: their exact size, their content, and how many are rendered at once.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { isIdle, makePng } from '../../../src/site/images/make-png.ts';
import { replaceMethods } from '../../http/support/test-server.ts';
import { ask } from './support/ask.ts';
import { chartTypes, serveImages } from './support/image-server.ts';

const server = await serveImages();

test('a PNG has exactly the requested size, times its scale', async () => {
  for (const [query, width, height] of [
    ['', 1600, 600],
    ['scale=1', 800, 300],
    ['scale=3', 2400, 900],
    ['width=200&height=100&scale=1', 200, 100],
    ['width=333&height=101&scale=3', 999, 303],
    ['width=1600&height=1000&scale=3', 4800, 3000],
  ] as const) {
    const { status, headers, body } = await ask(server, `/embed/1/players.png?${query}`);
    assert.deepEqual([status, headers['content-type']], [200, 'image/png']);
    const found = await sharp(body).metadata();
    assert.deepEqual([found.format, found.width, found.height], ['png', width, height], query);
  }
});

describe('a picture is not blank', () => {
  for (const [chartId] of chartTypes) {
    test(`of the chart ${chartId}, as PNG and without its style sheet`, async () => {
      for (const theme of ['auto', 'light', 'dark']) {
        const { text } = await ask(server, `/embed/1/${chartId}.svg?theme=${theme}`);
        const stripped = text.replace(/<style>.*?<\/style>/s, '').replaceAll(/ class="[^"]*"/g, '');
        await assertShown(Buffer.from(stripped), theme === 'dark');
        const { body } = await ask(server, `/embed/1/${chartId}.png?theme=${theme}&scale=1`);
        await assertShown(body, theme === 'dark');
      }
    });
  }
});

test('a PNG looks like its SVG', async () => {
  // A month of this line is a thousand steep edges, which the two smooth differently.
  for (const [path, query] of [
    ['/embed/1/players', '&range=7d'],
    ['/embed/1', ''],
  ] as const) {
    for (const theme of ['light', 'dark']) {
      const [svg, png] = await Promise.all(
        ['svg', 'png'].map((extension) => ask(server, `${path}.${extension}?theme=${theme}${query}`)),
      );
      assert.ok(svg !== undefined && png !== undefined);
      const expected = await sharp(svg.body, { density: 144 }).raw().toBuffer();
      const found = await sharp(png.body).raw().toBuffer();
      assert.equal(found.length, expected.length);
      const differences = found.map((value, index) => Math.abs(value - (expected[index] ?? 0)));
      assert.ok(differences.filter((difference) => difference > 16).length < found.length / 2000, path);
    }
  }
});

test('PNGs whose clients have gone are not rendered, counted as waiting or logged', async () => {
  let drawnCount = 0;
  const busy = await serveImages({
    wrap: (reader) =>
      replaceMethods(reader, (view) => ({
        getChart: (...about) => {
          drawnCount++;
          return view.getChart(...about);
        },
      })),
  });
  const { hostname, port } = new URL(busy.url);
  const sockets = Array.from({ length: 30 }, (_, index) => {
    const socket = connect(Number(port), hostname).on('error', () => {});
    const path = `/embed/1/players.png?width=1600&height=1000&scale=3&title=${index}`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return socket;
  });
  while (drawnCount === 0) await sleep(5);
  for (const socket of sockets) socket.resetAndDestroy();
  const { status } = await ask(busy, '/embed/1/players.png?width=200&height=100');
  assert.deepEqual([status, busy.logLines], [200, []]);
  assert.ok(drawnCount <= 10, `${drawnCount} were drawn`);
});

test('a PNG that fails is done, as others are', async () => {
  while (!isIdle()) await sleep(1);
  await assert.rejects(makePng(async () => 'no SVG', 1));
  const failing = () => Promise.reject(new Error('no drawing'));
  await assert.rejects(makePng(failing, 1), { message: 'no drawing' });
  assert.equal(isIdle(), true);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const draw = async () => {
    assert.equal(isIdle(), false);
    return svg;
  };
  assert.ok((await makePng(draw, 1)).length > 0);
  assert.equal(isIdle(), true);
});

test('if too many are requested at once, some get 503 with an image that says so', async () => {
  // None is drawn before one is refused, however slowly requests come.
  const { promise: isFull, resolve: drawAll } = Promise.withResolvers<void>();
  const narrow = await serveImages({
    wrap: (reader) =>
      replaceMethods(reader, (view) => ({
        getChart: async (...about) => {
          await isFull;
          return view.getChart(...about);
        },
      })),
  });
  const asked = Array.from({ length: 160 }, async (_, index) => {
    const response = await fetch(`${narrow.url}/embed/1/players.png?width=${400 + index}&height=200`);
    if (response.status === 503) drawAll();
    return { response, text: await response.text() };
  });
  const received = await Promise.all(asked);
  const refused = received.filter(({ response }) => response.status === 503);
  assert.ok(refused.length > 0 && refused.length <= 58, String(refused.length));
  let svgCount = 0;
  for (const { response, text } of refused) {
    assert.equal(response.headers.get('retry-after'), '5');
    if (response.headers.get('content-type') === 'image/png') continue;
    assert.equal(response.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    assert.match(text, /Overloaded/);
    svgCount++;
  }
  assert.ok(svgCount > 0, 'where there is no time for PNGs');
  assert.equal(received.filter(({ response }) => response.status === 200).length, 160 - refused.length);
});

/** Asserts that many pixels differ from the ground, and that the ground is light or dark. */
async function assertShown(image: Buffer, isDark: boolean): Promise<void> {
  const { data, info } = await sharp(image)
    .flatten({ background: '#888' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const ground = data[Math.floor(info.width / 2)] ?? 0;
  assert.ok(isDark ? ground < 60 : ground > 220, `ground ${ground}`);
  const inked = data.filter((grey) => Math.abs(grey - ground) > 60).length;
  assert.ok(inked > 150, `${inked} pixels`);
}
