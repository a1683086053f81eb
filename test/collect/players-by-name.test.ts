// Players by name, from `add charts --players` to what a slot writes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqliteStore } from '../../src/store/store.ts';
import { TestCollector, testPluginId } from '../reporter/support/test-collector.ts';
import { runProgram } from '../support/run-program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const file = 'metrics.db';

async function run(store: string, ...argv: string[]) {
  const { code, stdout, stderr } = await runProgram([...argv, '--store', store]);
  assert.equal(code, 0, stderr);
  return { stdout, stderr };
}

test('players are added up by the names that the charts of servers count', async () => {
  using folder = temporaryDirectory();
  const store = folder.at(file);
  await run(store, 'add', 'software', 'bukkit');
  const plugin = ['--name', 'P', '--owner', 'Me', '--software', 'bukkit', '--max-players', '50'];
  assert.equal((await run(store, 'add', 'plugin', ...plugin)).stdout, `${testPluginId}\n`);
  const ids = ['playersByMinecraftVersion', 'playersByPluginVersion', 'playersByServerSoftware'];
  const added = await run(store, 'add', 'charts', String(testPluginId), '--players');
  assert.equal(added.stdout, ids.map((id) => `${testPluginId}/${id}\n`).join(''));
  assert.match(added.stderr, /^added 3 charts to plugin 2, "P", in /m);
  const again = await run(store, 'add', 'charts', String(testPluginId), '--players');
  assert.deepEqual([again.stdout, /^no chart of players is missing/m.test(again.stderr)], ['', true]);
  await run(store, 'add', 'charts', '1', '--players');

  await using collector = await TestCollector.over(store);
  const report = async (serverUUID: string, fields: object, pluginVersion: string) => {
    const body = JSON.stringify({ serverUUID, ...fields, service: { id: testPluginId, pluginVersion } });
    const { status } = await fetch(`${collector.url}/api/v2/data/bukkit`, { method: 'POST', body });
    assert.equal(status, 202);
  };
  const paper = (version: string) => ({ bukkitVersion: `git-Paper-1 (MC: ${version})`, bukkitName: 'Paper' });
  await report('a', { ...paper('1.21.4'), playerAmount: 20 }, '2.0');
  await report('b', { ...paper('1.21.4'), playerAmount: 300 }, '1.0');
  await report('c', { ...paper('1.20.1'), playerAmount: 7 }, '2.0');
  await report('d', { ...paper('1.8'), playerAmount: 0 }, '0.1');
  await report('e', { ...paper('1.9'), playerAmount: 'many' }, '0.2');
  await report('f', { playerAmount: 5 }, '2.0');
  const counted = await collector.closeSlot();
  assert.deepEqual(counted['playersByMinecraftVersion'], [
    { name: '1.21.4', y: 70 },
    { name: '1.20.1', y: 7 },
  ]);
  assert.deepEqual(counted['playersByServerSoftware'], [{ name: 'Paper', y: 77 }]);
  assert.deepEqual(counted['playersByPluginVersion'], [
    { name: '1.0', y: 50 },
    { name: '2.0', y: 32 },
  ]);

  await using reader = await openSqliteStore(store).openReader();
  const titles = await reader.read(async (view) => {
    const charts = await Array.fromAsync(view.listCharts(testPluginId));
    return charts.flat().filter(({ chartId }) => ids.includes(chartId));
  });
  assert.deepEqual(
    titles.map(({ title, type, isDefault }) => [title, type, isDefault]),
    ['Players by Minecraft version', 'Players by plugin version', 'Players by server software'].map(
      (title) => [title, 'advanced_pie', true],
    ),
  );
  // All servers together are not clamped.
  const all = await reader.read((view) => view.readChartData(1, 'playersByMinecraftVersion', 0));
  assert.ok(all.storage === 'latest');
  assert.deepEqual(JSON.parse(all.json), [
    { name: '1.21.4', y: 320 },
    { name: '1.20.1', y: 7 },
  ]);
});

test('a software whose servers have no such names has no charts of players', async () => {
  using folder = temporaryDirectory();
  const store = folder.at(file);
  await run(store, 'add', 'software', 'other');
  await run(store, 'add', 'plugin', '--name', 'P', '--owner', 'Me', '--software', 'other');
  assert.match(
    (await run(store, 'add', 'charts', '1', '--players')).stderr,
    /^no chart of players is missing/m,
  );
});
