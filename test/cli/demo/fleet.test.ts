// The fleet of the demo, against a real collector.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fleetReport } from '../../../src/cli/demo/fleet.ts';
import { slotStart, TestCollector } from '../../reporter/support/test-collector.ts';
import { directoryOfFile } from '../../support/temporary-directory.ts';

const directory = directoryOfFile();

test('every server of the fleet counts once', async () => {
  await using collector = await TestCollector.start(directory.at('collected.db'), 'bukkit');
  for (const status of [202, 429])
    for (let server = 0; server < 12; server++) {
      const body = JSON.stringify(fleetReport(server, slotStart));
      const answer = await fetch(`${collector.url}/api/v2/data/bukkit`, { method: 'POST', body });
      assert.equal(answer.status, status);
    }
  const data = await collector.closeSlot();
  assert.deepEqual(data['servers'], [[slotStart, 12]]);
  assert.deepEqual(data['pluginVersion'], [
    { name: '1.4', y: 9 },
    { name: '1.3', y: 3 },
  ]);
});
