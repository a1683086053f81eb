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
