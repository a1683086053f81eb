// A backup of a store during writes and reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { backUpSqliteStore } from '../../src/store/sqlite/sqlite-backup.ts';
import { checkSqliteStore } from '../../src/store/sqlite/sqlite-check.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { entriesOf } from '../support/points.ts';
import { openSqliteReader } from '../support/reads.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

const catalogue = [
  softwareLine(),
  pluginLine(),
  chartLine(),
  chartLine({ chartId: 'servers', uid: 71, title: 'Servers' }),
];
const checkRecord = recordChecker();
const faultsOf = (path: string) => Array.fromAsync(checkSqliteStore(path, checkRecord));

test('a backup of a store in use is a single state', async (t) => {
  const path = directory.at('live.db');
  const text = JSON.stringify('x'.repeat(1_000_000));
  const pies = Array.from({ length: 60 }, (_, index) => [
    chartLine({ chartId: `pie${index}`, uid: 100 + index, type: 'custom' }),
    dataLine(`pie${index}`, `[${text}]`),
  ]);
  await importText(path, archiveText([...catalogue, ...pies.flat()]));
  let isDone = false;
  let importCount = 0;
  const importing = (async () => {
    while (!isDone) {
      await importPoint(path, importCount++);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  await using reader = openSqliteReader(path);
  const seen: number[] = [];
  for (let count = 0; count < 3; count++) {
    const before = importCount;
    const backup = directory.at(`live-${count}.backup`);
    await backUpSqliteStore(path, backup, {
      checkRecord,
      onProgress: () => assert.equal(typeof reader.generation('data'), 'number'),
    });
    assert.ok(importCount > before, 'nothing was imported meanwhile');
    assert.deepEqual(await faultsOf(backup), []);
    await using copy = openSqliteReader(backup);
    const [players, servers] = await Promise.all(
      ['players', 'servers'].map(async (chartId) => {
        const data = await copy.readChartData(7, chartId, 1_000_000);
        assert.ok(data.storage === 'points');
        return Array.from(data.runs, entriesOf).flat();
      }),
    );
    assert.deepEqual(players, servers);
    assert.deepEqual(
      players?.map(([timestamp]) => timestamp),
      Array.from({ length: players?.length ?? 0 }, (_, index) => index),
    );
    seen.push(players?.length ?? 0);
  }
  isDone = true;
  await importing;
  t.diagnostic(`${importCount} imports; backups saw ${seen.join(', ')} of them`);
});

/** Adds a point to both charts. */
function importPoint(path: string, timestamp: number): Promise<void> {
  const data = `[[${timestamp},${timestamp}]]`;
  return importText(path, archiveText([dataLine('players', data), dataLine('servers', data)]));
}
