/** The query plans of lists: every statement uses an index, however many plugins there are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import type { PluginListRequest, PluginSort } from '../../src/model/plugin-list.ts';
import { parsePostgresName } from '../../src/store/postgres/postgres-settings.ts';
import { beginPostgresRead } from '../../src/store/postgres/postgres-transaction.ts';
import { StoreView } from '../../src/store/reading/store-view.ts';
import type { Sql } from '../../src/store/sql.ts';
import { column, text } from '../../src/store/statement.ts';
import { importInto } from '../contracts/store-contract.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import type { TestServer } from './test-server.ts';

const pluginCount = 3000;

const usual: PluginListRequest = { text: '', find: 'words', sort: 'servers', descending: true, limit: 50 };
const sorts: readonly PluginSort[] = ['servers', 'players', '7d', '28d', 'name', 'id'];

/** All kinds of lists: read from an index, and searched. */
const requests: readonly PluginListRequest[] = [
  ...sorts.flatMap((sort) =>
    [true, false].flatMap((descending) => [
      { ...usual, sort, descending },
      { ...usual, sort, descending, softwareUrl: 'bukkit', skip: 700 },
      {
        ...usual,
        sort,
        descending,
        isGlobal: false,
        after: { id: 7, value: sort === 'name' ? 'Plugin 7' : 7 },
      },
      {
        ...usual,
        sort,
        descending,
        after: { id: 7, value: { name: 'Plugin 7', id: 7 }[String(sort)] ?? null },
      },
      { ...usual, sort, descending, skip: pluginCount - 20 },
    ]),
  ),
  { ...usual, ownerId: 5 },
  { ...usual, ownerId: 5, isGlobal: false },
  { ...usual, isGlobal: true },
  ...sorts.map((sort): PluginListRequest => ({ ...usual, sort, text: 'plugin 7' })),
  { ...usual, text: 'plugni' },
  { ...usual, text: 'lugin', find: 'part', sort: 'name', softwareUrl: 'bukkit' },
];

/** Tests the plans of a server. */
export function listPlans(server: TestServer): void {
  test('no statement of a list reads a table from its beginning, or sorts it', {
    timeout: 120_000,
  }, async () => {
    const uri = await server.emptyDatabase();
    const lines = Array.from({ length: pluginCount }, (_, index) => {
      const id = index + 1;
      const data = { record: 'data', pluginId: id, chartId: 'servers', data: [[1, id % 9]] };
      return [
        pluginLine({
          id,
          name: `Plugin ${id}`,
          owner: { id: 1 + (id % 1000), name: `Owner ${id}` },
          softwareId: 1 + (id % 2),
        }),
        ...(id % 3 === 0
          ? []
          : [chartLine({ pluginId: id, chartId: 'servers', uid: id }), JSON.stringify(data)]),
      ];
    });
    const software = [softwareLine(), softwareLine({ id: 2, name: 'Two', url: 'two' })];
    await importInto(parseStoreName(uri), archiveText([...software, ...lines.flat()]));
    await server.run(uri, 'analyze');
    await using transaction = await beginPostgresRead(parsePostgresName(uri, {}));
    const plans = new Map<string, string>();
    const explaining: Sql = {
      ...{ engine: transaction.sql.engine, storeName: transaction.sql.storeName },
      put: () => assert.fail(),
      run: () => assert.fail(),
      read: async (select, ...values) => {
        const explain = { ...column('line', text), text: `explain ${select.text}` };
        const plan = await transaction.sql.read(explain, ...values);
        plans.set(select.text, plan.map(({ line }) => line).join('\n'));
        return transaction.sql.read(select, ...values);
      },
    };
    const view = new StoreView(explaining);
    for (const request of requests) await view.findPlugins(request);
    await view.listSoftwareNow();
    await view.loadOwnerNow(5);
    await view.findPluginNamed('bukkit', 'plugin 8');
    await view.findOwnerNamed('owner 8');
    await view.listNamesakes(await view.getPlugin(8), 9);
    await view.findSpans([1, 2, 3]);
    await view.readChartData(1, 'servers', 1);
    assert.ok(plans.size > 60, `${plans.size} statements`);
    for (const [select, plan] of plans) {
      // Software is the exception: there is little of it, so the table is read whole.
      assert.doesNotMatch(plan, /Seq Scan on (?!software)/, `${select}\n${plan}`);
      // Sorting is allowed for the matches of a search, the plugins of an owner and the few chunks of a
      // chart.
      if (!/with found|as found|join lateral/.test(select))
        assert.doesNotMatch(plan, /Sort/, `${select}\n${plan}`);
    }
  });
}
