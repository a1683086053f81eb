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

test('names are not case-sensitive', async () => {
  for (const path of ['/signatures/bukkit/example.plugin.svg', '/signatures/BUKKIT/EXAMPLE.PLUGIN.svg'])
    await assertSame(path, 1);
  await assertSame(`/signatures/bukkit/${encodeURIComponent('ÜNÏ / CÖDÉ.SVG')}.svg`, 3);
});

test('if several plugins have one name, the lowest id wins, for each software separately', async () => {
  await assertSame('/signatures/bukkit/twice.svg', 7);
  await assertSame('/signatures/other.software/twice.svg', 9);
});

test('names may contain slashes, spaces, dots and any letters', async () => {
  await assertSame('/signatures/bukkit/%C3%9Cn%C3%AF%20%2F%20C%C3%B6d%C3%A9.svg.svg', 3);
});

test('a plus sign is itself if a name has it, and otherwise a space', async () => {
  await assertSame('/signatures/bukkit/two+words.svg', 12);
  await assertSame('/signatures/bukkit/%C3%9Cn%C3%AF+%2F+C%C3%B6d%C3%A9.svg.svg', 3);
  assert.equal((await ask(server, '/signatures/bukkit/Two+Words+.svg')).status, 404);
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
