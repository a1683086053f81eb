// Pages of plugins over HTTP, beside a plain model: filters, orders, cursors, and software with its numbers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertProblem } from '../http/support/assertions.ts';
import { get, getText } from '../http/support/validated-client.ts';
import { fc } from '../support/seed.ts';
import { chart, data, plugin, serveRecords } from './support/records.ts';

interface Plugin {
  readonly id: number;
  readonly name: string;
  readonly owner: { readonly id: number; readonly name: string };
  readonly softwareId: number;
  readonly isGlobal: boolean;
  readonly servers: readonly [number, number] | null;
  readonly players: readonly [number, number] | null;
}

const software = [
  { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: 3 },
  { record: 'software', id: 2, name: 'Velocity', url: 'velocity', globalPluginId: null },
  { record: 'software', id: 9, name: 'Sponge', url: 'sponge', globalPluginId: null },
];
const owners = [
  { id: 1, name: 'Éva' },
  { id: 2, name: 'ΟΔΥΣΣΕΥΣ' },
  { id: 3, name: '"><script>' },
  { id: Number.MAX_SAFE_INTEGER, name: '100% of_it' },
];
const names = ['Chest', 'chest', 'CHESTER', 'Ärger', 'Zebra\u{1F600}', 'a+b', '__proto__', 'x 9', 'x 10'];

const plugins: readonly Plugin[] = Array.from({ length: 260 }, (_, index) => ({
  id: index * 3 + 1 + (index === 1 ? -1 : 0),
  name: `${names[index % names.length]}${index < 200 ? '' : ` ${index}`}`,
  owner: owners[(index * 7) % 4] ?? { id: 1, name: '' },
  softwareId: (index % 2) + 1,
  isGlobal: index === 1 || index % 50 === 49,
  servers: index % 5 === 4 ? null : [1_000_000 + index, (index * 31) % 17],
  players: index % 3 === 2 ? null : [2_000_000 + index, ((index * 13) % 11) / 4],
}));

const charts = plugins.flatMap(({ id: pluginId, servers, players }) =>
  Object.entries({ servers, players }).flatMap(([chartId, point], rank) => [
    chart(chartId, pluginId * 10 + rank, 'single_linechart', { pluginId }),
    { ...data(chartId, point === null ? [] : [[5, 99], point]), pluginId },
  ]),
);

const pluginRecords = plugins.map(({ servers: _, players: __, ...fields }) => plugin(fields));
const { url } = await serveRecords([...software, ...pluginRecords, ...charts]);

interface Asked {
  readonly q?: string | undefined;
  readonly software?: string | undefined;
  readonly ids?: readonly number[] | undefined;
  readonly owner?: number | undefined;
  readonly global?: boolean | undefined;
  readonly sort?: 'servers' | 'players' | 'name' | 'id' | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  readonly limit?: number | undefined;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function expected({ q = '', software: url, ids, owner, global, sort = 'servers', order }: Asked): Plugin[] {
  const part = q.toLowerCase().replaceAll('ς', 'σ');
  const has = (text: string) => text.toLowerCase().replaceAll('ς', 'σ').includes(part);
  const direction =
    (order ?? (sort === 'servers' || sort === 'players' ? 'desc' : 'asc')) === 'desc' ? -1 : 1;
  return plugins
    .filter(({ name, owner: { name: ownerName } }) => has(name) || has(ownerName))
    .filter(
      ({ softwareId }) => url === undefined || software.find(({ id }) => id === softwareId)?.url === url,
    )
    .filter(({ id }) => ids === undefined || ids.includes(id))
    .filter((plugin) => owner === undefined || plugin.owner.id === owner)
    .filter(({ isGlobal }) => global === undefined || isGlobal === global)
    .sort((a, b) => {
      if (sort === 'id') return direction * (a.id - b.id);
      if (sort === 'name') return direction * collator.compare(a.name, b.name) || a.id - b.id;
      const [one, other] = [a[sort], b[sort]];
      if (one === null || other === null) return Number(one === null) - Number(other === null) || a.id - b.id;
      return direction * (one[1] - other[1]) || a.id - b.id;
    });
}

function target(asked: Asked & { readonly after?: string | null }): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value != null) query.set(name, String(value));
  return `/api/v2/plugins?${query}`;
}

function rowOf({ id, name, owner, softwareId, isGlobal, servers, players }: Plugin) {
  const { name: softwareName = '', url = '' } = software.find((one) => one.id === softwareId) ?? {};
  return {
    id,
    name,
    owner,
    software: { id: softwareId, name: softwareName, url },
    isGlobal,
    servers,
    players,
  };
}

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

describe('a page of plugins', () => {
  test('has what a plain model has, on every page', async () => {
    const asked = fc.record<Asked>({
      q: optional(
        fc.oneof(
          fc.constantFrom('chest', 'é', 'σ', 'ς', '+', '%', '_', '1', ' ', '"', '\u{1F600}'),
          fc.string(),
        ),
      ),
      software: optional(fc.constantFrom('bukkit', 'velocity', 'sponge', 'unknown')),
      ids: optional(
        fc.uniqueArray(fc.constantFrom(...plugins.map(({ id }) => id), 0, 987_654), { minLength: 1 }),
      ),
      owner: optional(fc.constantFrom(0, 1, 2, 77, Number.MAX_SAFE_INTEGER)),
      global: optional(fc.boolean()),
      sort: optional(fc.constantFrom('servers', 'players', 'name', 'id')),
      order: optional(fc.constantFrom('asc', 'desc')),
      limit: optional(fc.constantFrom(1, 7, 50, 1000)),
    });
    await fc.assert(
      fc.asyncProperty(asked, async (one) => {
        fc.pre(!/\p{Cc}/u.test(one.q ?? ''));
        const want = one.q?.trim() === '' ? expected({ ...one, q: '' }) : expected(one);
        const rows: unknown[] = [];
        const limit = one.limit ?? 100;
        // A limit of 1 would take too many pages.
        for (let after: string | null = null, page = 0; page < 12; page++) {
          const answer: { total: number; next: string | null; plugins: object[] } = JSON.parse(
            await getText(url, target({ ...one, after })),
          );
          assert.equal(answer.total, want.length);
          rows.push(...answer.plugins);
          assert.equal(answer.next === null, rows.length === want.length);
          if (answer.next === null) break;
          assert.equal(answer.plugins.length, limit);
          after = answer.next;
        }
        assert.deepEqual(rows, want.slice(0, rows.length).map(rowOf));
      }),
      { numRuns: 60 },
    );
  });

  test('follows the row of its cursor, also if that row is gone', async () => {
    const first = JSON.parse(await getText(url, target({ sort: 'name', limit: 100 })));
    const last = first.plugins.at(-1).id;
    const changed = await serveRecords([
      ...software.map((one) => ({ ...one, globalPluginId: null })),
      ...pluginRecords.filter((record) => record.id !== last),
    ]);
    const second = JSON.parse(
      await getText(changed.url, target({ sort: 'name', limit: 1, after: first.next })),
    );
    assert.equal(second.plugins[0].id, expected({ sort: 'name' })[100]?.id);
  });

  test('is empty in an empty store', async () => {
    const empty = await serveRecords([]);
    assert.equal(await getText(empty.url, '/api/v2/plugins'), '{"total":0,"next":null,"plugins":[]}');
    assert.equal(await getText(empty.url, '/api/v2/plugins?q=x'), '{"total":0,"next":null,"plugins":[]}');
    assert.equal(await getText(empty.url, '/api/v2/software'), '[]');
  });

  const cursor = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
  const refused: readonly (readonly [query: string, detail: RegExp])[] = [
    ['limit=0', /limit must be a whole number from 1 to 1000; got "0"/],
    ['limit=1001', /limit must be/],
    ['limit=1&limit=2', /limit must be .* it was given more than once/],
    ['sort=size', /sort must be servers, players, name or id/],
    ['order=up', /order must be asc or desc/],
    ['global=yes', /global must be true or false/],
    ['ids=1,x', /ids must be up to 1000 ids with commas between/],
    ['ids=1,,2', /ids must be/],
    ['ids=9007199254740992', /ids must be/],
    [`ids=${Array.from({ length: 1001 }, (_, index) => index + 1)}`, /ids must be/],
    ['owner=-1', /owner must be the id of an owner/],
    ['owner=9007199254740992', /owner must be/],
    ['software=Bukkit%20', /software must be a string of 1 to 100 characters/],
    [`q=${'x'.repeat(201)}`, /q must be a text of at most 200 characters/],
    ['q=%00', /q must be/],
    ['Q=x', /there is no parameter "Q": it has q, software/],
    ['after=x', /after must be "next" of a page with sort=servers/],
    [`after=${cursor(['name', 1, 'x'])}`, /after must be/],
    [`sort=name&after=${cursor(['name', 1, 5])}`, /after must be/],
    [`after=${cursor(['servers', 1.5, 5])}`, /after must be/],
    [`after=${cursor(['servers', 1, 'x'])}`, /after must be/],
    [`after=${cursor(['servers', 1])}`, /after must be/],
    ...[
      ...['["id",0,0]', '["id",1,1.5]', '["id",1,2]', '["id",1,null]', '["id",1,1e300]', '["name",0,"a"]'],
      ...['["name",1,"a\\u0000"]', '["name",1,"\\ud800"]', '["name",1,""]', '["name",1,null]'],
      ...[
        '["servers",1,1e999]',
        '["servers",1,5,6]',
        '["servers", 1,5]',
        '["players",1,true]',
        'null',
        '"x"',
      ],
    ].map((key) => {
      const sort = /[a-z]+/.exec(key)?.[0].replace(/null|x/, 'name');
      return [`sort=${sort}&after=${Buffer.from(key).toString('base64url')}`, /after must be/] as const;
    }),
    [`after=${cursor(['servers', 1, 5])}!`, /after must be/],
    [`after=${'A'.repeat(1201)}`, /after must be/],
  ];
  for (const [query, detail] of refused)
    test(`with ${query.slice(0, 60)} is refused`, async () => {
      const answer = await get(url, `/api/v2/plugins?${query}`);
      assertProblem(answer, { status: 400, kind: 'malformed-query', detail });
    });
});

describe('the list of software', () => {
  test('has the number of plugins, and the servers of the global plugin', async () => {
    const list = JSON.parse(await getText(url, '/api/v2/software'));
    const count = (softwareId: number) => plugins.filter((one) => one.softwareId === softwareId).length;
    const global = plugins.find(({ id }) => id === 3);
    assert.deepEqual(list, [
      {
        id: 1,
        name: 'Bukkit',
        url: 'bukkit',
        globalPlugin: { id: 3, name: global?.name },
        plugins: count(1),
        servers: global?.servers,
      },
      { id: 2, name: 'Velocity', url: 'velocity', globalPlugin: null, plugins: count(2), servers: null },
      { id: 9, name: 'Sponge', url: 'sponge', globalPlugin: null, plugins: 0, servers: null },
    ]);
  });

  test('has no parameters', async () => {
    const answer = await get(url, '/api/v2/software?x=1');
    assertProblem(answer, { status: 400, kind: 'malformed-query', detail: /this path has none/ });
  });
});
