// The charts that plugins of each software have from the start.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clampOf as clampFor, nameRuleOf } from '../../src/collect/chart-filter.ts';
import { defaultChartsOf } from '../../src/collect/default-charts.ts';

const plugin = { name: 'Example', isGlobal: false };
const globalPlugin = { name: '_bukkit_', isGlobal: true };
const idsOf = (url: string, about = plugin) => defaultChartsOf(url, about).map(({ chartId }) => chartId);

test('a plugin of Bukkit has these charts', () => {
  assert.deepEqual(
    defaultChartsOf('bukkit', plugin).map(({ chartId, type, title }) => `${chartId} ${type} ${title}`),
    [
      'servers single_linechart Servers using Example',
      'players single_linechart Players on servers using Example',
      'onlineMode simple_pie Online mode',
      'minecraftVersion simple_pie Minecraft Version',
      'serverSoftware simple_pie Server Software',
      'pluginVersion simple_pie Plugin Version',
      'coreCount simple_pie Core count',
      'osArch simple_pie System arch',
      'os drilldown_pie Operating System',
      'location simple_pie Server Location',
      'javaVersion drilldown_pie Java Version',
      'locationMap simple_map Server Location',
    ],
  );
});

test('a plugin of another software has those that its reports have members for', () => {
  const machine = ['coreCount', 'osArch', 'os', 'location'];
  const java = ['javaVersion', 'locationMap'];
  assert.deepEqual(idsOf('bungeecord'), [
    ...['servers', 'players', 'managed_servers', 'onlineMode', 'bungeecordVersion', 'pluginVersion'],
    ...machine,
    ...java,
  ]);
  assert.deepEqual(idsOf('sponge'), [
    ...['servers', 'players', 'onlineMode', 'minecraftVersion', 'pluginVersion'],
    ...machine,
    ...java,
  ]);
  assert.deepEqual(idsOf('server-implementation'), ['servers', ...machine, 'locationMap']);
  assert.deepEqual(idsOf('other'), []);
  assert.deepEqual(idsOf('unheard-of'), ['servers', 'players']);
});

test('a global plugin has no version of its own, and other titles', () => {
  const ids = idsOf('bukkit', globalPlugin);
  assert.deepEqual(
    ids,
    idsOf('bukkit').filter((id) => id !== 'pluginVersion'),
  );
  const titles = defaultChartsOf('bungeecord', globalPlugin).map(({ title }) => title);
  assert.deepEqual(titles.slice(0, 3), ['Proxy Servers', 'Managed Servers', 'Players']);
  for (const url of ['server-implementation', 'other']) assert.deepEqual(idsOf(url, globalPlugin), []);
});

test('players are clamped, but not those of a global plugin', () => {
  const clampOf = (url: string, about: typeof plugin, id: string) => {
    const chart = defaultChartsOf(url, about).find(({ chartId }) => chartId === id);
    assert.ok(chart !== undefined);
    const clamp = clampFor(chart.settings);
    return [clamp(-5), clamp(5000)];
  };
  assert.deepEqual(clampOf('bukkit', plugin, 'players'), [0, 200]);
  assert.deepEqual(clampOf('bungeecord', plugin, 'players'), [0, 800]);
  assert.deepEqual(clampOf('bungeecord', plugin, 'managed_servers'), [0, 25]);
  assert.deepEqual(clampOf('bukkit', plugin, 'servers'), [-5, 5000]);
  for (const id of ['servers', 'players', 'managed_servers'])
    assert.deepEqual(clampOf('bungeecord', globalPlugin, id), [-5, 5000]);
});

test('core counts have one or two digits', () => {
  const chart = defaultChartsOf('bukkit', plugin).find(({ chartId }) => chartId === 'coreCount');
  const allows = nameRuleOf(chart?.settings ?? assert.fail('it has no core count'));
  assert.deepEqual(['1', '64', '128', '-4', '1.5'].filter(allows), ['1', '64']);
});

test('a title is cut where the name of the plugin is too long for it', () => {
  const [servers] = defaultChartsOf('bukkit', { ...plugin, name: '🦊'.repeat(200) });
  assert.equal(servers?.title, `Servers using ${'🦊'.repeat(186)}`);
});
