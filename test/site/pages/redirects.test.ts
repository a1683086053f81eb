// Address forms that READMEs link to, which redirect to the pages they mean.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeStore } from '../../http/support/test-server.ts';
import { pluginRecord, softwareRecord } from '../../support/records.ts';
import { serveSite } from './support/site-client.ts';

const store = await makeStore([
  softwareRecord({ globalPluginId: 1 }),
  softwareRecord({ id: 2, url: '5' }),
  pluginRecord(1, '_bukkit_', { isGlobal: true }),
  ...(
    [
      [5, 'Twice', 1, 9, 'Some One'],
      [6, 'TWICE', 1, 3, 'some one'],
      [7, 'twice', 2, 4, 'SOME ONE'],
      [8, 'My Plugin', 1, 20, 'A B'],
      [9, 'C++', 1, 21, 'A+B'],
      [10, 'C  ', 1, 22, 'Ünï'],
      [11, 'foo.csv', 2, 1, 'Owner'],
      [12, 'players.csv', 2, 1, 'Owner'],
      [13, 'My Rows.csv', 2, 1, 'Owner'],
    ] as const
  ).map(([id, name, softwareId, ownerId, owner]) =>
    pluginRecord(id, name, { softwareId, owner: { id: ownerId, name: owner } }),
  ),
  ...[
    [8, 'First Name'],
    [9, 'first name'],
    [9, 'My Plugin'],
    [11, 'First Name'],
  ].map(([pluginId, name]) => ({ record: 'oldName', pluginId, name })),
]);
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
  test('is 404, with a hint', async () => {
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
    ] as const) {
      const { status, body } = await site.get(path, { Accept: '*/*' });
      assert.equal(status, 404);
      const problem = JSON.parse(body);
      assert.deepEqual(
        [problem.type, problem.detail],
        [`/openapi.json#/components/responses/${kind}`, detail],
      );
      const page = await site.get(path);
      assert.match(page.body, /^<!doctype html>[\s\S]*<form class="find"/);
    }
  });

  test('with an invalid range, window or share is 400', async () => {
    for (const path of ['/plugin/bukkit/Twice', '/plugin/5/players.csv', '/global/bukkit'])
      for (const query of ['range=2y', 'from=2026-01-01'])
        assert.equal((await site.get(`${path}?${query}`)).status, 400, path + query);
  });
});
