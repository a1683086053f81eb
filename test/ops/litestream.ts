/**
 * Litestream beside `serve` and `collect`: everything is killed, and restored elsewhere. Run by
 * `npm run test:ops`.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchPackage } from '../../build/fetch-package.ts';
import { parseLines } from '../../src/collect/report-line.ts';
import { openSqliteStore } from '../../src/store/store.ts';
import { makeCollectingStore, sendReport, startCollecting } from '../collect/collecting.ts';
import { exportFrom } from '../contracts/store-contract.ts';
import { readDocument } from '../doc-tables.ts';
import { checkout } from '../package/installed-package.ts';
import { startServing } from '../serve/support/serving.ts';
import { runProgram } from '../support/run-program.ts';
import { directoryOfFile, temporaryDirectory } from '../support/temporary-directory.ts';

/** The shortest slot. */
const slotMs = 60_000;
/** Reports that were accepted so long before the kill must be restored. */
const behindMs = 10_000;
const packages = directoryOfFile();
const litestream = join(
  fetchPackage(`@flydotio/litestream-linux-${process.arch}@1.0.1`, packages.path),
  'litestream',
);

/** The times of a loss, and how many reports at least were accepted {@link behindMs} before. */
const losses = {
  'within a slot': 101,
  'as a slot is closed': 101,
  'when nobody has reported for a while': 5,
} as const;

describe('Litestream', () => {
  for (const [loss, leastCount] of Object.entries(losses) as [keyof typeof losses, number][])
    test(`a store that is lost ${loss} is restored with its reports`, async () => {
      const isQuiet = loss === 'when nobody has reported for a while';
      using folder = temporaryDirectory();
      const store = folder.at('metrics.db');
      const config = folder.at('litestream.yml');
      const yaml = readDocument('ops/litestream.yml');
      writeFileSync(
        config,
        yaml
          .replaceAll('/var/lib/plugin-metrics', folder.path)
          .replaceAll('/mnt/replica', folder.at('replica')),
      );
      await makeCollectingStore(store);
      // In a slot of a day, a collector to which nobody reports has hardly anything to write.
      const collecting = await startCollecting(store, isQuiet ? [] : ['--slot', '1m']);
      const serving = await startServing(['--store', store]);
      const replicating = spawn(litestream, ['replicate', '-config', config], { stdio: 'ignore' });
      // A report waits until a slot begins, because one that is covered in part is left out.
      const slot = Math.ceil(Date.now() / slotMs) * slotMs;
      await sleep(slot + 500 - Date.now());
      const acceptedAt: number[] = [];
      let isKilled = false;
      const reporting = (async () => {
        for (let server = 0; !isKilled && !(isQuiet && server === leastCount); server++) {
          const status = await sendReport(collecting.url, `server ${server}`).catch(() => undefined);
          if (status === 202) acceptedAt.push(Date.now());
          else assert.ok(isKilled, `status ${status}`);
          await sleep(20);
        }
      })();
      if (loss === 'as a slot is closed')
        await collecting.said(new RegExp(`slot closed.*${new Date(slot).toISOString()}`));
      else await sleep(25_000);
      isKilled = true;
      const killedAt = Date.now();
      replicating.kill('SIGKILL');
      collecting.signal('SIGKILL');
      serving.signal('SIGKILL');
      await Promise.all([once(replicating, 'close'), collecting.ended, serving.ended, reporting]);

      const restored = folder.at('restored.db');
      const { status, stderr } = spawnSync(
        join(checkout, 'ops/litestream-restore'),
        [config, store, restored],
        {
          encoding: 'utf8',
          env: { ...process.env, PATH: `${dirname(litestream)}${delimiter}${process.env['PATH']}` },
        },
      );
      assert.equal(status, 0, stderr);
      assert.match((await runProgram(['check', '--store', restored])).stdout, /: no faults$/m);
      const early = acceptedAt.filter((time) => time < killedAt - behindMs).length;
      const found = await countReports(restored);
      assert.ok(early >= leastCount);
      assert.ok(found >= early && found <= acceptedAt.length, `${early} ${found} ${acceptedAt.length}`);
    });
});

/** Counts the reports that a restored store has, in closed slots and in the log of those that are not. */
async function countReports(path: string): Promise<number> {
  const store = openSqliteStore(path);
  const line =
    /"pluginId":2,"chartId":"servers","data":(\[.*\])\}$/m.exec(await exportFrom(store))?.[1] ?? '[]';
  const points = new Map(JSON.parse(line) as [number, number][]);
  let count = [...points.values()].reduce((sum, value) => sum + value, 0);
  await using reports = await store.openReports();
  for (const { start } of await reports.listSlots())
    if (!points.has(start))
      for await (const text of reports.readLog(start)) count += [...parseLines(text)].length;
  return count;
}
