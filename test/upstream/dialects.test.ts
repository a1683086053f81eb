// The dialects of other servers, and the records that a mirror makes of them.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ownerIdFor } from '../../src/upstream/parse-lists.ts';
import { exportText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chart, idOnlyRoutes, pluginRoutes, type Route, serveRoutes } from './dialect-server.ts';
import { emptyMirror, type MirrorOnceOptions, mirrorOnce, pointsIn, recordsOf } from './mirror-into.ts';

/** Mirrors these routes and exports the records, by kind. */
async function mirrorRoutes(routes: Record<string, Route>, options: MirrorOnceOptions = {}) {
  await using server = await serveRoutes(routes);
  using directory = temporaryDirectory();
  const mirror = emptyMirror(directory.path);
  const { failures } = await mirrorOnce(mirror, server.url, options);
  const records = existsSync(mirror.path) ? await recordsOf(mirror) : [];
  const of = (kind: string) => records.filter(({ record }) => record === kind);
  return { failures, of, targets: server.takeTargets() };
}

/** The detail of plugin 7 with charts as JSON text. */
function detailText(charts: string): Route {
  return { body: `{"id":7,"name":"P","owner":{"id":1,"name":"O"},"charts":{${charts}}}` };
}

describe('a mirror accepts', () => {
  test('a software that the plugin list gives only by id', async () => {
    const { failures, of } = await mirrorRoutes(pluginRoutes({ listed: { software: { id: 1 } } }));
    assert.deepEqual(failures, []);
    assert.equal(of('plugin')[0]?.['softwareId'], 1);
    assert.equal(of('software')[0]?.['name'], 'Bukkit');
  });

  test('an owner without an id, which is derived from the name', async () => {
    for (const owner of [{ name: 'Someone' }, { id: null, name: 'Someone' }]) {
      const { failures, of } = await mirrorRoutes(pluginRoutes({ plugin: { owner }, listed: { owner } }));
      assert.deepEqual(failures, []);
      assert.deepEqual(of('plugin')[0]?.['owner'], { id: ownerIdFor('Someone'), name: 'Someone' });
    }
  });

  test('the id of an owner that only the plugin list has', async () => {
    const { of } = await mirrorRoutes(pluginRoutes({ plugin: { owner: { name: 'ExampleUser' } } }));
    assert.deepEqual(of('plugin')[0]?.['owner'], { id: 42, name: 'ExampleUser' });
  });

  test('the live fields software and isGlobal, without requesting the plugin list', async () => {
    const live = { software: { id: 1, name: 'Bukkit', url: 'bukkit' }, isGlobal: true };
    const { failures, of, targets } = await mirrorRoutes(pluginRoutes({ plugin: live }));
    assert.deepEqual(failures, []);
    assert.equal(of('plugin')[0]?.['isGlobal'], true);
    assert.ok(!targets.includes('/plugins'), String(targets));
  });

  const globalPlugins: ReadonlyArray<readonly [form: unknown, id: number | null]> = [
    [{ id: 7, name: 'ExamplePlugin' }, 7],
    [7, 7],
    ['7', 7],
    ['', null],
    [0, null],
    [null, null],
    [undefined, null],
    // Not in the store.
    [{ id: 8, name: 'Other' }, null],
  ];
  for (const [form, id] of globalPlugins) {
    test(`${JSON.stringify(form)} as a global plugin`, async () => {
      const { failures, of } = await mirrorRoutes(pluginRoutes({ software: { globalPlugin: form } }));
      assert.deepEqual(failures, []);
      assert.equal(of('software')[0]?.['globalPluginId'], id);
    });
  }

  test('a server without a software list', async () => {
    const { '/software': _, ...routes } = pluginRoutes({ listed: { isGlobal: true } });
    const { failures, of } = await mirrorRoutes(routes);
    const software = { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: 7 };
    assert.deepEqual(failures, []);
    assert.deepEqual(of('software'), [software]);
  });

  test('software known from plugins, if the software list is unreadable', async () => {
    const plugin = { software: { id: 1, name: 'Bukkit', url: 'bukkit' }, isGlobal: false };
    for (const [answer, failure] of [
      [{ body: '<!DOCTYPE html>' }, `it is not valid JSON: Unexpected token '<', "<!DOCTYPE html>"`],
      [{ status: 403 }, 'answered 403'],
    ] as const) {
      const routes = { ...pluginRoutes({ plugin }), '/software': answer };
      const { failures, of, targets } = await mirrorRoutes(routes);
      assert.deepEqual(failures, [`/api/v1/software: ${failure}`]);
      assert.equal(of('plugin').length, 1);
      assert.equal(targets.filter((target) => target === '/software').length, 1);
    }
  });

  test('settings of any shape, unchanged', async () => {
    const settings = '{"z":1.0,"2":[1e3,{"__proto__":12345678901234567890}],"a":"\\u00e9","1":null,"z":2}';
    const players = `"players":{"uid":70,"type":"single_linechart","position":0,"title":"T","isDefault":true,"data":${settings}}`;
    await using server = await serveRoutes({ ...pluginRoutes(), '/plugins/7': detailText(players) });
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    await mirrorOnce(mirror, server.url);
    assert.ok((await exportText(mirror.path)).includes(`"data":${settings}}`));
  });

  test('charts at a separate path, and an empty array of charts', async () => {
    const apart = pluginRoutes({ plugin: { charts: undefined } });
    const { of } = await mirrorRoutes({ ...apart, '/plugins/7/charts': { body: { players: chart(70) } } });
    assert.equal(of('chart').length, 1);
    const { failures } = await mirrorRoutes(pluginRoutes({ plugin: { charts: [] } }));
    assert.deepEqual(failures, []);
  });

  test('chart ids that are special in JavaScript', async () => {
    const ids = ['12', '7', '__proto__', 'constructor', 'toString'];
    const charts = ids.map((id, index) => `${JSON.stringify(id)}:${JSON.stringify(chart(index + 1))}`);
    const data = ids.map((id) => [`/plugins/7/charts/${id}/data`, { body: [[1, 1]] }]);
    const routes = {
      ...pluginRoutes(),
      '/plugins/7': detailText(charts.join()),
      ...Object.fromEntries(data),
    };
    const { failures, of } = await mirrorRoutes(routes);
    assert.deepEqual(failures, []);
    assert.deepEqual(
      of('data').map(({ chartId }) => chartId),
      ids,
    );
  });

  test('bars in their old form', async () => {
    const series = [
      { name: 'a', data: [1, 2] },
      { name: 'b', data: [3, 4] },
    ];
    const charts = { bars: chart(71, { type: 'advanced_bar' }) };
    const body = { categories: ['1.20', '1.21'], series };
    const { failures, of } = await mirrorRoutes({
      ...pluginRoutes({ charts }),
      '/plugins/7/charts/bars/data': { body },
    });
    assert.deepEqual(failures, []);
    assert.equal(
      JSON.stringify(of('data').find(({ chartId }) => chartId === 'bars')?.['data']),
      '[{"name":"1.20","data":[1,3]},{"name":"1.21","data":[2,4]}]',
    );
  });

  test('data with unknown fields, which are left out', async () => {
    const charts = { pie: chart(71, { type: 'simple_pie' }), sub: chart(72, { type: 'drilldown_pie' }) };
    const pie = '[ {"id":3,"name":"a","y":1.0,"__proto__":{}}, {"y":2e0,"name":"b"} ]';
    const sub =
      '{"x":[{"y":1}],"seriesData":[{"name":"a","y":1,"drilldown":"a","color":null}],"drilldownData":[{"name":"a","id":"a","data":[["b",1]],"z":0}]}';
    await using server = await serveRoutes({
      ...pluginRoutes({ charts }),
      '/plugins/7/charts/pie/data': { body: pie },
      '/plugins/7/charts/sub/data': { body: sub },
    });
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    assert.deepEqual((await mirrorOnce(mirror, server.url)).failures, []);
    const exported = await exportText(mirror.path);
    assert.ok(exported.includes('"data":[{"name":"a","y":1.0},{"y":2e0,"name":"b"}]}'), exported);
    assert.ok(
      exported.includes(
        '"data":{"seriesData":[{"name":"a","y":1,"drilldown":"a"}],"drilldownData":[{"name":"a","id":"a","data":[["b",1]]}]}}',
      ),
      exported,
    );
  });

  const noData: Readonly<Record<string, Route>> = {
    '404': { status: 404 },
    'an empty body': { body: '' },
    '[]': { body: [] },
  };
  for (const [what, reply] of Object.entries(noData)) {
    test(`${what} for the data of some charts while the rest works`, async () => {
      const charts = {
        pie: chart(71, { type: 'simple_pie' }),
        line: chart(72),
        sub: chart(73, { type: 'drilldown_pie' }),
      };
      const paths = Object.keys(charts).map((id) => [`/plugins/7/charts/${id}/data`, reply]);
      const { failures, of } = await mirrorRoutes({
        ...pluginRoutes({ charts }),
        ...Object.fromEntries(paths),
      });
      assert.deepEqual(failures, []);
      assert.equal(of('chart').length, 4);
      assert.deepEqual(
        of('data').map(({ chartId }) => chartId),
        ['players'],
      );
    });
  }

  test('points unsorted, without a value and with a repeated timestamp', async () => {
    const points = '[[2000,2],[1000,1],[3000,null],[1000,5]]';
    const { failures, of } = await mirrorRoutes(pluginRoutes({ points }));
    assert.deepEqual(failures, []);
    assert.equal(JSON.stringify(of('data')[0]?.['data']), '[[1000,5],[2000,2]]');
  });

  test('a line without its leading zeros, with the option for it', async () => {
    const points = '[[1000,0],[2000,0],[3000,3],[4000,0]]';
    await using server = await serveRoutes(pluginRoutes({ points }));
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    for (let run = 0; run < 2; run++) {
      await mirrorOnce(mirror, server.url, { trimsLeadingZeros: true });
      assert.equal(JSON.stringify(await pointsIn(mirror)), '[[3000,3],[4000,0]]');
    }
  });
});

describe('a software that a plugin gives only by id, if no list has it,', () => {
  const second = { id: 1, name: 'Bukkit / Spigot', url: 'bukkit', globalPlugin: { id: 7, name: 'P' } };
  const listOf = (...elements: readonly object[]): Route => ({
    body: elements.map((one) => ({ ...one, plugins: 3, servers: [1000, 2], more: { a: [1] } })),
  });
  const given = [{ id: 1, url: 'given', name: 'Given: a name' }];
  const message =
    '/api/v1/plugins/7: the software 1 has no name and url: neither the plugin nor /api/v1/software nor /api/v2/software names them; --software 1=URL:NAME does';

  for (const hasPluginList of [true, false])
    test(`is requested at /api/v2/software, ${hasPluginList ? 'with' : 'without'} a plugin list`, async () => {
      const routes = { ...idOnlyRoutes({ hasPluginList }), '/api/v2/software': listOf({ id: 2 }, second) };
      const { failures, of, targets } = await mirrorRoutes(routes);
      assert.deepEqual(failures, []);
      assert.deepEqual(of('software'), [
        { record: 'software', id: 1, name: 'Bukkit / Spigot', url: 'bukkit', globalPluginId: 7 },
      ]);
      assert.equal(of('data').length, 1);
      assert.equal(targets.filter((target) => target === '/api/v2/software').length, 1);
    });

  test('is taken from the option, if the server does not have it', async () => {
    const answers: readonly Route[] = [
      { status: 404 },
      { body: '' },
      { body: '<!DOCTYPE html>' },
      listOf({ ...second, id: 2 }),
    ];
    for (const answer of answers) {
      const routes = { ...idOnlyRoutes(), '/api/v2/software': answer };
      const { failures, of } = await mirrorRoutes(routes, { givenSoftware: given });
      assert.deepEqual(failures, []);
      assert.deepEqual(of('software')[0]?.['name'], 'Given: a name');
    }
    const routes = { ...idOnlyRoutes(), '/api/v2/software': listOf(second) };
    const { of } = await mirrorRoutes(routes, { givenSoftware: given });
    assert.deepEqual(of('software')[0]?.['url'], 'bukkit');
  });

  test('is refused if it is unknown everywhere, with the name of the option', async () => {
    const answers: readonly Route[] = [
      { status: 404 },
      { body: '<!DOCTYPE html>' },
      { status: 302, headers: { Location: 'https://other.example/login' } },
    ];
    for (const answer of answers) {
      const { failures, of } = await mirrorRoutes({ ...idOnlyRoutes(), '/api/v2/software': answer });
      assert.deepEqual(failures, [message]);
      assert.deepEqual(of('plugin'), []);
    }
  });

  test('is taken from the store, if that has it', async () => {
    await using server = await serveRoutes({ ...idOnlyRoutes(), '/api/v2/software': listOf(second) });
    using directory = temporaryDirectory();
    const mirror = emptyMirror(directory.path);
    await mirrorOnce(mirror, server.url);
    server.routes.delete('/api/v2/software');
    assert.deepEqual((await mirrorOnce(mirror, server.url)).failures, []);
  });
});

test('a derived id is always the same, and above ordinary ids', () => {
  assert.equal(ownerIdFor('Someone'), 6_866_211_038_287_427);
  for (const name of ['', 'a', 'ä', '𝄞', 'x'.repeat(200)]) {
    const id = ownerIdFor(name);
    assert.ok(Number.isSafeInteger(id) && id >= 2 ** 52, `${name}: ${id}`);
  }
});

describe('a mirror refuses, and stores nothing of the plugin:', () => {
  const detail = '/api/v1/plugins/7';
  const withChart = (fields: Readonly<Record<string, unknown>>) =>
    pluginRoutes({ charts: { players: chart(70, fields) } });
  const refused: ReadonlyArray<readonly [what: string, routes: Record<string, Route>, failure: string]> = [
    [
      'settings that are not an object',
      withChart({ data: 3 }),
      `${detail}: charts.players.data must be an object, got 3`,
    ],
    ['another plugin', pluginRoutes({ plugin: { id: 8 } }), `${detail}: id must be 7, got 8`],
    [
      'a repeated uid',
      pluginRoutes({ charts: { other: chart(70) } }),
      `${detail}: the uid 70 belongs to chart "players" of plugin 7 already`,
    ],
    [
      'a control character',
      withChart({ title: 'a\u001b[31m' }),
      `${detail}: charts.players.title must be a string of 1 to 200 characters without control characters, got "a\\u001b[31m"`,
    ],
    [
      'a chart id',
      pluginRoutes({ charts: { 'a/b': chart(71) } }),
      `${detail}: charts: a chart id must be a string of 1 to 100 characters A-Z, a-z, 0-9, "_", ".", "~" or "-" that starts with a letter, digit or "_", got "a/b"`,
    ],
    [
      'a fault in the plugin list',
      pluginRoutes({ listed: { software: 3 } }),
      '/api/v1/plugins: [0].software must be an object with the members id, got 3',
    ],
    [
      'no software, also in the plugin list',
      pluginRoutes({ listed: { id: 8 } }),
      `${detail}: neither the plugin nor the plugin list names the software of plugin 7`,
    ],
    [
      'a fault in the software list',
      pluginRoutes({ software: { globalPlugin: 'x' } }),
      '/api/v1/software: [0].globalPlugin must be an object with an id, an id or null, got "x"',
    ],
  ];
  for (const [what, routes, failure] of refused) {
    test(what, async () => {
      const { failures, of } = await mirrorRoutes({ ...pluginRoutes(), ...routes });
      assert.deepEqual(failures, [failure]);
      assert.deepEqual([...of('plugin'), ...of('chart'), ...of('data')], []);
    });
  }
});
