// /signatures/{softwareUrl}/{pluginName}.svg: READMEs with the original's images only change the host.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from './support/ask.ts';
import { assertSvg } from './support/assert-svg.ts';
import { serveImages } from './support/image-server.ts';

const server = await serveImages();

async function assertSame(path: string, pluginId: number): Promise<void> {
  const expected = await ask(server, `/embed/${pluginId}.svg`);
  const { status, text, headers } = await ask(server, path);
  assert.equal(status, expected.status, path);
  assert.equal(text, expected.text, path);
  assert.equal(headers.etag, expected.headers.etag);
  assertSvg(text);
}

test("the bytes are those of the plugin's image, without a redirect", async () => {
  await assertSame('/signatures/bukkit/Example.Plugin.svg', 1);
  await assertSame('/signatures/bukkit/Example.Plugin.svg/', 1);
});

test('the parameters are those of the overview', async () => {
  const { text } = await ask(server, '/signatures/bukkit/Twice.svg?width=400&theme=dark');
  const expected = await ask(server, '/embed/7.svg?width=400&theme=dark');
  assert.equal(text, expected.text);
});

test('an unknown name is an image that says so', async () => {
  const { status, text } = await ask(server, '/signatures/bukkit/No%20Such.svg');
  assert.equal(status, 404);
  const description = assertSvg(text).find(({ name }) => name === 'desc');
  assert.equal(description?.text, 'there is no plugin "No Such" for the software "bukkit"');
});
