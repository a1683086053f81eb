// /signatures/{softwareUrl}/{pluginName}.svg: READMEs that use the original's images change the host alone.
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

test('the bytes are those of the plugin, without a redirect', async () => {
  await assertSame('/signatures/bukkit/Example.Plugin.svg', 1);
  await assertSame('/signatures/bukkit/Example.Plugin.svg/', 1);
});

test('case does not matter', async () => {
  for (const path of ['/signatures/bukkit/example.plugin.svg', '/signatures/BUKKIT/EXAMPLE.PLUGIN.svg'])
    await assertSame(path, 1);
  await assertSame(`/signatures/bukkit/${encodeURIComponent('ÜNÏ / CÖDÉ.SVG')}.svg`, 3);
});

test('of several plugins with one name, that with the lowest id is meant, each software for itself', async () => {
  await assertSame('/signatures/bukkit/twice.svg', 7);
  await assertSame('/signatures/other.software/twice.svg', 9);
});

test('names may have slashes, spaces, dots and any letters', async () => {
  await assertSame('/signatures/bukkit/%C3%9Cn%C3%AF%20%2F%20C%C3%B6d%C3%A9.svg.svg', 3);
});

test('a plus sign is one where a name has it, and a space where none has', async () => {
  await assertSame('/signatures/bukkit/two+words.svg', 12);
  await assertSame('/signatures/bukkit/%C3%9Cn%C3%AF+%2F+C%C3%B6d%C3%A9.svg.svg', 3);
  assert.equal((await ask(server, '/signatures/bukkit/Two+Words+.svg')).status, 404);
});

test('parameters are those of the overview', async () => {
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
