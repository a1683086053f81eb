// theme=transparent: a picture without a background, the same in any system theme.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';
import { chartTypes, serveImages } from './support/image-server.ts';

const server = await serveImages();
const paths = [
  '/embed/1',
  '/embed/10',
  '/embed/99',
  ...chartTypes.map(([chartId]) => `/embed/1/${encodeURIComponent(chartId)}`),
];

test("no picture has a background, or follows the reader's system theme", async () => {
  for (const path of paths) {
    const { text } = await ask(server, `${path}.svg?theme=transparent&width=400`);
    const elements = assertSvg(text);
    assert.ok(!elements.some(({ name }) => name === 'style'), path);
    assert.ok(!elements.some(({ attributes }) => attributes['class'] !== undefined), path);
    const png = await ask(server, `${path}.png?theme=transparent&width=400&scale=1`);
    const { data, info } = await sharp(png.body).raw().toBuffer({ resolveWithObject: true });
    const alphas = Array.from({ length: info.width * info.height }, (_, pixel) => data[pixel * 4 + 3] ?? 255);
    assert.deepEqual([info.channels, alphas[0], alphas.at(-1)], [4, 0, 0], path);
    assert.ok(
      alphas.some((alpha) => alpha === 255),
      `${path} shows nothing`,
    );
  }
});
