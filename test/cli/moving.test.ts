// Moving from another service: a mirror copies the past of a plugin, and a collector goes on in the same
// store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveStore } from '../http/support/test-server.ts';
import { slotStart, TestCollector, testPluginId } from '../reporter/support/test-collector.ts';
import { archiveText, dataLine } from '../support/archive-text.ts';
import { runProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
const slotMs = 1_800_000;

test('points of a mirror and of a collector meet without a hole or a double', async () => {
  const [source, store] = [directory.at('source.db'), directory.at('store.db')];
  await (await TestCollector.start(source, 'bukkit'))[Symbol.asyncDispose]();
  // The source has counted the slot as well, which the first report here is for.
  const past = Array.from({ length: 96 }, (_, index) => [slotStart - (95 - index) * slotMs, 100 + index]);
  const pastLine = dataLine('servers', JSON.stringify(past)).replace(
    /"pluginId":\d+/,
    `"pluginId":${testPluginId}`,
  );
  await importText(source, archiveText([pastLine]));
  await using server = await serveStore(source);
  const mirror = async () => {
    const argv = ['mirror', server.url, '--plugin', `${testPluginId}`, '--rate', '1000', '--store', store];
    const { code, stderr } = await runProgram(argv);
    assert.deepEqual([code, stderr], [0, '']);
  };
  await mirror();
  await using collector = await TestCollector.over(store);
  for (const serverUUID of ['a', 'b', 'c']) {
    const body = JSON.stringify({ serverUUID, service: { id: testPluginId } });
    const answer = await fetch(`${collector.url}/api/v2/data/bukkit`, { method: 'POST', body });
    assert.equal(answer.status, 202);
  }
  const expected = [...past.slice(0, -1), [slotStart, 3]];
  assert.deepEqual((await collector.closeSlot())['servers'], expected);
  await mirror();
  // Of a time that both have counted, the later writer's value stays.
  const { servers } = await collector.data();
  assert.deepEqual(servers, past);
});
