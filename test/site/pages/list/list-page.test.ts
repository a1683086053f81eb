// The lists of plugins over real HTTP and a real store.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { samplePlugins, sampleSoftware } from '../../../http/support/sample.ts';
import { serveSite } from '../support/site-client.ts';

const site = await serveSite();

/** The ids of the plugins of a list, in the order of its rows. */
async function idsOf(path: string): Promise<number[]> {
  const { status, body } = await site.get(path);
  assert.equal(status, 200, path);
  return [...body.matchAll(/<tr><th scope="row">.*?href="\/plugin\/[^"/]+\/[^"/]+\/(\d+)"/g)].map(([, id]) =>
    Number(id),
  );
}

describe('the list of plugins', () => {
  test('shows all of them', async () => {
    assert.deepEqual(
      (await idsOf('/')).sort((a, b) => a - b),
      samplePlugins.map(({ id }) => id),
    );
  });

  test('can be limited to a software or an owner', async () => {
    for (const { id, url } of sampleSoftware) {
      const expected = samplePlugins.filter(({ softwareId }) => softwareId === id).map((plugin) => plugin.id);
      assert.deepEqual(
        (await idsOf(`/software/${url}`)).sort((a, b) => a - b),
        expected,
      );
      assert.deepEqual(
        (await idsOf(`/?software=${url}`)).sort((a, b) => a - b),
        expected,
      );
    }
    for (const { owner } of samplePlugins) {
      const expected = samplePlugins.filter((plugin) => plugin.owner.id === owner.id).map(({ id }) => id);
      assert.deepEqual(
        (await idsOf(`/owner/${owner.id}`)).sort((a, b) => a - b),
        expected,
      );
    }
  });

  test('can be searched by name, owner and id, in any case', async () => {
    for (const text of ['exampleplugin', 'EXAMPLEUSER', '1337'])
      assert.ok((await idsOf(`/?q=${text}`)).includes(1337), text);
    assert.deepEqual(await idsOf('/?q=nothing+has+this+name'), []);
  });

  test('says which names are only similar to the search', async () => {
    assert.deepEqual(await idsOf('/?q=harborgaet'), [2049]);
    const found = /<p class="found" role="status">([^<]*)</;
    const words = async (path: string) => found.exec((await site.get(path)).body)?.[1];
    assert.equal(await words('/?q=harborgaet'), 'Nothing matches “harborgaet”, but 1 similar name');
    assert.equal(await words('/?q=harborgates'), '1 plugin');
  });

  test('leads from a page beyond the last to the last, with the same search', async () => {
    for (const [path, target] of [
      ['/?page=99', '/'],
      ['/?q=example&sort=name&dir=desc&page=2', '/?q=example&sort=name&dir=desc'],
      ['/?q=nothing+has+this+name&page=7', '/?q=nothing+has+this+name'],
      ['/software/bukkit?page=999999999', '/software/bukkit'],
    ] as const) {
      const { status, headers } = await site.get(path);
      assert.deepEqual([status, headers.get('location')], [302, target]);
    }
  });

  test('treats blank values, as forms send them, as missing', async () => {
    assert.deepEqual(await idsOf('/?q=&software=&sort=&page='), await idsOf('/'));
  });

  test('answers 400 for values out of bounds and 404 for unknown software or owners, as pages', async () => {
    for (const [path, status] of [
      ['/?sort=owner', 400],
      ['/?dir=up', 400],
      ['/?page=0', 400],
      ['/?page=1e3', 400],
      ['/?q=a&q=b', 400],
      [`/?q=${'a'.repeat(201)}`, 400],
      ['/owner/x', 400],
      ['/owner/99999', 404],
      ['/software/none', 404],
      ['/?software=none', 404],
    ] as const) {
      const page = await site.get(path);
      assert.equal(page.status, status, path);
      assert.match(page.body, /^<!doctype html>/);
    }
  });
});
