// Address forms that READMEs link to, which redirect to the pages they mean.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pluginPath } from '../../../src/site/address/paths.ts';
import { importRecords, makeDirectory } from '../../http/support/test-server.ts';
import { chartLine } from '../../support/archive-text.ts';
import { serveSite } from './support/site-client.ts';

const hostileNames = ['"><script>alert(1)</script>', '../../etc', 'a/b', '😀'.repeat(200), '%2F', '+', '++'];

const store = join(makeDirectory(), 'redirects.db');
await importRecords(store, [
  { record: 'software', id: 1, name: 'Bukkit / Spigot', url: 'bukkit', globalPluginId: 1 },
  { record: 'software', id: 2, name: 'Digits', url: '5', globalPluginId: null },
  plugin(1, '_bukkit_', { isGlobal: true }),
  plugin(5, 'Twice', { owner: [9, 'Some One'] }),
  plugin(6, 'TWICE', { owner: [3, 'some one'] }),
  plugin(7, 'twice', { owner: [4, 'SOME ONE'], softwareId: 2 }),
  plugin(8, 'My Plugin', { owner: [20, 'A B'] }),
  plugin(9, 'C++', { owner: [21, 'A+B'] }),
  plugin(10, 'C  ', { owner: [22, 'Ünï'] }),
  plugin(11, 'foo.csv', { softwareId: 2 }),
  plugin(12, 'players.csv', { softwareId: 2 }),
  plugin(13, 'My Rows.csv', { softwareId: 2 }),
  ...hostileNames.map((name, index) => plugin(100 + index, name, { owner: [100 + index, name] })),
  JSON.parse(chartLine({ pluginId: 5 })),
]);
await importRecords(
  store,
  [
    { record: 'oldName', pluginId: 8, name: 'First Name' },
    { record: 'oldName', pluginId: 9, name: 'first name' },
    { record: 'oldName', pluginId: 9, name: 'My Plugin' },
    { record: 'oldName', pluginId: 11, name: 'First Name' },
  ],
  2,
);
const site = await serveSite(store);

async function assertLeads(from: string, to: string): Promise<void> {
  for (const path of [from, from.replace(/(?=\?|$)/, '/')]) {
    const { status, headers, body } = await site.get(path);
    assert.deepEqual([status, headers.get('location'), body], [302, to, ''], path);
  }
  assert.equal((await site.get(to)).status, 200, to);
}

describe('a plugin name without an id', () => {
  test('redirects to its page, without regard to case, with the range', async () => {
    const to = '/plugin/bukkit/My%20Plugin/8';
    for (const from of [
      '/plugin/bukkit/My%20Plugin',
      '/plugin/BUKKIT/my%20plugin',
      '/plugin/bukkit/MY+PLUGIN',
    ])
      await assertLeads(from, to);
    await assertLeads('/plugin/bukkit/my+plugin?range=7d', `${to}?range=7d`);
    const kept = 'from=2026-06-01&to=2026-06-08&view=history&hide=os:Linux';
    await assertLeads(`/plugin/bukkit/my+plugin?${kept}`, `${to}?${kept}`);
    await assertLeads('/plugin/bukkit/my+plugin?junk=7d', to);
  });

  test('that it had leads there too, unless another has it now', async () => {
    await assertLeads('/plugin/bukkit/first+name', '/plugin/bukkit/My%20Plugin/8');
    await assertLeads('/plugin/5/FIRST%20NAME', '/plugin/5/foo.csv/11');
    await assertLeads('/plugin/bukkit/my%20plugin', '/plugin/bukkit/My%20Plugin/8');
    const { status, body } = await site.get('/signatures/bukkit/First%20Name.svg');
    assert.equal(status, 200);
    assert.match(body, /My Plugin/);
  });

  test('of several plugins means the lowest id, for each software separately', async () => {
    await assertLeads('/plugin/bukkit/tWiCe', '/plugin/bukkit/Twice/5');
    await assertLeads('/plugin/5/Twice', '/plugin/5/twice/7');
  });

  test('may have a plus sign, which is itself if a name has it, and otherwise a space', async () => {
    await assertLeads('/plugin/bukkit/c++', '/plugin/bukkit/C%2B%2B/9');
    await assertLeads('/plugin/bukkit/C%2B%2B', '/plugin/bukkit/C%2B%2B/9');
    await assertLeads('/plugin/bukkit/C%20%20', '/plugin/bukkit/C%20%20/10');
  });

  test('is found whatever its characters', async () => {
    for (const [index, name] of hostileNames.entries()) {
      const id = 100 + index;
      const to = pluginPath({ id, name, software: { url: 'bukkit' } });
      await assertLeads(to.replace(`/${id}`, ''), to);
      await assertLeads(`/author/${encodeURIComponent(name)}`, `/owner/${id}`);
    }
  });

  test('may end in .csv', async () => {
    await assertLeads('/plugin/5/my+rows.csv', '/plugin/5/My%20Rows.csv/13');
    await assertLeads('/plugin/5/players.csv', '/plugin/5/players.csv/12');
  });
});

describe('other addresses in READMEs', () => {
  test('of a software redirect to its global plugin', async () => {
    await assertLeads('/global/bukkit', '/plugin/bukkit/_bukkit_/1');
    await assertLeads('/global/BUKKIT?range=all', '/plugin/bukkit/_bukkit_/1?range=all');
  });

  test('of an author redirect to the owner, of several to the one with the lowest id', async () => {
    for (const from of ['/author/Some%20One', '/author/some+one', '/author/SOME%20one'])
      await assertLeads(from, '/owner/3');
    await assertLeads('/author/A+B', '/owner/21');
    await assertLeads('/author/a%20b', '/owner/20');
    await assertLeads('/author/%C3%BCn%C3%AF', '/owner/22');
  });

  test('of the plugin list redirect to the first page', async () => {
    await assertLeads('/plugin-list', '/');
    await assertLeads('/plugin-list?junk=1', '/');
  });

  test('are cacheable and support HEAD', async () => {
    const response = await fetch(`${site.url}/author/a+b`, { method: 'HEAD', redirect: 'manual' });
    assert.deepEqual([response.status, response.headers.get('location')], [302, '/owner/21']);
    assert.match(response.headers.get('cache-control') ?? '', /^public, max-age=60,/);
  });
});

describe('an unknown name', () => {
  for (const [path, kind, detail] of [
    [
      '/plugin/bukkit/Nothing',
      'unknown-plugin',
      'there is no plugin "Nothing" for the software "bukkit"; / lists all plugins',
    ],
    ['/plugin/none/Twice', 'unknown-software', 'there is no software "none"; / lists all plugins'],
    ['/plugin/x/y.csv', 'unknown-software', 'there is no software "x"; / lists all plugins'],
    ['/global/none', 'unknown-software', 'there is no software "none"; / lists all plugins'],
    ['/global/5', 'unknown-plugin', 'the software "5" has no global plugin; /software/5 lists its plugins'],
    ['/author/nobody', 'unknown-owner', 'there is no owner "nobody"; / lists all plugins'],
    [
      `/author/${'x'.repeat(500)}`,
      'unknown-owner',
      `there is no owner "${'x'.repeat(76)}...; / lists all plugins`,
    ],
  ] as const)
    test(`at ${path.slice(0, 40)} is 404, with a hint`, async () => {
      const { status, body } = await site.get(path, { Accept: '*/*' });
      assert.equal(status, 404);
      const problem = JSON.parse(body);
      assert.deepEqual(
        [problem.type, problem.detail],
        [`/openapi.json#/components/responses/${kind}`, detail],
      );
      const page = await site.get(path);
      assert.match(page.body, /^<!doctype html>[\s\S]*<form class="search"/);
    });

  test('with an invalid range, window or share is 400', async () => {
    for (const path of ['/plugin/bukkit/Twice', '/plugin/5/players.csv', '/global/bukkit'])
      for (const query of ['range=2y', 'from=2026-01-01'])
        assert.equal((await site.get(`${path}?${query}`)).status, 400, path + query);
  });
});

function plugin(
  id: number,
  name: string,
  {
    softwareId = 1,
    isGlobal = false,
    owner: [ownerId, ownerName] = [1, 'Owner'],
  }: {
    readonly softwareId?: number;
    readonly isGlobal?: boolean;
    readonly owner?: readonly [id: number, name: string];
  } = {},
): object {
  return { record: 'plugin', id, name, owner: { id: ownerId, name: ownerName }, softwareId, isGlobal };
}
